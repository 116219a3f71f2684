internal import SluiceHTTP
package import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceStore
internal import SluiceStores
package import SluiceSync
internal import SluiceSystem

/// Where the records of an import come from: the same words for the same records, and others for any others.
///
///     https://a.example/v1/items      POST https://a.example/search (body 9c0f…)      /data/all.json at $.users[*]
package struct ImportOrigin: Sendable, Equatable {
    /// The words, without credentials.
    package let text: String

    /// Describes the records of an import.
    ///
    /// - Parameters:
    ///   - place: The file or URL.
    ///   - request: What is asked for, nil for a file.
    ///   - records: The path to the records; nil where they are all that there is.
    package init(_ place: ImportSource.Place, request: ProbeSource?, records: JSONPath?) {
        var text: String
        switch place {
        case .url(let url):
            text = String(((try? HTTPURL(url))?.redacted() ?? url).prefix { $0 != "#" })
            if let request, request.method != .get { text = "\(request.method.rawValue) \(text)" }
            if let digest = request?.body?.digest { text += " (body \(digest))" }
        case .file(let path): text = FileSystem.absolute(path)
        case .stream: text = "standard input"
        }
        if let records, records.steps != [.wildcard] { text += " at \(records.text)" }
        self.text = text
    }

    /// Who else filled the table of an import; nil where nobody did, or where this source did before.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - options: The store, which stays as it is.
    /// - Returns: The end of a sentence that begins with the table.
    /// - Throws: `StoreError`.
    package func rival(for table: String, options: SyncOptions) throws -> String? {
        let busy = options.store.busyMilliseconds
        guard let store = try options.store.backend.openToRead(busyMilliseconds: busy) else { return nil }
        let sources = try store.sources(of: table)
        let isEmpty = try sources.allSatisfy { source in
            try store.knownTable(pipeline: source.pipeline, stream: source.stream, entity: source.entity)?.wasEmpty
                ?? true
        }
        if isEmpty { return nil }
        let origins = try store.state.origins(
            pipeline: ImportPipeline.name(of: table), stream: ImportPipeline.streamName(table))
        if origins.contains(text) { return nil }
        if let first = origins.first { return "holds what was imported from \(first)" }
        return "is filled by the pipeline `\(sources[0].pipeline)`"
    }
}

extension StreamDefinition.Body {
    /// A short text by which other bodies are told, and that tells nothing of what the body says.
    fileprivate var digest: String {
        let words = places.map(\.name) + texts.map(\.revealed)
        return String(FieldDigest.text(Array(words.joined(separator: "\u{0}").utf8)), radix: 16)
    }
}
