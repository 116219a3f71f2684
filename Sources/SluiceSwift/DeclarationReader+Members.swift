/// What stands in a type.
extension DeclarationReader {
    mutating func members(_ result: inout TypeDeclaration) {
        while token.kind != .end && !isSign("}") {
            var attributes: [TypeDeclaration.Attribute] = []
            var modifiers: [String] = []
            let start = token.kind == .newline ? peek(1).start : token.start
            prefix: while true {
                if token.kind == .newline || isSign(";") {
                    index += 1
                } else if isSign("@") {
                    attributes.append(attribute())
                } else if token.kind == .word, Self.modifiers.contains(text(token)) {
                    modifiers.append(text(token))
                    index += 1
                    if isSign("("), token.start == peek(-1).end {
                        skipBrackets()
                        // The access of the setter alone, as in `private(set)`.
                        if let last = modifiers.last, Self.accessLevels.contains(last) { modifiers.removeLast() }
                    }
                } else {
                    break prefix
                }
            }
            guard token.kind == .word else {
                if token.kind == .end || isSign("}") { return }
                skipPart()
                continue
            }
            member(&result, attributes, modifiers, start)
        }
    }

    private mutating func member(
        _ result: inout TypeDeclaration, _ attributes: [TypeDeclaration.Attribute], _ modifiers: [String], _ start: Int
    ) {
        let word = text(token)
        switch word {
        case "var", "let":
            index += 1
            property(&result, isConstant: word == "let", attributes, modifiers, start)
        case "enum" where text(peek(1)) == "CodingKeys":
            index += 2
            codingKeys(&result)
        case "init":
            result.members.insert(initializer())
            skipDeclaration()
        case "func", "struct", "class", "enum", "actor", "typealias":
            result.members.insert(bareName(text(peek(1))))
            index += 1
            skipDeclaration()
        case _ where word.hasPrefix("#"):
            // The lines between conditions are read as if all of them held.
            while token.kind != .newline && token.kind != .end { index += 1 }
        default: skipDeclaration()
        }
    }

    /// The name of an initialiser with its labels; what follows is passed over later.
    private func initializer() -> String {
        var reader = self
        reader.index += 1
        while reader.token.kind != .end && !reader.isSign("(") { reader.index += 1 }
        reader.index += 1
        var labels: [String] = []
        var isBeginning = true
        while reader.token.kind != .end && !reader.isSign(")") {
            if isBeginning && reader.token.kind == .word { labels.append(reader.text(reader.token) + ":") }
            if reader.token.kind != .newline { isBeginning = reader.isSign(",") }
            reader.skipPart()
        }
        return "init(\(labels.joined()))"
    }

    /// Passes over a function, a nested type or anything else, with or without a body.
    mutating func skipDeclaration() {
        while token.kind != .end && !isSign("}") {
            if isSign(";") {
                index += 1
                return
            }
            if token.kind == .newline {
                index += 1
                // A body or a clause may begin on a line of its own.
                if isSign("{") || ["where", "throws", "async", "->"].contains(text(token)) { continue }
                return
            }
            let isBody = isSign("{")
            skipPart()
            if isBody { return }
        }
    }

    // MARK: Properties

    private mutating func property(
        _ result: inout TypeDeclaration, isConstant: Bool, _ attributes: [TypeDeclaration.Attribute],
        _ modifiers: [String], _ start: Int
    ) {
        guard token.kind == .word else { return skipDeclaration() }
        var property = TypeDeclaration.Property(
            name: bareName(text(token)), attributes: attributes, isConstant: isConstant,
            isStatic: modifiers.contains("static") || modifiers.contains("class"), modifiers: modifiers,
            access: modifiers.first(where: Self.accessLevels.contains) ?? "", nameRange: token.start..<token.end,
            range: start..<max(start, token.end))
        property.keywordRange = peek(-1).start..<peek(-1).end
        property.opening = text(indentation(before: start)..<max(start, property.nameRange.lowerBound))
        index += 1
        if isSign(":") {
            index += 1
            skipNewlines()
            let range = typeRange()
            property.type = text(range)
            property.typeRange = range
        }
        if isSign("=") {
            index += 1
            skipNewlines()
            let range = valueRange()
            property.initialValue = text(range)
            property.valueRange = range
        } else if token.kind == .newline, firstByte(peek(1)) == UInt8(ascii: "{") {
            index += 1
        }
        if isSign("{") {
            property.isComputed = !hasObservers
            skipBrackets()
        }
        property.range = start..<max(start, peek(-1).end)
        if isSign(",") {
            let comma = token.start
            index += 1
            skipNewlines()
            property.separatorRange = comma..<max(comma, token.start)
            skipDeclaration()
        }
        if isSign(";") { index += 1 }
        result.properties.append(property)
    }

