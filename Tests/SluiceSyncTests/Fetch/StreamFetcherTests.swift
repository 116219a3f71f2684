import SluiceHTTP
import SluiceJSON
import SluicePipeline
import SluiceReport
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluicePages

/// The requests of a series, by where it begins.
@Suite struct StreamFetcherTests {
    private struct Example: Sendable {
        let name: String
        let start: PageStart
        var paginator = StreamDefinition.Paginator.none
        let requests: [String]
    }

    private static func offset() -> StreamDefinition.Paginator { .offset(StreamDefinition.Offset()) }

    @Test func aSeriesBeginsWhereItIsTold() throws {
        let examples = [
            Example(name: "first", start: .first, requests: ["/items"]),
            Example(name: "first, counted", start: .first, paginator: Self.offset(), requests: ["/items?offset=0"]),
            Example(
                name: "resumed",
                start: .resumed(PageToken(pages: 2, records: 4, lead: .value(PageValue(4))), requests: []),
                paginator: Self.offset(), requests: ["/items?offset=4"]),
            Example(
                name: "a list", start: .list(PageToken(records: 3, lead: .value(PageValue(3)))),
                paginator: Self.offset(), requests: ["/items?offset=3"]),
            Example(name: "a list from its first page", start: .list(nil), requests: ["/items"]),
            // The link of a list is relative to the list's own URL.
            Example(
                name: "a list by its link", start: .list(PageToken(lead: .link("?page=2"))),
                paginator: .jsonLink(path: JSONPath(names: ["next"])), requests: ["/items?page=2"]),
        ]
        for example in examples {
            let server = try LoopbackServer { _ in .text("[]") }
            defer { server.stop() }
            _ = try fetch(server, example.paginator, example.start)
            let asked = server.requests.map(\.target)
            #expect(asked == example.requests, "\(example.name)")
        }
    }

    /// A message names the key that says how the pages of a list follow each other.
    @Test func aCircleNamesTheKeyOfItsPaginator() throws {
        for (start, key) in [(PageStart.first, "`paginator` does"), (.list(nil), "`paginator` of `more` does")] {
            let server = try LoopbackServer { _ in .text(#"{"data": [{"id": 1}], "next": "/items"}"#) }
            defer { server.stop() }
            let paginator = StreamDefinition.Paginator.jsonLink(path: JSONPath(names: ["next"]))
            let error = #expect(throws: SyncError.self) { _ = try fetch(server, paginator, start) }
            #expect(error?.code == .paginationLoop)
            #expect(error?.message.contains(key) == true)
        }
    }

    private func fetch(
        _ server: LoopbackServer, _ paginator: StreamDefinition.Paginator, _ start: PageStart
    ) throws -> FetchedPages {
        let base = ConfigurationText(server.url)
        let source = SourceDefinition(base: .http(base))
        var stream = StreamDefinition(name: "items", entity: "Item", path: ConfigurationText("/items"))
        stream.paginator = paginator
        var configuration = HTTPConfiguration(source, version: "test")
        configuration.proxy = .none
        var environment = HTTPEnvironment.live
        environment.rates = HTTPRates()
        let client = HTTPClient(configuration: configuration, environment: environment)
        defer { client.shutDown() }
        var series = Series(stream, TemplateValues(startedAt: "2026-01-01T00:00:00Z"), showsValues: true)
        series.start = start
        return try StreamFetcher(source, .http(base: base, client, SourceLogin(.none)))
            .fetch(series, cancellation: Cancellation(), onProgress: { _ in })
    }
}
