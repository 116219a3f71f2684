/// Splits Swift source into tokens. Comments and white space are left out.
///
/// No text makes it trap: what does not end goes to the end of the source.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var lastKind = SwiftToken.Kind.newline
    private var lastByte = UInt8(ascii: "\n")

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The tokens of a source; the last one is its end.
    static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
        var lexer = SwiftLexer(bytes)
        var all: [SwiftToken] = []
        while true {
            let token = lexer.next()
            all.append(token)
            if token.kind == .end { return all }
        }
    }

    /// What operators are made of.
    static let operators = Set("/=-+!*%<>&|^~?.".utf8)

    private func at(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private func isComment(_ offset: Int) -> Bool {
        at(offset) == UInt8(ascii: "/") && [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(at(offset + 1))
    }

    private mutating func next() -> SwiftToken {
        let begin = position
        let sawNewline = skipBlanks()
        position = min(position, bytes.count)
        if sawNewline && lastKind != .newline {
            lastKind = .newline
            return SwiftToken(kind: .newline, start: begin, end: position)
        }
        guard position < bytes.count else { return SwiftToken(kind: .end, start: position, end: position) }
        let start = position
        lastKind = scan()
        position = min(max(position, start + 1), bytes.count)
        lastByte = bytes[position - 1]
        return SwiftToken(kind: lastKind, start: start, end: position)
    }

    /// Passes over white space and comments, and says whether a line ended.
    private mutating func skipBlanks() -> Bool {
        var sawNewline = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                sawNewline = true
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C: position += 1
            case _ where isComment(position): skipComment(&sawNewline)
            default: return sawNewline
            }
        }
        return sawNewline
    }

    private mutating func skipComment(_ sawNewline: inout Bool) {
        if at(position + 1) == UInt8(ascii: "/") {
            while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
            return
        }
        // Comments nest.
        var depth = 0
        repeat {
            if at(position) == UInt8(ascii: "/") && at(position + 1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if at(position) == UInt8(ascii: "*") && at(position + 1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
            } else {
                if at(position) == UInt8(ascii: "\n") { sawNewline = true }
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isWord(_ byte: UInt8) -> Bool {
        let lowered = byte | 0x20
        return byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || isDigit(byte)
            || lowered >= UInt8(ascii: "a") && lowered <= UInt8(ascii: "z")
    }

    private mutating func scan() -> SwiftToken.Kind {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "\""):
            scanString(hashes: 0)
            return .string
        case UInt8(ascii: "#"): return scanHash()
        case UInt8(ascii: "`"):
            position += 1
            while position < bytes.count && bytes[position] != byte { position += 1 }
            position += 1
            return .word
        case _ where Self.isDigit(byte):
            while Self.isWord(at(position)) || at(position) == UInt8(ascii: ".") && Self.isDigit(at(position + 1)) {
                position += 1
            }
            return .number
        case _ where Self.isWord(byte):
            while Self.isWord(at(position)) { position += 1 }
            return .word
        default: break
        }
        if byte == UInt8(ascii: "/"), mayBeginRegex, let end = regexEnd() {
            position = end
            return .string
        }
        if Self.operators.contains(byte) {
            scanOperator(byte)
            return .operatorSign
        }
        position += 1
        return .punctuation
    }

    private mutating func scanHash() -> SwiftToken.Kind {
        var count = 0
        while at(position + count) == UInt8(ascii: "#") { count += 1 }
        switch at(position + count) {
        case UInt8(ascii: "\""):
            position += count
            scanString(hashes: count)
            return .string
        case UInt8(ascii: "/"):
            position += count + 1
            scanExtendedRegex(hashes: count)
            return .string
        default:
            position += 1
            while Self.isWord(at(position)) { position += 1 }
            return .word
        }
    }

    private mutating func scanOperator(_ byte: UInt8) {
        // One at a time where generic arguments and optional types need it.
        if "<>?!".utf8.contains(byte) {
            position += 1
        } else if byte == UInt8(ascii: ".") {
            position += 1
            while at(position) == UInt8(ascii: ".") || at(position) == UInt8(ascii: "<") { position += 1 }
        } else {
            while Self.operators.contains(at(position)), !isComment(position) { position += 1 }
        }
    }

    // MARK: Regular expressions

    /// A slash behind something that ends an operand divides.
    private var mayBeginRegex: Bool {
        switch lastKind {
        case .word, .number, .string: false
        case .punctuation: !")]}".utf8.contains(lastByte)
        case .operatorSign: !"?!".utf8.contains(lastByte)
        case .newline, .end: true
        }
    }

    private func regexEnd() -> Int? {
        var index = position + 1
        if at(index) == UInt8(ascii: " ") || at(index) == UInt8(ascii: "\t") { return nil }
        var isInClass = false
        while index < bytes.count && bytes[index] != UInt8(ascii: "\n") {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass: return index + 1
            default: break
            }
            index += 1
        }
        return nil
    }

    private mutating func scanExtendedRegex(hashes: Int) {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\") {
                position += 2
            } else if bytes[position] == UInt8(ascii: "/"), closes(hashes, from: position + 1) {
                position += 1 + hashes
                return
            } else {
                position += 1
            }
        }
    }

    // MARK: Strings

    private func closes(_ hashes: Int, from index: Int) -> Bool {
        (0..<hashes).allSatisfy { at(index + $0) == UInt8(ascii: "#") }
    }

    private func isQuote(_ index: Int) -> Bool { at(index) == UInt8(ascii: "\"") }

    private mutating func scanString(hashes: Int) {
        var isLong = isQuote(position + 1) && isQuote(position + 2)
        if isLong && hashes > 0 {
            // `#""""#` is a short text of two quotation marks: what closes it on the same line decides.
            var index = position + 1
            while isLong && index < bytes.count && bytes[index] != UInt8(ascii: "\n") {
                if isQuote(index) && closes(hashes, from: index + 1) { isLong = false }
                index += 1
            }
        }
        position += isLong ? 3 : 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\"), closes(hashes, from: position + 1) {
                position += 1 + hashes
                if at(position) == UInt8(ascii: "(") { skipInterpolation() } else { position += 1 }
            } else if isLong, isQuote(position), isQuote(position + 1), isQuote(position + 2),
                closes(hashes, from: position + 3)
            {
                position += 3 + hashes
                return
            } else if !isLong, isQuote(position), closes(hashes, from: position + 1) {
                position += 1 + hashes
                return
            } else if !isLong, bytes[position] == UInt8(ascii: "\n") {
                return
            } else {
                position += 1
            }
        }
    }

    private mutating func skipInterpolation() {
        var inner = self
        inner.lastKind = .newline
        var depth = 0
        scanning: while inner.position < bytes.count {
            let token = inner.next()
            guard token.kind == .punctuation else {
                if token.kind == .end { break }
                continue
            }
            switch bytes[token.start] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { break scanning }
            default: break
            }
        }
        position = inner.position
    }
}
