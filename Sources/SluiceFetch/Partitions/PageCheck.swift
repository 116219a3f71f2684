package import SluiceDecode
internal import SluiceGzip
internal import SluiceJSON
internal import SluicePages
package import SluicePipeline
internal import SluiceReport
package import SluiceSystem

/// Looks whether pages can be read to their ends before they are merged, so that one that cannot be spoils no others.
package struct PageCheck: Sendable {
    package let stream: StreamDefinition
    package let maximumRecordBytes: Int
    /// Whether messages may quote pages.
    package let showsValues: Bool

    /// Makes a value of its parts.
    package init(stream: StreamDefinition, maximumRecordBytes: Int, showsValues: Bool) {
        self.stream = stream
        self.maximumRecordBytes = maximumRecordBytes
        self.showsValues = showsValues
    }

    /// Reads all records of some pages.
    ///
    /// - Throws: ``SyncError`` where one of them is not what the stream expects.
    package func check(_ pages: [Page], _ cancellation: Cancellation) throws {
        let parser = JSONParser()
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: maximumRecordBytes, showsValues: showsValues)
        for page in pages {
            do {
                let reader = try reading.makeReader(of: PageBytes(page), page)
                while let record = try reader.next() {
                    try cancellation.check()
                    // A line may be broken alone.
                    guard stream.format == .json else { continue }
                    do throws(JSONError) {
                        try parser.check(record)
                    } catch {
                        if !error.isOfValueAlone { throw error }
                    }
                }
                if reader.pathWasFound { continue }
                throw SyncError.noRecords(in: page, page.name, at: stream.records, showsValues: showsValues)
            } catch var error as JSONError {
                if !showsValues { error.found = nil }
                throw SyncError(.invalidDocument, "\(page.name) cannot be read: \(error.advice)")
            } catch let error as GzipError {
                throw SyncError(.invalidDocument, "\(page.name) cannot be read: \(error.message).")
            }
        }
    }
}
