internal import SluiceDecode
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport

/// Where the files of a `file:` source are read.
package enum FileTraffic: Sendable {
    /// Where they stand.
    case live
    /// Where they stand, and what they hold is kept with a plan.
    case kept(PlanFileWriter)
    /// As a plan kept them.
    case saved(PlanFileReader)

    /// The files of a stream, sorted by name.
    ///
    /// - Throws: `SyncError` where there is none, or the plan did not ask for them, `SystemError` where one cannot be copied.
    func pages(base: String, stream: StreamDefinition) throws -> FetchedPages {
        switch self {
        case .live: return try FilePages.find(base: base, stream: stream)
        case .kept(let writer):
            let fetched = try FilePages.find(base: base, stream: stream)
            for page in fetched.pages {
                try writer.keep(file: page.name, SavedFile.Request(stream), stem: page.fileStem)
            }
            return fetched
        case .saved(let reader):
            var fetched = FetchedPages()
            guard let files = try reader.files(of: SavedFile.Request(stream)) else {
                throw SyncError(
                    .notPlanned,
                    "The plan has no file for `\(stream.name)`: the store has changed so that a run would read something else. Make a new plan."
                )
            }
            fetched.pages = files.map { name, stem, path in
                Page(content: .file(path: path), name: name, fileStem: stem)
            }
            fetched.coverage = .whole
            return fetched
        }
    }
}
