extension JSONPath {
    /// Reads a path.
    ///
    /// - Parameter text: The path; a leading `$.` may be left out.
    /// - Throws: ``JSONPathError`` with the offset of the first character that does not fit.
    package init(parsing text: String) throws(JSONPathError) {
        var parser = PathParser(text: text)
        let segments = try parser.parsePath()
        self.init(segments: segments, text: text, invalidPatterns: parser.invalidPatterns)
    }
}

/// Reads a path by the grammar of RFC 9535.
struct PathParser {
    // A path is followed by functions that call each other: its parts are bounded, and with them the stack.
    static let maximumParts = 512
    static let maximumNesting = 32

    let bytes: [UInt8]
    var position = 0
    var invalidPatterns: [JSONPathError] = []
    private var parts = 0
    private var nesting = 0

    init(text: String) { bytes = Array(text.utf8) }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func fail(_ message: String, at offset: Int? = nil) -> JSONPathError {
        JSONPathError(message: message, offset: offset ?? position)
    }

    /// Goes on behind a character if it is the present one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    mutating func countPart() throws(JSONPathError) {
        parts += 1
        if parts > Self.maximumParts {
            throw fail("The path is too long: it has more than \(Self.maximumParts) parts.")
        }
    }

    /// Reads something that may hold more of its kind.
    mutating func nested<Result>(
        _ read: (inout PathParser) throws(JSONPathError) -> Result
    ) throws(JSONPathError) -> Result {
        nesting += 1
        if nesting > Self.maximumNesting {
            throw fail("Filters, brackets and functions are nested too deeply; the limit is \(Self.maximumNesting).")
        }
        let result = try read(&self)
        nesting -= 1
        return result
    }

    mutating func parsePath() throws(JSONPathError) -> [PathSegment] {
        if bytes.isEmpty { throw fail("The path is empty; `$` stands for the whole value.") }
        var segments: [PathSegment] = []
        let isShort = !skip("$")
        if isShort && current != UInt8(ascii: "[") {
            try countPart()
            segments.append(PathSegment(selectors: [try shorthand(isLenient: true)]))
        }
        try appendSegments(to: &segments, isLenient: isShort)
        if position < bytes.count {
            throw fail("Expected `.` or `[` here; a name with such a character is written `['name']`.")
        }
        return segments
    }

    /// Reads segments up to something else; white space behind the last one is not consumed.
    mutating func appendSegments(to segments: inout [PathSegment], isLenient: Bool) throws(JSONPathError) {
        while true {
            let behindLast = position
            skipSpace()
            if skip(".") {
                try countPart()
                if skip(".") {
                    let selectors = skip("[") ? try bracketed() : [try shorthand(isLenient: isLenient)]
                    segments.append(PathSegment(isDescendant: true, selectors: selectors))
                } else {
                    segments.append(PathSegment(selectors: [try shorthand(isLenient: isLenient)]))
                }
            } else if skip("[") {
                try countPart()
                segments.append(PathSegment(selectors: try bracketed()))
            } else {
                position = behindLast
                return
            }
        }
    }

    private mutating func shorthand(isLenient: Bool) throws(JSONPathError) -> PathSelector {
        if skip("*") { return .wildcard }
        let start = position
        while let byte = current {
            let isLetter = byte >= 0x80 || byte == UInt8(ascii: "_") || Self.isLetter(byte)
            let isOther = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@")
            guard isLetter || isLenient && isOther || (position > start || isLenient) && Self.isDigit(byte) else {
                break
            }
            position += 1
        }
        if let byte = current {
            let endsName: Set<UInt8> = [
                0x2E, 0x5B, 0x5D, 0x29, 0x2C, 0x3D, 0x21, 0x3C, 0x3E, 0x26, 0x7C, 0x20, 9, 10, 13,
            ]
            if !endsName.contains(byte) { throw fail("This character needs the form `['name']`.") }
        }
        if position == start { throw fail("Expected the name of a member or `*` here.") }
        return .name(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func bracketed() throws(JSONPathError) -> [PathSelector] {
        var selectors: [PathSelector] = []
        while true {
            skipSpace()
            try countPart()
            selectors.append(try selector())
            skipSpace()
            if skip("]") { return selectors }
            guard skip(",") else { throw fail("Expected `,` or `]` here.") }
        }
    }

    private mutating func selector() throws(JSONPathError) -> PathSelector {
        switch current {
        case UInt8(ascii: "*"):
            position += 1
            return .wildcard
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(String(decoding: try quoted(), as: UTF8.self))
        case UInt8(ascii: "?"):
            position += 1
            return .filter(try nested { parser throws(JSONPathError) in try parser.condition() })
        default: return try indexOrSlice()
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> PathSelector {
        var slice = PathSlice()
        if current != UInt8(ascii: ":") { slice.start = try index() }
        let behindStart = position
        skipSpace()
        guard skip(":") else {
            position = behindStart
            return .index(slice.start ?? 0)
        }
        slice.end = try optionalIndex()
        skipSpace()
        if skip(":") { slice.step = try optionalIndex() ?? 1 }
        return .slice(slice)
    }

    private mutating func optionalIndex() throws(JSONPathError) -> Int? {
        let start = position
        skipSpace()
        if let byte = current, Self.isDigit(byte) || byte == UInt8(ascii: "-") { return try index() }
        position = start
        return nil
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let start = position
        _ = skip("-")
        let digits = position
        while let byte = current, Self.isDigit(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let hasLeadingZero = bytes[digits..<position].first == UInt8(ascii: "0") && text != "0"
        // The range is the one of I-JSON, see RFC 9535 section 2.1.
        guard position > digits, !hasLeadingZero, let value = Int(text), value.magnitude < 1 << 53 else {
            throw fail("Expected a quoted name, an index, a slice, `*` or `?` with a condition here.", at: start)
        }
        return value
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }
}
