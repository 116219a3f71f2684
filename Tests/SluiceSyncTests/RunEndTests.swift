import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceReconcile
import SluiceReport
import SluiceStore
import SluiceStores
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@testable import SluiceSync

/// How a run ends that is stopped while it keeps something.
@Suite struct RunEndTests {
    /// A workshop over three counted pages of two records each.
    private static func shop(_ server: LoopbackServer, commit: CommitMode, before: String = "") throws -> Workshop {
        let text = """
            version: 1
            name: shop
            source: {base_url: "\(server.url)"}
            commit: \(commit.rawValue)
            entities: {Item: {table: items, primary_key: id, fields: {id: int}}}
            streams:\(before)
              - {name: items, entity: Item, path: /items, records: "data[*]", paginator: {type: page_number, total_pages_path: pages}}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else { throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems)) }
        let shop = try Workshop()
        (shop.name, shop.definition) = ("shop", definition)
        return shop
    }

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.path == "/broken" { return .text("{") }
            let page = request.number("page") ?? 1
            return .text(#"{"pages":3,"data":[{"id":\#(page)},{"id":\#(page + 10)}]}"#)
        }
    }

    /// What is stopped at a commit is as the report and the history say, whichever commit that is: once all is kept, the run has
    /// succeeded, or is partial where a stream before the last one could not be read.
    @Test(
        arguments: [
            (CommitMode.page, RunReport.Status.succeeded), (.page, .partial), (.run, .succeeded),
        ], [false, true])
    func itIsAsTheHistorySays(_ mode: (commit: CommitMode, end: RunReport.Status), isServed: Bool) throws {
        let (commit, end) = mode
        let server = try Self.server()
        defer { server.stop() }
        let broken = "\n  - {name: broken, entity: Item, path: /broken, records: \"data[*]\"}"
        var statuses: Set<RunReport.Status> = []
        for stop in 1...6 {
            let shop = try Self.shop(server, commit: commit, before: end == .partial ? broken : "")
            if isServed { shop.database = try WorkshopSchema() }
            let (cancellation, commits) = (Cancellation(), Counter())
            let address = shop.database.address
            shop.adjustOptions = { options in
                let backend = HeardBackend(backend: address.backend) { call in
                    if call == "store.commit()" && commits.next() == stop { cancellation.cancel() }
                }
                options.store = StoreOptions(backend: backend, command: .run, cancellation: cancellation)
            }
            let report = shop.sync(cancellation: cancellation).report
            statuses.insert(report.status)
            let rows = try shop.rows("SELECT count(*) FROM items")
            #expect((report.status == end) == (rows == ["6"]), "\(stop): \(report.status), \(rows) \(report.problems)")
            let kept = try shop.rows("SELECT status FROM _sluice_runs ORDER BY id DESC LIMIT 1")
            #expect(kept == ["'\(report.status.rawValue)'"], "\(stop)")
        }
        #expect(statuses.contains(end) && statuses.contains(.interrupted) == (commit == .page))
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// Whoever waited for the store finds what others did meanwhile, and is refused as a whole.
    @Test(arguments: [false, true]) func aStoreThatIsAnotherByNowIsRefused(isServed: Bool) throws {
        let shop = try Workshop()
        if isServed { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"}]"#)
        let asked = Counter()
        shop.adjustOptions = { options in
            options.admits = { store in
                _ = asked.next()
                #expect(try store.runs.nextID() == 2)
                throw SyncError(.planOutdated, "It has changed. Nothing was done.")
            }
        }
        try shop.put(#"[{"id":1,"a":"z","b":"y"}]"#)
        let report = shop.sync().report
        #expect(report.status == .refused && asked.next() == 2)
        #expect(try shop.rows("SELECT a FROM items") == ["'x'"])
        // None began.
        #expect(try shop.rows("SELECT count(*) FROM _sluice_runs") == ["1"])
        #expect(try shop.open(.reading).runs.beginnings(of: shop.name) == nil)
    }
}
