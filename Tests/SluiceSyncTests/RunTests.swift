import Dispatch
import FoundationEssentials
import Glibc
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluiceReconcile
import SluiceReport
import SluiceReview
import SluiceSQLite
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@Suite("Runs as a whole")
struct RunTests {
    @Test("A plan on a missing store leaves no file, and says what the run then says")
    func planOnNothing() throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...3))
        #expect(shop.sync(.plan).report.summary.text == "insert 3")
        #expect(shop.storeFiles().isEmpty)
        _ = try shop.syncPlanned()
        #expect(Set(shop.storeFiles().keys) == [""])
    }

    @Test("A run that fails makes no store")
    func failedFirst() throws {
        let shop = try Workshop()
        #expect(shop.sync().report.problems.map(\.code) == ["fetch_failed"])
        try shop.put(#"[{"id":1,"#)
        #expect(shop.sync().report.problems.map(\.code) == ["invalid_document"])
        #expect(shop.storeFiles().isEmpty)
    }

    @Test(
        "A document that breaks off in the middle leaves everything as it was but for its run row",
        arguments: [1, 700, 3000])
    func brokenDocument(_ count: Int) throws {
        let shop = try Workshop(rule: DeleteTests.hard(.percent(100)))
        _ = try shop.syncPlanned(DeleteTests.records(1...3000))
        let before = try shop.contents()
        try shop.put(String(DeleteTests.records(1...count, "new").dropLast(2)))
        for command in [RunReport.Command.plan, .run] {
            let report = shop.sync(command).report
            #expect(report.status == .failed)
            #expect(report.problems.map(\.code) == ["invalid_document"])
            #expect(report.run == (command == .plan ? nil : 2))
        }
        let after = try shop.contents()
        #expect(before == after)
        let runs = try shop.rows("SELECT status, error IS NOT NULL FROM _sluice_runs ORDER BY id")
        #expect(runs == ["'succeeded'|0", "'failed'|1"])
    }

    @Test("Nothing at the path of the records is an error, not an empty source")
    func noRecords() throws {
        let shop = try Workshop(rule: DeleteTests.hard(.percent(100)))
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        shop.records = try JSONPath(parsing: "$.data[*]")
        try shop.put(#"{"error":"try later"}"#)
        #expect(shop.sync().report.status == .failed)
        try shop.put(#"{"data":null}"#)
        #expect(shop.sync().report.status == .failed)
        let items = try shop.items
        #expect(items.count == 3)
        let (report, _) = try shop.syncPlanned(#"{"data":[{"id":1,"a":"x","b":"y"}]}"#, allowing: 2)
        #expect(report.summary.text == "delete 2, unchanged 1")
    }

    @Test("Pages of a glob in the order of their names, lines, members, and the page's name as key")
    func pages() throws {
        let shop = try Workshop(fields: [try field("id"), try field("n", .int)])
        var stem = try field("page")
        stem.origin = .template(TextTemplate(parts: [.fileStem]))
        shop.fields.append(stem)
        shop.key = ["page", "id"]
        shop.path = "pages-*.jsonl"
        shop.format = .jsonl
        try shop.put("{\"id\":\"a\",\"n\":1}\n\n{\"id\":\"b\",\"n\":2}", as: "pages-2.jsonl")
        try shop.put("{\"id\":\"a\",\"n\":3}\n", as: "pages-1.jsonl")
        try shop.put("[]", as: "other.jsonl")
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.summary.text == "insert 3")
        #expect(report.streams[0].pages == 2)
        #expect(recorder.changes.first?.contains(#"{"page":"pages-1","id":"a"}"#) == true)
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        let map = try Workshop(fields: [try field("code"), try field("n", .int, from: "v.n")])
        (map.key, map.entries, map.records) = (["code"], "code", try JSONPath(parsing: "$.all"))
        _ = try map.syncPlanned(#"{"all":{"x":{"v":{"n":1}},"y":{"v":{"n":2}}}}"#)
        let items = try map.items
        #expect(items == ["'x'|1", "'y'|2"])
    }

    @Test("An absurd store: a folder, text, a missing folder")
    func absurdStores() throws {
        let folder = try Workshop()
        try folder.put("[]")
        try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: false)
        #expect(folder.sync().report.status == .failed)
        #expect(folder.sync(.plan).report.status == .failed)
        let text = try Workshop()
        try text.put("[]")
        let bytes = Data(String(repeating: "no database ", count: 1000).utf8)
        try bytes.write(to: URL(fileURLWithPath: text.store))
        #expect(text.sync().report.problems.map(\.code) == ["damaged"])
        #expect(text.storeFiles() == ["": bytes])
    }

    @Test("A store that may not be written", .enabled(if: getuid() != 0, "root may write everywhere"))
    func readOnly() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        let before = shop.storeFiles()
        #expect(unsafe chmod(shop.store, 0o444) == 0)
        try shop.put(DeleteTests.records(1...4))
        #expect(shop.sync().report.status == .failed)
        #expect(shop.storeFiles() == before)
    }

    @Test("A store that a newer program wrote is left alone")
    func newer() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        try shop.sql("UPDATE _sluice_schema SET value = '99' WHERE kind = 'format'")
        let before = try shop.rows("SELECT * FROM _sluice_runs")
        #expect(shop.sync().report.problems.map(\.code) == ["newer_format"])
        #expect(shop.sync(.plan).report.problems.map(\.code) == ["newer_format"])
        let after = try shop.rows("SELECT * FROM _sluice_runs")
        #expect(before == after)
    }

    @Test("Another run of the pipeline holds the store: locked, and it waits where it may")
    func lockedByARun() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        try shop.put(DeleteTests.records(1...4))
        let recorder = Recorder()
        let inner = Mutex<[RunReport.Status]>([])
        recorder.onProgress = { progress in
            guard progress.stage == .merging else { return }
            let other = shop.sync(wait: 0.1).report
            inner.withLock { $0.append(other.status) }
        }
        let outer = shop.sync(recorder: recorder).report
        #expect(outer.status == .succeeded)
        #expect(inner.withLock { $0 } == [.locked])
        let items = try shop.items
        #expect(items.count == 4)
        #expect(shop.sync().report.summary.text == "unchanged 4")
    }

    @Test("A run of the pipeline under its former name is at work", arguments: [false, true], [false, true])
    func lockedByTheFormerName(onPostgres: Bool, isFirst: Bool) throws {
        let shop = try Workshop()
        if onPostgres { shop.database = try WorkshopSchema() }
        if !isFirst { _ = try shop.syncPlanned(DeleteTests.records(1...3)) }
        try shop.put(DeleteTests.records(1...4))
        var renamed = shop.pipeline
        (renamed.name, renamed.renamedFrom) = ("renamed", renamed.name)
        let options = SyncOptions(
            store: shop.database.address, command: .run, version: "test", cancellation: Cancellation())
        let recorder = Recorder()
        let inner = Mutex<[RunReport]>([])
        recorder.onProgress = { progress in
            guard progress.stage == .merging else { return }
            let report = SyncEngine(pipeline: renamed, options: options, observer: Recorder()).run()
            inner.withLock { $0.append(report) }
        }
        #expect(shop.sync(recorder: recorder).report.status == .succeeded)
        let reports = inner.withLock { $0 }
        #expect(reports.map(\.status) == [.locked])
        #expect(reports.first?.problems.first?.message.contains("as `renamed` was called before") == true)
        let report = SyncEngine(pipeline: renamed, options: options, observer: Recorder()).run()
        #expect(report.status == .succeeded && report.summary.text == "unchanged 4", "\(report)")
    }

    @Test("A run that waits does nothing once its pipeline has another name", arguments: [false, true])
    func renamedMeanwhile(onPostgres: Bool) throws {
        let shop = try Workshop()
        if onPostgres { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        var renamed = shop.pipeline
        (renamed.name, renamed.renamedFrom) = ("renamed", renamed.name)
        let options = SyncOptions(
            store: shop.database.address, command: .run, version: "test", cancellation: Cancellation())
        let recorder = Recorder()
        let waiting = Mutex<RunReport?>(nil)
        let group = DispatchGroup()
        let waits = DispatchSemaphore(value: 0)
        let attempts = Mutex(0)
        let (pipeline, address) = (shop.pipeline, shop.database.address)
        recorder.onProgress = { progress in
            guard progress.stage == .merging, waiting.withLock({ $0 == nil }) else { return }
            waiting.withLock { $0 = RunReport(pipeline: "", command: .run, startedAt: "") }
            DispatchQueue.global().async(group: group) {
                var backend = HeardBackend(backend: address.backend) { _ in }
                backend.heardLock = {
                    let isSecond = attempts.withLock { count in
                        count += 1
                        return count == 2
                    }
                    if isSecond { waits.signal() }
                }
                let cancellation = Cancellation()
                var options = SyncOptions(
                    store: address, command: .run, version: "test", cancellation: cancellation)
                options.store = StoreOptions(backend: backend, command: .run, cancellation: cancellation)
                options.store.waitSeconds = 60
                let report = SyncEngine(pipeline: pipeline, options: options, observer: Recorder()).run()
                waiting.withLock { $0 = report }
            }
            // It has looked at what it waits for once it asks for the lock again.
            waits.wait()
        }
        #expect(SyncEngine(pipeline: renamed, options: options, observer: recorder).run().status == .succeeded)
        group.wait()
        let report = try #require(waiting.withLock { $0 })
        #expect(report.status == .refused)
        #expect(try shop.rows("SELECT DISTINCT pipeline FROM _sluice_runs") == ["'renamed'"])
        #expect(report.problems.first?.message.contains("while this one waited") == true, "\(report.problems)")
        let undo = UndoEngine(
            run: 1, of: pipeline.name,
            options: StoreOptions(backend: address.backend, command: .run, cancellation: Cancellation()),
            observer: Recorder()
        ).perform()
        #expect(undo.status == .refused && undo.problems.first?.message.contains("`renamed` by now") == true, "\(undo)")
        #expect(
            SyncEngine(pipeline: renamed, options: options, observer: Recorder()).run().summary.text == "unchanged 3")
    }

    @Test("Another program holds the store")
    func lockedByAnother() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(DeleteTests.records(1...3))
        let other = try Connection(path: shop.store, mode: .existing)
        try other.execute("BEGIN IMMEDIATE; INSERT INTO items VALUES (9, 'x', 'y')")
        let report = shop.sync().report
        #expect(report.status == .locked)
        #expect(report.problems.map(\.code) == ["locked"])
        try other.execute("ROLLBACK")
        #expect(shop.sync().report.status == .succeeded)
    }

    @Test("Two runs at once on a store that is not there yet: what one committed stays", arguments: 1...40)
    func raceForANewStore(_ round: Int) throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...50))
        let pipeline = shop.pipeline
        let store = shop.store
        let outcomes = Mutex<[RunReport.Status]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            let options = SyncOptions(
                store: StoreAddress(file: store), command: .run, version: "test", cancellation: Cancellation())
            let status = SyncEngine(pipeline: pipeline, options: options, observer: Recorder()).run().status
            outcomes.withLock { $0.append(status) }
        }
        let ended = outcomes.withLock { $0 }
        #expect(ended.contains(.succeeded))
        #expect(ended.allSatisfy { $0 == .succeeded || $0 == .locked })
        let count = try shop.rows("SELECT count(*) FROM items")
        #expect(count == ["50"])
        let sound = try shop.rows("PRAGMA integrity_check")
        #expect(sound == ["'ok'"])
    }

    @Test("Two runs at once that may wait both succeed")
    func bothWait() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(DeleteTests.records(1...2000))
        try shop.put(DeleteTests.records(1...2000, "new"))
        let (pipeline, store) = (shop.pipeline, shop.store)
        let outcomes = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            var options = SyncOptions(
                store: StoreAddress(file: store), command: .run, version: "test", cancellation: Cancellation())
            options.store.waitSeconds = 60
            let report = SyncEngine(pipeline: pipeline, options: options, observer: Recorder()).run()
            outcomes.withLock { $0.append("\(report.status) \(report.summary.text)") }
        }
        #expect(outcomes.withLock { $0.sorted() } == ["succeeded unchanged 2000", "succeeded update 2000"])
    }

    @Test("Cancelled before it begins")
    func cancelledAtOnce() throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...3))
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(shop.sync(cancellation: cancellation).report.status == .interrupted)
        #expect(shop.storeFiles().isEmpty)
    }

    @Test("Two streams are one transaction: where one fails nothing of the other stays")
    func twoStreams() throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...3))
        var pipeline = shop.pipeline
        pipeline.entities.append(
            EntityDefinition(name: "Other", table: "others", primaryKey: ["id"], fields: [try field("id", .int)]))
        pipeline.streams.append(
            StreamDefinition(name: "others", entity: "Other", path: ConfigurationText("others.json")))
        let options = SyncOptions(
            store: StoreAddress(file: shop.store), command: .run, version: "test", cancellation: Cancellation())
        try shop.put("[{]", as: "others.json")
        #expect(SyncEngine(pipeline: pipeline, options: options, observer: Recorder()).run().status == .failed)
        #expect(shop.storeFiles().isEmpty)
        try shop.put(#"[{"id":1},{"id":1}]"#, as: "others.json")
        let report = SyncEngine(pipeline: pipeline, options: options, observer: Recorder()).run()
        #expect(report.streams.map(\.summary.text) == ["insert 3", "insert 1"])
        #expect(report.streams.map(\.duplicates) == [0, 1])
        #expect(report.summary.text == "insert 4")
        let others = try shop.rows("SELECT * FROM others")
        #expect(others == ["1"])
    }
}

