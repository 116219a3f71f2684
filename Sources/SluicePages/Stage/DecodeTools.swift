internal import SluiceDecode
internal import Synchronization

/// What finds and decodes the records of a stream's pages, kept from one page to the next: programs take long to
/// compile.
package final class DecodeTools: Sendable {
    private struct Tools {
        let decoder: RecordDecoder
        let reading: RecordsReading
    }

    private let tools = Mutex<Tools?>(nil)

    /// Makes tools, which the first user fits out.
    package init() {}

    /// Lends the tools; whoever comes meanwhile waits.
    ///
    /// - Parameters:
    ///   - stage: Says what they are to be like, where they have to be made.
    ///   - body: Gets the tools; what it counts is not counted on.
    /// - Throws: ``SyncError`` where a program cannot be used, and what `body` throws.
    func lend(to stage: DecodeStage, _ body: (RecordDecoder, RecordsReading) throws -> Void) throws {
        try tools.withLock { kept in
            let tools = try kept ?? Tools(decoder: stage.makeDecoder(), reading: stage.makeReading())
            kept = tools
            try body(tools.decoder, tools.reading)
        }
    }
}
