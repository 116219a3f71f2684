import Foundation
import SluicePipeline
import SluiceReport
import Testing

@Suite(
    "Recorded answers of an interface, given again",
    .enabled(if: Dataset.isThere, "the folder shared/data is not beside the project"))
struct GitHubTests {
    private static let folder = "\(Dataset.root)/github-api"

    @Test("The same requests in four years")
    func versions() throws {
        let server = try ReplayServer()
        defer { server.stop() }
        let publication = Publication.gitHub
        let store = try PublishedStore(publication)
        for version in try publication.versions {
            let scenarios = ["labels", "search-issues", "get-repository", "get-organization"]
            try server.play(version, scenarios)
            try store.take(version, base: server.url)
        }
    }

    @Test("Pages whose links lead to another path")
    func pages() throws {
        let server = try ReplayServer()
        defer { server.stop() }
        let publication = Publication.gitHubPages
        let store = try PublishedStore(publication)
        for version in try publication.versions.dropFirst() {
            try server.play(version, ["paginate-issues"])
            let before = server.requests.count
            try store.take(version, base: server.url)
            // A plan, a run and a repeated run, each with the five pages.
            let targets = server.requests.dropFirst(before)
            #expect(targets.count == 15)
            #expect(targets.prefix(5).last == "/repositories/1000/issues?per_page=3&page=5")
        }
    }

    static var cassettes: [String] {
        let root = "\(folder)/octokit-rb-cassettes"
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".json") }.sorted()
    }

    @Test("Each request of a cassette that asks for something", arguments: cassettes)
    func cassette(_ name: String) throws {
        let replay = try Replay(cassette: "\(Self.folder)/octokit-rb-cassettes/\(name)")
        let server = try ReplayServer()
        defer { server.stop() }
        server.play(replay)
        for url in replay.order {
            let expected = RecordedScan(replay, from: url)
            let shop = try Workshop()
            shop.definition = try RecordedScan.pipeline(url, server: server.url)
            let (report, recorder) = try shop.syncPlanned()
            guard let failure = expected.failure else {
                #expect(report.status == .succeeded, "\(url) \(report.problems)")
                #expect(report.streams.first?.isComplete == expected.isWhole, "\(url)")
                #expect(report.streams.first?.requests == expected.requests, "\(url)")
                #expect(report.streams.first?.read == expected.records.count, "\(url)")
                #expect(recorder.quarantine.isEmpty)
                let stored = try shop.pairs("SELECT key, whole FROM records")
                #expect(stored.mapValues(\.canonical) == expected.rows.mapValues(\.canonical), "\(url)")
                continue
            }
            #expect(report.status == .failed, "\(url)")
            let message = report.problems.first?.message ?? ""
            #expect(message.contains(failure), "\(url): \(message)")
            #expect(shop.storeFiles().isEmpty, "\(url)")
        }
    }
}

/// What following a recorded answer's links must lead to, read by the tests' own means.
private struct RecordedScan {
    private(set) var requests = 0
    private(set) var records: [Tree] = []
    private(set) var rows: [String: Tree] = [:]
    /// Whether it is a list, and as long as it says itself: some begin behind the first page.
    private(set) var isWhole = true
    /// Part of the message where it must fail.
    private(set) var failure: String?

    init(_ replay: Replay, from start: String) {
        var url: String? = start
        var bodies: [[UInt8]] = []
        // All pages are there before the first one is read.
        while let current = url {
            requests += 1
            guard let answer = replay.answer(to: current) else {
                failure = "404"
                return
            }
            switch answer.status {
            case 200: bodies.append(answer.body)
            case 204: break
            default:
                failure = answer.status == 302 ? "redirect" : "\(answer.status)"
                return
            }
            url = answer.next
        }
        var total = 0
        for (page, body) in bodies.enumerated() {
            guard let tree = try? Tree(parsing: body) else {
                failure = "cannot be read: line 1, column"
                return
            }
            total = tree["total_count"]?.text.flatMap { Int($0) } ?? total
            let known = rows.count
            let found = Self.records(tree)
            records += found
            for record in found { rows[Self.key(record)] = record }
            // A last page that repeats records leads nowhere.
            let leadsOn = page < bodies.count - 1
            if page > 0 && leadsOn && rows.count == known && !found.isEmpty { failure = "repeat themselves" }
        }
        isWhole = !bodies.isEmpty && total <= records.count
    }

    /// The first list of objects by name, or the page itself.
    private static func records(_ page: Tree) -> [Tree] {
        if case .array(let elements) = page { return elements }
        let lists = page.members.sorted { $0.name < $1.name }.map(\.value.elements)
        let list = lists.first { list in
            if case .object? = list.first { true } else { false }
        }
        return list ?? [page]
    }

    private static func key(_ record: Tree) -> String {
        ["id", "name", "sha", "login", "path", "url"].compactMap { record[$0] }.first {
            $0 != .null && $0 != .bool(false)
        }?
        .text ?? "none"
    }

    static func pipeline(_ url: String, server: String) throws -> PipelineDefinition {
        try Publication(
            name: "cassette", folder: "cassette",
            pipeline: """
                version: 1
                name: cassette
                source: {base_url: "BASE", retry: {max_attempts: 1}}
                entities:
                  Record:
                    table: records
                    primary_key: key
                    fields:
                      key: string
                      whole: json
                streams:
                  - name: records
                    entity: Record
                    path: '\(url.replacing(Replay.origin, with: ""))'
                    paginator: {type: header_link}
                    delete_missing: hard
                    records:
                      jq: >-
                        if type == "array" then .[] else
                        first((keys[] as $key | .[$key] | arrays | select(.[0] | type == "object")), [.])[] end
                        | {key: (.id // .name // .sha // .login // .path // .url // "none" | tostring), whole: .}
                """, collections: []
        ).definition(base: server)
    }
}

extension ReplayServer {
    fileprivate func play(_ version: String, _ scenarios: [String]) throws {
        play(
            try Replay(
                scenarios: scenarios.map {
                    "\(Dataset.root)/github-api/octokit-fixtures/\(version)/\($0)/normalized-fixture.json"
                }))
    }
}

extension Workshop {
    /// The rows of a query of two texts, the second as JSON.
    fileprivate func pairs(_ query: String) throws -> [String: Tree] {
        var pairs: [String: Tree] = [:]
        for row in try values(query) { pairs[row[0]] = try Tree(row[1]) }
        return pairs
    }
}
