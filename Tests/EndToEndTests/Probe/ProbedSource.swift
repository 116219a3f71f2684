import TestSupport
import Testing

/// A source of some shape, and what a probe should find in it.
struct ProbedSource: Sendable, CustomTestStringConvertible {
    let name: String
    /// What is asked for, without the host.
    var target = "/things"
    /// How many records there are, all pages together.
    let records: Int
    /// The findings: what is said and how sure it is.
    let place: String
    let paginator: String
    let certainty: String
    /// What the written pipeline has as `paginator`; nil for none.
    let yaml: String?
    /// A piece of the evidence.
    var reason = ""
    /// The most requests of the probe.
    var requests = 11
    let respond: @Sendable (SourceQuestion) -> ServerResponse
    var testDescription: String { name }
}

/// What a source is asked.
struct SourceQuestion: Sendable {
    let query: [String: String]
    let host: String
    let path: String

    init(_ request: ServerRequest) {
        let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        host = request.header("Host") ?? ""
        path = request.path
    }

    func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }
}

/// Records from 1 on, as JSON.
enum Things {
    static func list(_ range: Range<Int>, of total: Int) -> String {
        "[" + range.clamped(to: 1..<total + 1).map(one).joined(separator: ",") + "]"
    }

    /// The page of a number, from 1 on.
    static func page(_ number: Int, size: Int = 10, of total: Int) -> String {
        list((number - 1) * size + 1..<number * size + 1, of: total)
    }

    static func one(_ id: Int) -> String {
        let day = 10 + id % 18
        return
            #"{"id":\#(id),"name":"Thing \#(id)","price":\#(id).25,"updated_at":"2024-03-\#(day)T08:00:00Z","tags":["a"]}"#
    }
}
