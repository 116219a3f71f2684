package import SluiceDecode
package import SluiceJSON
package import SluicePipeline

/// How the records of a stream's pages are found.
package struct RecordsReading {
    private let stream: StreamDefinition
    private let maximumRecordBytes: Int
    private let program: RecordsProgram?

    /// - Parameters:
    ///   - stream: The stream.
    ///   - maximumRecordBytes: The limit of one record.
    ///   - showsValues: Whether messages may quote pages.
    /// - Throws: ``SyncError`` where the program of `records` cannot be used.
    package init(stream: StreamDefinition, maximumRecordBytes: Int, showsValues: Bool) throws {
        self.stream = stream
        self.maximumRecordBytes = maximumRecordBytes
        program = try stream.recordsProgram.map {
            try RecordsProgram($0, stream: stream.name, showsValues: showsValues)
        }
    }

    /// A reader of the records of a page.
    package func makeReader(of source: PageBytes, _ page: Page) throws -> JSONRecordReader {
        if let program {
            let bytes = try source.all(maximum: JSONParser.maximumByteCount, page.name)
            return try program.makeReader(of: bytes, page: page.name, maximumRecordBytes: maximumRecordBytes)
        }
        return try stream.format.makeReader(
            of: source, page: page.name, records: stream.records, members: stream.entries != nil,
            maximumRecordBytes: maximumRecordBytes, delimiter: stream.delimiter)
    }
}
