import SluiceHTTP
import SluiceJSON
import SluicePipeline
import SluiceSystem
import TestSupport

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluicePages
@testable import SluiceReport

/// Reads a stream of counted pages from a loopback server.
struct PageReading {
    var stream = StreamDefinition(name: "items", entity: "Item", path: ConfigurationText("/items"))
    var source = SourceDefinition(base: .http(ConfigurationText("")))
    var login = SourceLogin(.none)
    var environment: HTTPEnvironment?
    var cancellation = Cancellation()
    /// How many requests may be under way.
    var width = 1
    var onProgress: (RunProgress) -> Void = { _ in }

    /// Pages that are numbered from 1.
    static func numbered(total: String? = "total") throws -> PageReading {
        var rule = StreamDefinition.PageNumber()
        rule.totalPath = try total.map { try JSONPath(parsing: $0) }
        var reading = PageReading()
        reading.stream.paginator = .pageNumber(rule)
        reading.stream.records = try JSONPath(parsing: "data[*]")
        return reading
    }

    /// Pages that begin after a number of records.
    static func offset(total: String? = "total") throws -> PageReading {
        var rule = StreamDefinition.Offset()
        rule.totalPath = try total.map { try JSONPath(parsing: $0) }
        var reading = PageReading()
        reading.stream.paginator = .offset(rule)
        reading.stream.records = try JSONPath(parsing: "data[*]")
        return reading
    }

    /// What comes of it, for comparison; requests are counted apart.
    struct Outcome: Equatable {
        var pages: [String] = []
        var isComplete = false
        var isTruncated = false
        var notModified = 0
        var retries = 0
        var incompleteReason: String?
        var warning: String?
        var error: String?
    }

    /// Fetches everything.
    func fetch(_ server: LoopbackServer, kept: [PageValidators.Page] = []) throws -> FetchedPages {
        var source = source
        source.rateLimit.concurrency = width
        source.retry.base = .milliseconds(1)
        var configuration = HTTPConfiguration(source, version: "test")
        configuration.proxy = .none
        var environment = environment ?? .live
        if self.environment == nil { environment.rates = HTTPRates() }
        let client = HTTPClient(configuration: configuration, environment: environment)
        defer { client.shutDown() }
        let settings = PageRequestSettings(
            client: client, login: login, stream: stream, base: ConfigurationText(server.url),
            rules: source.responseRules, spools: SpoolPool())
        return try HTTPPages(settings, source: source, cancellation: cancellation, onProgress: onProgress).fetch(
            kept: kept)
    }

    /// Fetches everything, and says what came of it.
    func outcome(_ server: LoopbackServer, kept: [PageValidators.Page] = []) throws -> (Outcome, requests: Int) {
        var outcome = Outcome()
        do {
            let fetched = try fetch(server, kept: kept)
            outcome.pages = try fetched.pages.map { page in
                let bytes = try PageBytes(page).all(maximum: 1 << 20, page.name)
                return "\(page.name.dropFirst(server.url.count)) \(String(decoding: bytes, as: UTF8.self))"
            }
            (outcome.isComplete, outcome.isTruncated) = (fetched.coverage.isComplete, fetched.coverage.leavesPages)
            (outcome.notModified, outcome.retries) = (fetched.notModified, fetched.retries)
            outcome.incompleteReason = fetched.coverage.reason?.replacing(String(server.port), with: "")
            outcome.warning = fetched.warning?.message
            return (outcome, fetched.requests)
        } catch let error as HTTPError {
            outcome.error = error.message.replacing(String(server.port), with: "")
        } catch let error as SyncError {
            outcome.error = error.message.replacing(String(server.port), with: "")
        }
        return (outcome, server.requests.count)
    }
}

extension ServerRequest {
    /// The number that a parameter of the query has.
    func number(_ name: String) -> Int? {
        (query ?? "").split(separator: "&").first { $0.hasPrefix("\(name)=") }
            .flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
    }
}

extension ServerResponse {
    /// A page of some records, and what it says of all of them.
    static func page(_ ids: Range<Int>, total: Int?, headers: [(name: String, value: String)] = []) -> ServerResponse {
        let records = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
        return .text("{\"total\":\(total.map(String.init) ?? "null"),\"data\":[\(records)]}", headers: headers)
    }
}
