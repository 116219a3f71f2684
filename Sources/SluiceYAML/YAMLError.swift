/// Why a YAML text could not be read, or not be accepted.
package struct YAMLError: Error, Sendable, Hashable {
    /// What kind of problem it is.
    package struct Code: RawRepresentable, Sendable, Hashable {
        /// The word for it.
        package let rawValue: String

        /// Makes a code of a word.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The text is not UTF-8, or has a character that YAML does not allow.
        package static let encoding = Code(rawValue: "encoding")
        /// The text breaks the rules of YAML.
        package static let syntax = Code(rawValue: "syntax")
        /// A mapping has the same key twice.
        package static let duplicateKey = Code(rawValue: "duplicate_key")
        /// An alias has no anchor before it, or stands within the value of its own anchor.
        package static let invalidAlias = Code(rawValue: "invalid_alias")
        /// What a merge key (`<<`) names is no mapping.
        package static let invalidMerge = Code(rawValue: "invalid_merge")
        /// The text is YAML, but uses a part of it that is not accepted here.
        package static let unsupported = Code(rawValue: "unsupported")
        /// The text is too large, nested too deeply, or its aliases stand for too much.
        package static let limit = Code(rawValue: "limit")
    }

    /// What kind of problem it is.
    package var code: Code
    /// What is wrong, as a sentence.
    package var message: String
    /// Where it is; of a syntax error, where reading gave up, or what was left open at the end of the text.
    package var mark: Mark
    /// Where the thing that it concerns began: the open mapping, the first of two keys.
    package var contextMark: Mark?

    /// Makes an error.
    package init(code: Code, message: String, mark: Mark, contextMark: Mark? = nil) {
        self.code = code
        self.message = message
        self.mark = mark
        self.contextMark = contextMark
    }
}
