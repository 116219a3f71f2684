/// Records of a reader that are parsed for as long as something is done with them.
extension JSONParser {
    /// Parses a record and does something with its value.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - body: Is given the value. Neither that nor what is within it may be kept: it is read from the memory of the reader and of the parser.
    /// - Returns: What the closure returned.
    /// - Throws: ``JSONError`` with the offset of the first fault, and what the closure throws.
    package func withRoot<Result>(of record: RawRecord, _ body: (JSONElement) throws -> Result) throws -> Result {
        let root = try unsafe parse(record.bytes)
        defer { withExtendedLifetime(self) {} }
        return try body(root)
    }

    /// Parses a copy of a text and does something with its value, see ``withRoot(of:_:)-(RawRecord,_)``.
    package func withRoot<Result>(of text: [UInt8], _ body: (JSONElement) throws -> Result) throws -> Result {
        let root = try unsafe parse(text)
        defer { withExtendedLifetime(self) {} }
        return try body(root)
    }

    /// Looks whether a record is valid.
    ///
    /// - Throws: ``JSONError`` with the offset of the first fault.
    package func check(_ record: RawRecord) throws(JSONError) { _ = try unsafe parse(record.bytes) }
}
