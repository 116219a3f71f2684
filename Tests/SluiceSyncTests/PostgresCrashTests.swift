import Dispatch
import FoundationEssentials
import SluicePipeline
import SluicePostgres
import SluiceReport
import Synchronization
import TestSupport
import Testing

/// The server breaks down, or connections are cut, at any moment of a run: what it wrote is there as a whole or not at all,
/// and the next run does the rest.
///
/// `make crash` does so 200 times, which takes about a second each; `SLUICE_CRASHES=n` sets another number, and
/// `SLUICE_SEED=n` repeats what a failure names.
@Suite(.serialized) struct PostgresCrashTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["SLUICE_CRASHES"].flatMap { Int($0) }.map { max(1, $0) } ?? 4
    private static let seed =
        environment["SLUICE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
    private static let records = 400

    /// What ends the connections of a run.
    enum Blow: String, CaseIterable {
        case crash, cut
    }

    @Test(arguments: Blow.allCases) func aRunIsWholeOrNothing(_ blow: Blow) throws {
        let place: Comment = "SLUICE_SEED=\(Self.seed), \(blow)"
        print("PostgresCrashTests: SLUICE_SEED=\(Self.seed), \(Self.count) times \(blow)")
        let cluster = try PostgresCluster()
        let shop = try Workshop()
        let schema = PostgresSchemaURL(server: cluster.url)
        shop.database = try WorkshopSchema(schema)
        try shop.put(Self.json(0))
        #expect(shop.sync().report.status == .succeeded, place)
        var random = SeededGenerator(seed: Self.seed)
        // How long an undisturbed run takes here, so that blows fall into it.
        let start = DispatchTime.now().uptimeNanoseconds
        try shop.put(Self.json(1))
        #expect(shop.sync().report.status == .succeeded, place)
        let length = Int(DispatchTime.now().uptimeNanoseconds - start)
        var endings: [String: Int] = [:]
        for version in 2..<(2 + Self.count) {
            try shop.put(Self.json(version))
            let failure = Mutex<String?>(nil)
            let delay = Int.random(in: 0...length, using: &random)
            let striking = DispatchGroup()
            striking.enter()
            DispatchQueue(label: "strike").asyncAfter(deadline: .now() + .nanoseconds(delay)) {
                defer { striking.leave() }
                do {
                    switch blow {
                    case .crash: try cluster.crash()
                    case .cut:
                        try PostgresConnection(PostgresAddress(cluster.url)).execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name = 'sluice' AND pid <> pg_backend_pid()
                            """)
                    }
                } catch { failure.withLock { $0 = "\(error)" } }
            }
            let report = shop.sync().report
            striking.wait()
            #expect(failure.withLock { $0 } == nil, place)
            if blow == .crash { try cluster.restart() }
            endings[report.status.rawValue, default: 0] += 1
            #expect(
                [.succeeded, .failed, .locked, .interrupted].contains(report.status), "\(report.problems) \(place)")

            let found = try shop.rows("SELECT DISTINCT a FROM items")
            let (old, new) = (["'v\(version - 1)'"], ["'v\(version)'"])
            // A server that is away after a commit may have kept it, and only then is that not known.
            let wanted = report.status == .succeeded ? [new] : report.isOutcomeUnknown ? [old, new] : [old]
            #expect(wanted.contains(found), "\(found) \(report.problems) \(place)")
            #expect(try shop.rows("SELECT count(*) FROM items") == ["\(Self.records)"], place)
            let next = shop.sync().report
            #expect(next.status == .succeeded, "\(next.problems) \(place)")
            #expect(try shop.rows("SELECT DISTINCT a FROM items") == new, place)
            #expect(try shop.quietRun().written == [], place)
        }
        print("PostgresCrashTests: \(endings)")
    }

    private static func json(_ version: Int) -> String {
        let records = (1...records).map { "{\"id\": \($0), \"a\": \"v\(version)\", \"b\": \"same\"}" }
        return "[\(records.joined(separator: ", "))]"
    }
}