/// Killed at any moment and run again is the same as never killed.
@Suite("Interrupted runs")
struct InterruptionTests {
    private static func source(_ random: inout SeededGenerator, version: Int) -> String {
        let records = (0..<3000).shuffled(using: &random).compactMap { id -> String? in
            if random.chance(5) { return nil }
            if random.chance(1) { return "{\"id\":\(id),\"a\":true}" }
            let a = random.chance(20) ? "v\(version)" : "same"
            return random.chance(10) ? "{\"id\":\(id),\"a\":\"\(a)\"}" : "{\"id\":\(id),\"a\":\"\(a)\",\"b\":\"y\"}"
        }
        return "[" + records.joined(separator: ",") + "]"
    }

    @Test("Cancelled at a random batch, then run again", arguments: UInt64(1)...6)
    func cancelled(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rule = DeleteTests.hard(.percent(100))
        let (calm, rough) = (try Workshop(rule: rule), try Workshop(rule: rule))
        for version in 0..<3 {
            let json = Self.source(&random, version: version)
            try calm.put(json)
            try rough.put(json)
            #expect(calm.sync().report.status == .succeeded, "seed \(seed)")
            for _ in 0..<2 {
                let before = version == 0 ? [:] : try rough.contents()
                let cancellation = Cancellation()
                let recorder = Recorder()
                var steps = Int.random(in: 0..<7, using: &random)
                recorder.onProgress = { _ in
                    if steps == 0 { cancellation.cancel() }
                    steps -= 1
                }
                let report = rough.sync(cancellation: cancellation, recorder: recorder).report
                guard cancellation.isCancelled else { continue }
                #expect(report.status == .interrupted, "seed \(seed)")
                if version == 0 && !FileManager.default.fileExists(atPath: rough.store) {
                    #expect(report.run == nil, "seed \(seed)")
                    continue
                }
                let newest = try rough.rows("SELECT max(id) FROM _sluice_runs")
                #expect(newest == [report.run.map { "\($0)" } ?? "none"], "seed \(seed)")
                let after = try rough.contents()
                #expect(before == after, "seed \(seed)")
            }
            #expect(rough.sync().report.status == .succeeded, "seed \(seed)")
            let local = "UPDATE items SET a = 'mine' WHERE id % 17 = 0; DELETE FROM items WHERE id % 23 = 0"
            try calm.sql(local)
            try rough.sql(local)
        }
        // Run numbers differ, since interrupted runs have one too.
        for table in ["items", "_sluice_conflicts", "_sluice_quarantine", "_sluice_base_shop_items_Item"] {
            let columns =
                try calm.rows(
                    "SELECT name FROM pragma_table_info('\(table)') WHERE name NOT IN ('first_run', 'last_run', 'id')"
                )
                .map { $0.replacing("'", with: "\"") } + (table == "items" || table.contains("base") ? ["id"] : [])
            let query =
                "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(columns.joined(separator: ", "))"
            let (one, other) = (try calm.rows(query), try rough.rows(query))
            #expect(one == other, "seed \(seed), \(table)")
            #expect(!one.isEmpty)
        }
    }

    @Test("Neither the order of the records nor the size of the batches changes the result", arguments: UInt64(1)...4)
    func anyOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (one, other) = (try Workshop(), try Workshop())
        for version in 0..<3 {
            let records = try Tree(Self.source(&random, version: version)).elements
            try one.put(Tree.array(records).compact)
            try other.put(Tree.array(records.shuffled(using: &random)).compact)
            let reports = [one.sync().report, other.sync().report]
            #expect(reports[0].summary == reports[1].summary, "seed \(seed)")
            for shop in [one, other] { try shop.sql("UPDATE items SET a = 'mine' WHERE id % 17 = 0") }
        }
        let rows = [try one.items, try other.items]
        #expect(rows[0] == rows[1], "seed \(seed)")
        let bases = [try one.bases, try other.bases]
        #expect(bases[0] == bases[1], "seed \(seed)")
    }
}
