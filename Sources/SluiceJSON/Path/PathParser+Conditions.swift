extension PathParser {
    /// Reads conditions that are joined by `||`.
    mutating func condition() throws(JSONPathError) -> PathCondition {
        var alternatives: [PathCondition] = []
        repeat {
            alternatives.append(try conjunction())
            skipSpace()
        } while try skipPair("|")
        return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
    }

    private mutating func conjunction() throws(JSONPathError) -> PathCondition {
        var conditions: [PathCondition] = []
        repeat {
            skipSpace()
            try countPart()
            conditions.append(try basicCondition())
            skipSpace()
        } while try skipPair("&")
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func skipPair(_ character: Unicode.Scalar) throws(JSONPathError) -> Bool {
        guard skip(character) else { return false }
        guard skip(character) else { throw fail("Expected `\(character)\(character)` here.", at: position - 1) }
        return true
    }

    private mutating func basicCondition() throws(JSONPathError) -> PathCondition {
        if skip("!") {
            skipSpace()
            if current == UInt8(ascii: "(") { return .not(try parenthesized()) }
            let start = position
            return .not(try test(try term(), at: start))
        }
        if current == UInt8(ascii: "(") { return try parenthesized() }
        let start = position
        let left = try term()
        let behindLeft = position
        skipSpace()
        guard let comparison = try comparisonOperator() else {
            position = behindLeft
            return try test(left, at: start)
        }
        skipSpace()
        let leftOperand = try operand(left, at: start)
        let rightStart = position
        return .comparison(leftOperand, comparison, try operand(try term(), at: rightStart))
    }

    private mutating func parenthesized() throws(JSONPathError) -> PathCondition {
        position += 1
        let condition = try nested { parser throws(JSONPathError) in try parser.condition() }
        guard skip(")") else { throw fail("Expected `)` here.") }
        return condition
    }

    private mutating func comparisonOperator() throws(JSONPathError) -> PathComparison? {
        let start = position
        if skip("=") {
            guard skip("=") else { throw fail("Equality is written `==`.", at: start) }
            return .equal
        }
        if skip("!") {
            guard skip("=") else { throw fail("Inequality is written `!=`.", at: start) }
            return .notEqual
        }
        if skip("<") { return skip("=") ? .lessOrEqual : .less }
        if skip(">") { return skip("=") ? .greaterOrEqual : .greater }
        return nil
    }

    // MARK: Terms and their types, see RFC 9535 section 2.4.3

    /// What may stand beside an operator, in a test or as an argument.
    private enum Term {
        case query(PathQuery)
        case literal(PathLiteral)
        /// A function that gives a value.
        case value(PathOperand)
        /// A function that gives a truth value.
        case truth(PathPattern)
    }

    private func test(_ term: Term, at start: Int) throws(JSONPathError) -> PathCondition {
        switch term {
        case .query(let query): return .exists(query)
        case .truth(let pattern): return .pattern(pattern)
        case .literal: throw fail("A literal must be compared with something.", at: start)
        case .value: throw fail("The value of this function must be compared with something.", at: start)
        }
    }

    private func operand(_ term: Term, at start: Int) throws(JSONPathError) -> PathOperand {
        switch term {
        case .literal(let literal): return .literal(literal)
        case .value(let value): return value
        case .query(let query):
            if query.isSingular { return .query(query) }
            throw fail("This path can select several values; here it must select one by names and indexes.", at: start)
        case .truth: throw fail("This function is true or false by itself and gives no value.", at: start)
        }
    }

    private func nodes(_ term: Term, at start: Int) throws(JSONPathError) -> PathQuery {
        if case .query(let query) = term { return query }
        throw fail("Expected a path here, which begins with `@` or `$`.", at: start)
    }

    private mutating func term() throws(JSONPathError) -> Term {
        switch current {
        case UInt8(ascii: "@"), UInt8(ascii: "$"):
            var query = PathQuery(isAbsolute: current == UInt8(ascii: "$"), segments: [])
            position += 1
            try appendSegments(to: &query.segments, isLenient: false)
            return .query(query)
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try quoted()))
        case UInt8(ascii: "-"): return .literal(try number())
        case let byte? where Self.isDigit(byte): return .literal(try number())
        default: return try word()
        }
    }

    private mutating func word() throws(JSONPathError) -> Term {
        let start = position
        while let byte = current {
            guard Self.isLetter(byte) || byte == UInt8(ascii: "_") || Self.isDigit(byte) else { break }
            position += 1
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if skip("(") {
            return try nested { parser throws(JSONPathError) in try parser.function(name, at: start) }
        }
        switch name {
        case "true": return .literal(.boolean(true))
        case "false": return .literal(.boolean(false))
        case "null": return .literal(.null)
        default: throw fail("Expected a path with `@` or `$`, a literal or a function here.", at: start)
        }
    }

    private mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> Term {
        guard let wanted = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2][name] else {
            throw fail("There is no function `\(name)`; there are length, count, value, match and search.", at: start)
        }
        var arguments: [(term: Term, start: Int)] = []
        skipSpace()
        if current != UInt8(ascii: ")") {
            repeat {
                skipSpace()
                try countPart()
                let start = position
                arguments.append((try term(), start))
                skipSpace()
            } while skip(",")
        }
        guard skip(")") else { throw fail("Expected `,` or `)` here.") }
        guard arguments.count == wanted else {
            let number = wanted == 1 ? "one argument" : "two arguments"
            throw fail("The function `\(name)` takes \(number), not \(arguments.count).", at: start)
        }
        let (first, place) = arguments[0]
        switch name {
        case "length": return .value(.length(try operand(first, at: place)))
        case "count": return .value(.count(try nodes(first, at: place)))
        case "value": return .value(.value(try nodes(first, at: place)))
        default:
            let (second, secondPlace) = arguments[1]
            let text = try operand(first, at: place)
            var pattern = PathPattern(
                isWhole: name == "match", text: text, pattern: try operand(second, at: secondPlace))
            if case .literal(.string(let source)) = second { pattern.compiled = compile(source, at: secondPlace) }
            return .truth(pattern)
        }
    }

    private mutating func compile(_ source: [UInt8], at start: Int) -> IRegexp? {
        do throws(IRegexp.ParseError) {
            return try IRegexp(parsing: String(decoding: source, as: UTF8.self))
        } catch {
            invalidPatterns.append(fail(error.message, at: start))
            return nil
        }
    }
}
