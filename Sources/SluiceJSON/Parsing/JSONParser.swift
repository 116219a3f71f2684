internal import CSluiceSimdjson

/// Parses JSON texts, one after the other, into memory that is used again.
///
/// The whole text is validated by RFC 8259: what ``parse(_:)-(UnsafeRawBufferPointer)`` accepts can be read without
/// further errors. Strings without escapes stay where they are in the text. A byte order mark at the start is skipped.
///
/// ```swift
/// let parser = JSONParser()
/// let root = try unsafe parser.parse(Array(#"{"id": 7}"#.utf8))
/// root.member(named: "id")?.integer  // 7
/// ```
///
/// A parser belongs to one thread at a time; make one for each.
@safe
public final class JSONParser {
    /// How deeply objects and arrays may be nested where nothing else is said.
    public static let defaultMaximumDepth = 1024
    /// The longest text that can be parsed at once, in bytes.
    public static let maximumByteCount = Int(SLUICE_PARSE_LIMIT)

    // Nil only for want of memory; parsing says so.
    let handle: OpaquePointer?

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - maximumDepth: How deeply objects and arrays may be nested; code that descends needs stack for it.
    ///   - maximumMembers: How many members one object may have.
    public init(maximumDepth: Int = defaultMaximumDepth, maximumMembers: Int = .max) {
        unsafe handle = sluice_json_parser_new(max(0, maximumDepth), max(0, maximumMembers))
    }

    deinit { unsafe sluice_json_parser_free(handle) }

    /// Parses one value that stays in the caller's memory.
    ///
    /// Nothing beyond the bytes is read; they need no padding.
    ///
    /// - Parameter bytes: The text, unchanged for as long as the elements are used.
    /// - Returns: The value, valid until the next call or the end of the parser, and as long as the bytes.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    @unsafe
    public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONElement {
        var result = unsafe sluice_json_result()
        let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        let code = unsafe handle.map { unsafe sluice_json_parse($0, start, bytes.count, &result) }
        return try unsafe root(code, result)
    }

    /// Parses one value of a copy that the parser keeps.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: The value, valid until the next call or the end of the parser.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    @unsafe
    public func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONElement {
        var result = unsafe sluice_json_result()
        let code = unsafe handle.map { unsafe sluice_json_parse_copy($0, bytes, bytes.count, &result) }
        return try unsafe root(code, result)
    }

    private func root(_ code: sluice_json_code?, _ result: sluice_json_result) throws(JSONError) -> JSONElement {
        guard code == SLUICE_JSON_OK, let tape = unsafe result.tape, let texts = unsafe result.texts else {
            throw unsafe JSONError(code ?? SLUICE_JSON_OUT_OF_MEMORY, at: Int(result.error_offset))
        }
        return unsafe JSONElement(word: tape, texts: texts)
    }
}

@available(*, unavailable)
extension JSONParser: Sendable {}