    /// Where the blanks begin that stand before a place in its line.
    private func indentation(before place: Int) -> Int {
        var start = place
        while start > 0, [0x20, 0x09].contains(bytes[start - 1]) { start -= 1 }
        return start
    }

    /// Whether the block that begins here observes a stored property.
    private var hasObservers: Bool {
        let first = peek(1).kind == .newline ? peek(2) : peek(1)
        return ["didSet", "willSet"].contains(text(first))
    }

    /// Whether the line goes on: an operator with white space before it and nothing behind it wants its other side.
    private var lineGoesOn: Bool {
        let before = peek(-1)
        guard before.kind == .operatorSign, before.start > 0 else { return false }
        var start = before.start
        while start > 0, SwiftLexer.operators.contains(bytes[start - 1]) { start -= 1 }
        return start > 0 && " \n".utf8.contains(bytes[start - 1])
    }

    private mutating func typeRange() -> Range<Int> {
        let start = token.start
        var end = start
        var depth = 0
        while token.kind != .end {
            if token.kind == .newline && depth == 0 {
                guard firstByte(peek(1)) == UInt8(ascii: ".") || text(peek(1)) == "->" || lineGoesOn else { break }
                index += 1
                continue
            }
            if depth == 0, ["=", "{", ",", "}", ";"].contains(where: isSign) { break }
            if isSign("<") { depth += 1 }
            if isSign(">") { depth -= 1 }
            skipPart()
            if peek(-1).kind != .newline { end = peek(-1).end }
        }
        return start..<max(start, end)
    }

    private mutating func valueRange() -> Range<Int> {
        let start = token.start
        var end = start
        while token.kind != .end {
            if token.kind == .newline {
                // A chain goes on where the next line begins with a dot or an operator, and a choice with its colon.
                let next = peek(1)
                let isOperator = next.kind == .operatorSign && firstByte(next) != UInt8(ascii: "@")
                guard isOperator || firstByte(next) == UInt8(ascii: ":") || lineGoesOn else { break }
                index += 1
                continue
            }
            if ["}", ";", ","].contains(where: isSign) { break }
            if !skipGenericArguments() {
                if isSign("{") && hasObservers { break }
                skipPart()
            }
            end = peek(-1).end
        }
        return start..<max(start, end)
    }

    /// Passes over `<A, [B: C]>` behind a name in an expression, where that is what the sign begins: what stands behind
    /// the closing sign decides, as in the language.
    private mutating func skipGenericArguments() -> Bool {
        guard isSign("<"), peek(-1).kind == .word, peek(-1).end == token.start else { return false }
        let begin = index
        var depth = 0
        while token.kind != .end {
            if isSign("<") {
                depth += 1
                index += 1
            } else if isSign(">") {
                depth -= 1
                index += 1
                guard depth == 0 else { continue }
                let closes = token.kind == .newline || token.kind == .end || "().,]};:".utf8.contains(firstByte(token))
                if closes { return true }
                break
            } else if opensBracket(token), !isSign("{") {
                skipBrackets()
            } else if token.kind == .word || token.kind == .newline
                || ["?", "!", ".", "&", "->", ",", ":", "@"].contains(text(token))
            {
                index += 1
            } else {
                break
            }
        }
        index = begin
        return false
    }

    // MARK: Coding keys

    private mutating func codingKeys(_ result: inout TypeDeclaration) {
        var keys: [String: String] = [:]
        while token.kind != .end && !isSign("{") { index += 1 }
        index += 1
        while token.kind != .end && !isSign("}") {
            guard token.kind == .word, text(token) == "case" else {
                skipPart()
                continue
            }
            index += 1
            while token.kind == .word {
                let name = bareName(text(token))
                index += 1
                keys[name] = name
                if isSign("=") {
                    index += 1
                    keys[name] = SwiftLiteral.string(text(token)) ?? name
                    index += 1
                }
                guard isSign(",") else { break }
                index += 1
                skipNewlines()
            }
        }
        index += 1
        result.codingKeys = keys
    }
}
