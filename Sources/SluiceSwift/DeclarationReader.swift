/// Reads the declaration of a type. Bodies of functions are passed over by their brackets.
///
/// Looking on never leaves the tokens, so that no text makes it trap.
package struct DeclarationReader {
    let bytes: [UInt8]
    let tokens: [SwiftToken]
    var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens = SwiftLexer.tokens(of: bytes)
    }

    /// Reads the first type that a source declares.
    ///
    /// - Parameter source: Swift source in UTF-8.
    /// - Returns: What was read; without a keyword where the source declares no type.
    package static func read(_ source: [UInt8]) -> TypeDeclaration {
        var reader = DeclarationReader(source)
        return reader.declaration()
    }

    /// Reads all types of a source that have an attribute, also those that stand in others.
    ///
    /// - Parameters:
    ///   - source: Swift source in UTF-8.
    ///   - attribute: The attribute's name, without modules before it.
    /// - Returns: The types in their order.
    package static func readAll(_ source: [UInt8], with attribute: String) -> [TypeDeclaration] {
        var reader = DeclarationReader(source)
        var found: [TypeDeclaration] = []
        while reader.token.kind != .end {
            guard reader.isSign("@") else {
                reader.index += 1
                continue
            }
            let begin = reader.index
            guard reader.attribute().name == attribute else {
                reader.index = begin + 1
                continue
            }
            let end = reader.index
            reader.index = begin
            let declaration = reader.declaration()
            if !declaration.keyword.isEmpty { found.append(declaration) }
            // What stands in it is looked at as well.
            reader.index = end
        }
        return found
    }

    // MARK: Tokens

    var token: SwiftToken { peek(0) }

    func peek(_ offset: Int) -> SwiftToken { tokens[max(0, min(index + offset, tokens.count - 1))] }

    func text(_ token: SwiftToken) -> String { text(token.start..<token.end) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func firstByte(_ token: SwiftToken) -> UInt8 { token.start < bytes.count ? bytes[token.start] : 0 }

    func isSign(_ sign: String) -> Bool {
        (token.kind == .punctuation || token.kind == .operatorSign) && text(token) == sign
    }

    func opensBracket(_ token: SwiftToken) -> Bool {
        token.kind == .punctuation && "([{".utf8.contains(firstByte(token))
    }

    mutating func skipNewlines() { while token.kind == .newline { index += 1 } }

    /// Passes over what brackets hold, and them.
    mutating func skipBrackets() {
        var depth = 0
        while token.kind != .end {
            if opensBracket(token) {
                depth += 1
            } else if token.kind == .punctuation && ")]}".utf8.contains(firstByte(token)) {
                depth -= 1
            }
            index += 1
            if depth <= 0 { return }
        }
    }

    /// Passes over one token, or over what brackets hold.
    mutating func skipPart() {
        if opensBracket(token) { skipBrackets() } else { index += 1 }
    }

    // MARK: Declaration

    static let modifiers: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "class", "lazy", "final",
        "nonisolated", "mutating", "nonmutating", "weak", "unowned", "override", "dynamic", "indirect", "borrowing",
        "consuming", "convenience", "required",
    ]
    static let accessLevels = ["public", "package", "private", "fileprivate"]
    static let typeKeywords: Set<String> = ["struct", "class", "enum", "actor", "protocol"]

    private mutating func declaration() -> TypeDeclaration {
        var result = TypeDeclaration()
        var modifiers: [String] = []
        while token.kind != .end {
            if isSign("@") {
                result.attributes.append(attribute())
                continue
            }
            let word = text(token)
            if token.kind == .word, Self.typeKeywords.contains(word) {
                result.keyword = word
                index += 1
                result.name = bareName(text(token))
                result.nameRange = token.start..<token.end
                index += 1
                break
            }
            if token.kind == .word { modifiers.append(word) }
            skipPart()
        }
        if result.keyword.isEmpty { return result }
        result.access = modifiers.first(where: Self.accessLevels.contains) ?? ""
        result.isGeneric = isSign("<")
        while token.kind != .end && !isSign("{") { index += 1 }
        index += 1
        members(&result)
        return result
    }

    /// A name without the backticks that make a keyword of it a name.
    func bareName(_ name: String) -> String {
        name.hasPrefix("`") ? String(name.dropFirst().prefix { $0 != "`" }) : name
    }

    // MARK: Attributes

    mutating func attribute() -> TypeDeclaration.Attribute {
        let start = token.start
        index += 1
        var name = text(token)
        index += 1
        while isSign("."), token.start == peek(-1).end {
            index += 1
            name = text(token)
            index += 1
        }
        var end = peek(-1).end
        guard isSign("("), token.start == end else { return .init(name: name, arguments: [], range: start..<end) }
        index += 1
        var arguments: [TypeDeclaration.Attribute.Argument] = []
        while !isSign(")") && token.kind != .end {
            if let argument = argument() { arguments.append(argument) }
            if isSign(",") { index += 1 }
        }
        end = token.end
        index += 1
        return .init(name: name, arguments: arguments, range: start..<max(start, end))
    }

    private mutating func argument() -> TypeDeclaration.Attribute.Argument? {
        skipNewlines()
        let begin = token.start
        var label: String?
        if token.kind == .word, peek(1).kind == .punctuation, firstByte(peek(1)) == UInt8(ascii: ":") {
            label = text(token)
            index += 2
            skipNewlines()
        }
        let start = token.start
        var end = start
        while !isSign(",") && !isSign(")") && token.kind != .end {
            skipPart()
            if peek(-1).kind != .newline { end = peek(-1).end }
        }
        return end > start ? .init(label: label, text: text(start..<end), range: start..<end, start: begin) : nil
    }
}
