/// A text that is not JSON, or not the JSON that was expected.
public struct JSONError: Error, Sendable, Hashable {
    /// What kind of fault it is; open for growth.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no value at all.
        public static let empty = Code(rawValue: "empty")
        /// The text begins with `<`: most likely an HTML page.
        public static let html = Code(rawValue: "html")
        /// The text ends within a value.
        public static let truncated = Code(rawValue: "truncated")
        /// There is more text behind the value.
        public static let trailingContent = Code(rawValue: "trailing_content")
        /// Objects and arrays are nested too deeply.
        public static let tooDeep = Code(rawValue: "too_deep")
        /// The text is longer than can be parsed at once.
        public static let tooLarge = Code(rawValue: "too_large")
        /// One record is longer than the limit.
        public static let recordTooLarge = Code(rawValue: "record_too_large")
        /// Some bytes are not UTF-8.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// A string has no closing quote.
        public static let unclosedString = Code(rawValue: "unclosed_string")
        /// A string holds a control character that must be escaped.
        public static let controlCharacter = Code(rawValue: "control_character")
        /// A backslash is followed by something that is no escape.
        public static let invalidEscape = Code(rawValue: "invalid_escape")
        /// One half of a surrogate pair is missing.
        public static let loneSurrogate = Code(rawValue: "lone_surrogate")
        /// A word is neither `true` nor `false` nor `null`.
        public static let invalidLiteral = Code(rawValue: "invalid_literal")
        /// A number is not written as JSON demands.
        public static let invalidNumber = Code(rawValue: "invalid_number")
        /// A character stands where another one is needed.
        public static let unexpectedCharacter = Code(rawValue: "unexpected_character")
        /// The value at the path to the records is not of the right type.
        public static let wrongType = Code(rawValue: "wrong_type")
        /// One object has more members than allowed.
        public static let tooManyMembers = Code(rawValue: "too_many_members")
        /// A document that is needed as a whole is longer than the limit.
        public static let documentTooLarge = Code(rawValue: "document_too_large")
        /// A path takes too many steps to follow.
        public static let pathTooCostly = Code(rawValue: "path_too_costly")
        /// A path cannot be followed while the document streams past.
        public static let pathNotStreamable = Code(rawValue: "path_not_streamable")
        /// There is no memory left.
        public static let outOfMemory = Code(rawValue: "out_of_memory")
        /// A fault of this library.
        public static let `internal` = Code(rawValue: "internal")
    }

    /// What kind of fault it is.
    public var code: Code
    /// What is wrong, as a sentence.
    public var message: String
    /// The offset of the fault in bytes from the start of the text, or of the document that is streamed.
    public var byteOffset: Int
    /// The line of the fault, from 1; only where it was asked for, since it costs a pass over the text.
    public var line: Int?
    /// The column of the fault in bytes, from 1.
    public var column: Int?
    /// The JSON pointer of the value that is wrong, where there is one.
    public var pointer: String?
    /// What stands at the fault, cut where it is long; nil where that is not known or nothing stands there.
    public var found: String?

    /// Makes an error.
    public init(
        code: Code, message: String, byteOffset: Int, line: Int? = nil, column: Int? = nil, pointer: String? = nil
    ) {
        self.code = code
        self.message = message
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.pointer = pointer
    }
}

extension JSONError: CustomStringConvertible {
    /// The place and the message, as `line 3, column 7: …` or `byte 52: …`, and what was found instead.
    public var description: String {
        let place = if let line, let column { "line \(line), column \(column)" } else { "byte \(byteOffset)" }
        guard let found, Self.codesWithFinding.contains(code) else { return "\(place): \(message)" }
        return "\(place): \(message.dropLast()), found `\(found)`."
    }

    /// Of these the text at the fault says more than the message.
    private static let codesWithFinding: Set<Code> = [.unexpectedCharacter, .invalidLiteral, .invalidNumber]
}
