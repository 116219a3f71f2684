public import Sluice
internal import SluiceDecode
internal import SluicePages
internal import SluicePipeline
internal import SluiceSystem

/// A stream of a pipeline, for pages that a program has fetched itself.
///
/// ```swift
/// let report = try await pipeline.stream("books").sync(page, in: store)
/// ```
public struct PipelineStream: Sendable {
    private let pipeline: Pipeline
    /// The stream's name.
    public let name: String

    fileprivate init(_ pipeline: Pipeline, _ name: String) { (self.pipeline, self.name) = (pipeline, name) }

    /// Merges pages as a run of the pipeline does that fetched them: by the file's mapping, filters and policies, with the same
    /// base, conflicts, quarantine and history.
    ///
    /// - Parameters:
    ///   - pages: The pages, as the source writes them: JSON, or what `format` of the stream says.
    ///   - areAll: Whether they are all that the source has, so that `delete_missing` applies and a cursor passes them.
    ///   - store: The store.
    /// - Returns: What it came to; what went wrong stands in it.
    /// - Throws: `SluiceError` where the store has no file or may only be read, and where the pages cannot be held;
    ///   `CancellationError` where the task is cancelled.
    @discardableResult
    public func sync(pages: [[UInt8]], areAll: Bool = false, in store: Store) async throws -> PipelineReport {
        let fetched = try Self.fetched(pages, areAll: areAll)
        return try await store.run(pipeline, options: PipelineOptions(stream: name), over: fetched)
    }

    /// Merges a page; see ``sync(pages:areAll:in:)``.
    ///
    /// - Throws: `SluiceError`, `CancellationError`.
    @discardableResult
    public func sync(_ page: String, areAll: Bool = false, in store: Store) async throws -> PipelineReport {
        try await sync(pages: [Array(page.utf8)], areAll: areAll, in: store)
    }

    /// Says what a sync of pages would do, and does nothing of it.
    ///
    /// - Throws: `SluiceError`, `CancellationError`.
    public func plan(pages: [[UInt8]], areAll: Bool = false, in store: Store) async throws -> PipelineReport {
        let fetched = try Self.fetched(pages, areAll: areAll)
        return try await store.plan(pipeline, options: PipelineOptions(stream: name), over: fetched)
    }

    private static func fetched(_ pages: [[UInt8]], areAll: Bool) throws -> FetchedPages {
        var coverage = Coverage.whole
        if !areAll { coverage.markIncomplete("the program did not say that these are all pages", leavesPages: true) }
        do {
            let file = try ByteFile(temporaryIn: nil)
            var end = 0
            let all = try pages.enumerated().map { number, bytes in
                try file.write(bytes.span, at: end)
                defer { end += bytes.count }
                return Page(
                    content: .part(of: file, offset: end, count: bytes.count), name: "page \(number + 1)", fileStem: "")
            }
            return FetchedPages(pages: all, bytes: end, coverage: coverage)
        } catch let error as SystemError {
            throw SluiceError(.ioFailed, "The pages cannot be held: \(error).")
        }
    }
}

extension Pipeline {
    /// A stream, for pages that the program fetches itself.
    ///
    /// - Parameter name: The stream's name.
    /// - Returns: The stream.
    /// - Throws: `SluiceError`, with `notFound` where there is none of the name, and with `refused` where its requests say what
    ///   its pages are about.
    public func stream(_ name: String) throws -> PipelineStream {
        guard let stream = definition.streams.first(where: { $0.name == name }) else {
            throw SluiceError(
                .notFound,
                "The pipeline `\(self.name)` has no stream `\(name)`. Its streams are \(streams.map { "`\($0)`" }.joined(separator: ", "))."
            )
        }
        if stream.parent != nil || !stream.items.isEmpty {
            throw SluiceError(
                .refused,
                "The stream `\(name)` asks once for each record or item of another list, which its pages do not say. Run the pipeline instead."
            )
        }
        return PipelineStream(self, name)
    }
}
