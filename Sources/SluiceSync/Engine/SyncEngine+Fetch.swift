internal import SluiceHTTP
internal import SluicePipeline

extension SyncEngine {
    /// The pages of all streams.
    ///
    /// - Parameter access: The way to the source.
    /// - Returns: The pages, stream by stream.
    /// - Throws: What fetching throws.
    func fetch(_ access: SourceAccess) throws -> [FetchedPages] {
        if let fetched { return [fetched] }
        let values = TemplateValues(startedAt: access.startedAt)
        switch pipeline.source.base {
        case .file(let base):
            return try streams.map { try FilePages.find(base: base, stream: $0.filled(values, isURL: false)) }
        case .http(let base):
            let login = access.makeLogin(base: base, values: values)
            let client = HTTPClient(configuration: access.configuration, environment: options.httpEnvironment)
            defer { client.shutDown() }
            return try streams.map { stream in
                try HTTPPages(
                    client: client, login: login, source: pipeline.source, stream: stream.filled(values, isURL: true),
                    showsValues: pipeline.entity(named: stream.entity)?.hasRedactions != true,
                    cancellation: options.cancellation, onProgress: observer.progress
                ).fetch(base: base)
            }
        }
    }
}
