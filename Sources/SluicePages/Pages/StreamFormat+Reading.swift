internal import SluiceDecode
package import SluiceJSON
package import SluicePipeline

extension StreamDefinition.Format {
    /// How a list of nothing is written; nil where it has no bytes.
    package var nothing: String? {
        switch self {
        case .json: "`[]`"
        case .jsonl: nil
        case .csv, .tsv: "the header row alone"
        }
    }

    /// What it is called.
    package var kind: String { self == .jsonl ? "JSON Lines" : rawValue.uppercased() }

    /// A reader of the records of a page.
    ///
    /// - Parameters:
    ///   - source: The bytes of the page.
    ///   - page: The page's name for messages.
    ///   - records: The path to the records, where a document has one.
    ///   - members: Whether the records are the members of the object at the path.
    ///   - maximumRecordBytes: The limit of one record.
    ///   - delimiter: What stands between the cells of rows; nil for what the format says.
    ///   - isTyped: Whether the cells of rows become numbers and truth values, to tell types by.
    /// - Returns: The reader.
    /// - Throws: `JSONError`.
    package func makeReader(
        of source: PageBytes, page: String, records: JSONPath?, members: Bool, maximumRecordBytes: Int,
        delimiter: StreamDefinition.Delimiter? = nil, isTyped: Bool = false
    ) throws -> JSONRecordReader {
        if !hasRows {
            return try unsafe JSONRecordReader(
                records: records, members: members, format: self == .json ? .json : .jsonl,
                maximumRecordBytes: maximumRecordBytes
            ) { buffer in try unsafe source.read(into: buffer) }
        }
        let lines = unsafe RowLines(
            self, delimiter: delimiter, page: page, maximumRowBytes: maximumRecordBytes, isTyped: isTyped
        ) { buffer in try unsafe source.read(into: buffer) }
        // What JSON adds, keys and escapes, does not count for the limit, which the rows keep.
        let most = maximumRecordBytes > Int.max / 16 ? Int.max : max(maximumRecordBytes * 8, 1 << 20)
        return try unsafe JSONRecordReader(records: nil, format: .jsonl, maximumRecordBytes: most) { buffer in
            try unsafe lines.read(into: buffer)
        }
    }
}
