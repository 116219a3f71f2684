import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: conflicts")
struct ConflictContract {
    @Test(arguments: StoreUnderTest.all)
    func aConflictIsKeptAsItIs(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var entry = ConflictEntry.sample()
        (entry.base, entry.seen, entry.note) = ("1", 3, "it's \"so\"")
        (entry.otherSource, entry.resolution) = ("other/list", "local")
        entry.id = try scene.transaction { try $0.conflicts.insert(entry) }
        try scene.read { store throws in
            let ledger = store.conflicts
            #expect(try ledger.list(includingClosed: false) == [entry])
            #expect(try ledger.open(of: .items) == [entry])
            #expect(try ledger.open(of: .items, key: entry.key) == [entry])
            #expect(try ledger.entries(of: .items, key: entry.key) == [entry])
            #expect(try ledger.entry(id: try #require(entry.id)) == entry)
            #expect(try ledger.entry(id: 999) == nil)
            #expect(try ledger.open(of: .items, key: #"{"id":2}"#) == [])
            for other in [
                RecordMapping(pipeline: "q", stream: "items", entity: "Item"),
                RecordMapping(pipeline: "test", stream: "t", entity: "Item"),
                RecordMapping(pipeline: "test", stream: "items", entity: "Other"),
            ] {
                #expect(try ledger.open(of: other) == [] && ledger.open(of: other, key: entry.key) == [])
            }
        }
    }

    @Test(arguments: StoreUnderTest.all, ["name", nil] as [String?])
    func aSecondOpenOneOfTheSameFieldIsRefused(_ kind: StoreUnderTest, _ field: String?) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample(field: field))
            let refusal = #expect(throws: StoreError.self) { _ = try store.conflicts.insert(.sample(field: field)) }
            // A check that finds nothing is not where the way ends.
            let message = refusal?.message ?? ""
            #expect(message.contains("store check") && message.contains("the fault is in Sluice"), "\(message)")
            // The transaction goes on.
            _ = try store.conflicts.insert(.sample(field: "other"))
            _ = try store.conflicts.insert(.sample(field: field, key: #"{"id":2}"#))
        }
        #expect(try scene.read { try $0.conflicts.list(includingClosed: true).count } == 3)
    }

    @Test(arguments: StoreUnderTest.all, [ConflictStatus.auto, .resolved, .obsolete, .converged])
    func aClosedConflictMakesRoomForANewOne(_ kind: StoreUnderTest, _ status: ConflictStatus) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ledger = store.conflicts
            var first = ConflictEntry.sample()
            first.id = try ledger.insert(first)
            (first.status, first.remote, first.seen, first.lastRun) = (status, "\"z\"", 2, 8)
            if status == .obsolete {
                first.end = .record(17)
            } else {
                (first.resolution, first.who) = ("\"z\"", "somebody")
            }
            try ledger.update(first)
            #expect(try ledger.list(includingClosed: false) == [] && ledger.open(of: .items) == [])
            #expect(try ledger.list(includingClosed: true) == [first])
            var second = ConflictEntry.sample()
            second.id = try ledger.insert(second)
            #expect(try ledger.list(includingClosed: false) == [second])
            #expect(try ledger.list(includingClosed: true) == [first, second])
            #expect(try ledger.entries(of: .items, key: first.key) == [first, second])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anUpdateChangesOneConflictAndWithoutANumberNone(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for id in 1...2 { _ = try store.conflicts.insert(.sample(key: "{\"id\":\(id)}")) }
            var entry = try #require(try store.conflicts.list(includingClosed: false).first)
            entry.local = nil
            try store.conflicts.update(entry)
            (entry.id, entry.local) = (nil, "9")
            try store.conflicts.update(entry)
            #expect(try store.conflicts.list(includingClosed: false).map(\.local) == [nil, "\"l\""])
        }
    }
}

@Suite("Any store: the quarantine")
struct QuarantineContract {
    @Test(arguments: StoreUnderTest.all)
    func aRecordIsKeptAsItIs(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var entry = QuarantineEntry.sample()
        entry.record = [0x7B, 0xFF, 0x00, 0x7D]
        let id = try scene.transaction { try $0.quarantine.put(entry) }
        entry.id = id
        try scene.read { store throws in
            #expect(try store.quarantine.list(includingClosed: false) == [entry])
            #expect(try store.quarantine.entry(id: id) == entry)
            #expect(try store.quarantine.entries(of: .items, key: #"{"id":1}"#) == [entry])
            #expect(try store.quarantine.entries(of: .items, key: #"{"id":2}"#) == [])
            #expect(try store.quarantine.entry(id: 999) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all, [#"{"id":1}"#, nil] as [String?])
    func theSameRecordAgainIsLeftAsItIs(_ kind: StoreUnderTest, _ key: String?) throws {
        let scene = try StoreScene(kind)
        let id = try scene.transaction { try $0.quarantine.put(.sample(key: key)) }
        try scene.transaction { store throws in
            #expect(try store.quarantine.put(.sample(key: key, run: 7)) == id)
            #expect(try store.quarantine.list(includingClosed: true).map(\.lastRun) == [1])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anotherContentBringsTheEntryUpToDate(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let id = try scene.transaction { try $0.quarantine.put(.sample()) }
        try scene.transaction { store throws in
            var other = QuarantineEntry.sample(hash: 6, record: #"{"x":1}"#, run: 7)
            (other.pointer, other.value) = ("/y", nil)
            #expect(try store.quarantine.put(other) == id)
            (other.id, other.firstRun) = (id, 1)
            #expect(try store.quarantine.list(includingClosed: true) == [other])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anotherReasonOrKeyIsAnotherEntryAndSoIsAnotherHashWithoutAKey(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ids = try [
                QuarantineEntry.sample(), .sample(reason: "missing"), .sample(key: #"{"id":2}"#), .sample(key: nil),
                .sample(key: nil, hash: 6), .sample(key: "5"),
            ].map { try store.quarantine.put($0) }
            #expect(Set(ids).count == 6)
            let open = try store.quarantine.openKeys(of: .items)
            #expect(Set(open.map(\.id)) == Set(ids))
            #expect(open.filter { $0.key == nil }.count == 2)
            #expect(
                try store.quarantine.openKeys(of: RecordMapping(pipeline: "test", stream: "t", entity: "Item")).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all, [false, true])
    func anEntryThatIsClosedOrDroppedMakesRoomForANewOne(_ kind: StoreUnderTest, _ isDropped: Bool) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ledger = store.quarantine
            let first = try ledger.put(.sample())
            if isDropped { try ledger.drop(id: first, run: 4) } else { try ledger.close([first], run: 4) }
            #expect(try ledger.list(includingClosed: false) == [] && ledger.openKeys(of: .items).isEmpty)
            let closed = try #require(try ledger.entry(id: first))
            #expect(closed.status == (isDropped ? .dropped : .closed) && closed.firstRun == 1)
            #expect(closed.lastRun == 4)
            let second = try ledger.put(.sample())
            #expect(second != first)
            #expect(try ledger.list(includingClosed: true).map(\.isOpen) == [false, true])
            #expect(try ledger.entries(of: .items, key: #"{"id":1}"#).map(\.id) == [first, second])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func severalArePutTogetherAsOneByOne(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ledger = store.quarantine
            let keys = (1...700).map { #"{"id":\#($0)}"# }
            let known = try ledger.put(.sample(key: keys[1]))
            var told = QuarantineEntry.sample(key: keys[0])
            told.message = "told last"
            let entries = keys.map { QuarantineEntry.sample(key: $0) } + [told, .sample(key: nil, hash: 6)]
            let ids = try ledger.put(entries)
            #expect(ids.count == 702 && Set(ids).count == 701)
            #expect(ids[1] == known && ids[700] == ids[0])
            #expect(try ledger.entry(id: ids[0])?.message == "told last")
            #expect(try ledger.put(entries) == ids)
            try ledger.close(Array(ids.prefix(699)), run: 4)
            #expect(try ledger.list(includingClosed: false).map(\.id) == [ids[699], ids[701]])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anEntryIsRefusedForSomethingElseNow(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ledger = store.quarantine
            let first = try ledger.put(.sample())
            let second = try ledger.put(.sample(key: #"{"id":2}"#))
            var again = QuarantineEntry.sample(reason: "missing", run: 7)
            again.id = first
            #expect(try ledger.put(again) == first)
            again.firstRun = 1
            #expect(try ledger.entry(id: first) == again)
            // Another entry says that already.
            let before = try ledger.entry(id: second)
            var other = QuarantineEntry.sample(reason: "missing", run: 8)
            other.id = second
            #expect(try ledger.put(other) == first)
            #expect(try ledger.entry(id: second) == before)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func openEntriesAreSelectedTheOldestFirst(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            let ledger = store.quarantine
            let new = try ledger.put(.sample(key: "1", run: 5))
            let old = try ledger.put(.sample(key: "2", reason: "missing", run: 2))
            let closed = try ledger.put(.sample(key: "3"))
            try ledger.close([closed], run: 1)
            var elsewhere = QuarantineEntry.sample(key: "4")
            elsewhere.stream = "more"
            let other = try ledger.put(elsewhere)
            #expect(
                try ledger.open(QuarantineSelection(), pipeline: "test") == ["items": [old, new], "more": [other]])
            #expect(try ledger.open(QuarantineSelection(reason: "missing"), pipeline: "test") == ["items": [old]])
            #expect(
                try ledger.open(QuarantineSelection(ids: [new, closed]), pipeline: "test") == ["items": [new]])
            #expect(try ledger.open(QuarantineSelection(), pipeline: "x") == [:])
        }
    }
}

@Suite("Any store: runs")
struct RunContract {
    @Test(arguments: StoreUnderTest.all)
    func aRunIsKeptAsItIs(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var run = RunEntry.sample(1)
        (run.finishedAt, run.inserted, run.updated, run.deleted) = ("2026-01-02T03:04:06Z", 1, 2, 3)
        (run.unchanged, run.keptLocal, run.conflicts, run.quarantined, run.error) = (4, 5, 6, 7, "e\n\"f\"")
        (run.conflictsWritten, run.deletesRefused, run.scope) = (8, 9, "stream items")
        (run.recordsRead, run.linked, run.who, run.stale) = (22, 5, "Ana", 10)
        (run.deletesReported, run.duplicates, run.pagesAsBefore) = (11, 12, 13)
        (run.filtered, run.suspected) = (14, 15)
        var (counts, others) = (RunCounts(), RunCounts())
        (counts.inserted, counts.conflictsWritten, counts.deletesRefused, counts.stale) = (3, 1, 2, 4)
        others.stale = 1
        run.within = ["Comment": counts, "Comment to come": others]
        var warning = RunWarning(code: "w", message: "One. Two.")
        (warning.entity, warning.keys, warning.unlisted) = ("Item", [#"{"id":1}"#], 4)
        run.warnings = [RunWarning(code: "v", message: "m"), warning]
        (run.undoes, run.undoneBy, run.changes) = (5, 6, .pruning)
        try scene.transaction { try $0.runs.record(run) }
        #expect(try scene.read { try $0.runs.entry(id: 1) } == run)
        // Recorded again, it takes the place of what was there.
        run.within = [:]
        (run.status, run.scope, run.warnings, run.recordsRead, run.linked) = ("failed", nil, [], nil, 0)
        (run.who, run.stale, run.deletesReported, run.duplicates, run.pagesAsBefore) = (nil, 0, 0, 0, nil)
        (run.filtered, run.suspected) = (0, 0)
        try scene.transaction { try $0.runs.record(run) }
        #expect(try scene.read { try $0.runs.list(pipeline: nil, limit: 9) } == [run])
    }

    /// That a run began is known until one over the source is recorded, and only where runs are known.
    @Test(arguments: StoreUnderTest.all)
    func aBeginningHoldsUntilARunIsRecorded(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let (first, second) = ("2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z")
        func beginning(of pipeline: String = "test") throws -> String? {
            try scene.read { try $0.runs.beginning(of: pipeline) }
        }
        try scene.transaction { _ = try $0.runs.nextID() }
        try scene.read { try $0.runs.noteBeginning(of: "test", at: first) }
        #expect(try beginning() == nil)
        try scene.transaction { try $0.runs.record(.sample(1)) }
        for moment in [first, second] {
            try scene.read { try $0.runs.noteBeginning(of: "test", at: moment) }
            #expect(try beginning() == moment)
            #expect(try beginning(of: "other") == nil)
        }
        #expect(try scene.read { try $0.runs.list(pipeline: nil, limit: 9) } == [.sample(1)])
        try scene.transaction { store throws in
            try store.runs.record(.sample(2, command: "undo"))
            try store.runs.record(.sample(3, pipeline: "other"))
        }
        #expect(try beginning() == second)
        try scene.read { try $0.runs.noteBeginning(of: "other", at: first) }
        try scene.read { try $0.runs.forgetBeginning(of: "other", at: first) }
        #expect(try beginning(of: "other") == nil)
        #expect(try beginning() == second)
        try scene.transaction { try $0.runs.record(.sample(4)) }
        #expect(try beginning() == nil)
    }

    /// A run that lost its lock takes nothing back of the one that has it by then, and one that waited in vain nothing of one that
    /// was cut off before it.
    @Test(arguments: StoreUnderTest.all)
    func aRunThatFailedTakesItsOwnBeginningBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let moments = (2...4).map { "2026-01-0\($0)T03:04:05Z" }
        func note(_ index: Int) throws {
            try scene.read { try $0.runs.noteBeginning(of: "test", at: moments[index]) }
        }
        func forget(_ index: Int) throws {
            try scene.read { try $0.runs.forgetBeginning(of: "test", at: moments[index]) }
        }
        func fail(_ index: Int, as id: Int64) throws {
            var failed = RunEntry.sample(id)
            (failed.status, failed.startedAt) = ("failed", moments[index])
            try scene.transaction { try $0.runs.record(failed) }
        }
        var beginning: String? {
            get throws { try scene.read { try $0.runs.beginning(of: "test") } }
        }
        try scene.transaction { try $0.runs.record(.sample(1)) }
        try note(0)
        try note(1)
        try forget(0)
        try fail(0, as: 2)
        #expect(try beginning == moments[1])
        try forget(1)
        #expect(try beginning == nil)
        // One that was cut off stays so where the next one waits in vain.
        try note(0)
        try note(1)
        try forget(1)
        #expect(try beginning == moments[0])
        try note(1)
        try note(2)
        try forget(2)
        #expect(try beginning == moments[1])
        try note(2)
        try fail(2, as: 3)
        #expect(try beginning == nil)
        try note(0)
        try note(1)
        try scene.transaction { try $0.runs.record(.sample(4)) }
        #expect(try beginning == nil)
        // What another program notes of the same second is its own.
        let another = RunBeginnings("\(moments[0]) another")
        #expect(another.moment == moments[0] && another.removing(moments[0]) == another)
        #expect(another.adding(moments[1]).removing(moments[1]) == another)
    }

    @Test(arguments: StoreUnderTest.all)
    func runsAreListedTheNewestFirst(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        #expect(try scene.read { try $0.runs.nextID() } == 1)
        try scene.transaction { store throws in
            for (id, pipeline, command) in [(1, "a", "run"), (2, "b", "run"), (3, "a", "undo"), (4, "a", "run")] {
                #expect(try store.runs.nextID() == Int64(id))
                try store.runs.record(.sample(Int64(id), pipeline: pipeline, command: command))
            }
        }
        try scene.read { store throws in
            #expect(try store.runs.list(pipeline: nil, limit: 9).map(\.id) == [4, 3, 2, 1])
            #expect(try store.runs.list(pipeline: "a", limit: 9).map(\.id) == [4, 3, 1])
            #expect(try store.runs.list(pipeline: "a", limit: 1).map(\.id) == [4])
            #expect(try store.runs.list(pipeline: "c", limit: 9) == [])
            #expect(try store.runs.latest(of: "a", limit: 9).map(\.id) == [4, 1])
            #expect(try store.runs.latest(of: "a", limit: 1).map(\.id) == [4])
            #expect(try store.runs.entry(id: 9) == nil)
            #expect(try store.runs.pipelines() == ["a", "b"])
        }
    }

    /// A year of runs may lie between the last one and the last that succeeded.
    @Test(arguments: StoreUnderTest.all)
    func successesAndWholeReadingsAreFound(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for id in 1...7 as ClosedRange<Int64> {
                var run = RunEntry.sample(id, pipeline: id == 2 ? "b" : "a")
                if [1, 2, 3, 5].contains(id) { run.recordsRead = Int(id) * 10 }
                if id == 4 { run.scope = "stream items" }
                if id >= 5 { run.status = id == 5 ? "refused" : "failed" }
                try store.runs.record(run)
            }
        }
        func ids(_ filter: RunFilter, limit: Int = 9) throws -> [Int64] {
            try scene.read { try $0.runs.latest(of: "a", limit: limit, among: filter).map(\.id) }
        }
        #expect(try ids(.all) == [7, 6, 5, 4, 3, 1])
        #expect(try ids(RunFilter(isSuccess: true)) == [3, 1])
        #expect(try ids(RunFilter(isReading: true)) == [5, 3, 1])
        #expect(try ids(RunFilter(isSuccess: true, isReading: true), limit: 1) == [3])
        try scene.transaction { try $0.runs.recordUndone(3, by: 8) }
        #expect(try ids(RunFilter(isSuccess: true)) == [1])
        #expect(try ids(RunFilter(isReading: true)) == [5, 1])
        #expect(try ids(.all).contains(3))
    }

    @Test(arguments: StoreUnderTest.all)
    func runsAreChosenByTheirStartAndByFailure(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for (id, status) in [(1, "failed"), (2, "succeeded"), (3, "partial"), (4, "refused")] as [(Int64, String)] {
                var run = RunEntry.sample(id, pipeline: id == 4 ? "b" : "a")
                (run.status, run.startedAt) = (status, "2026-01-0\(id)T00:00:00Z")
                try store.runs.record(run)
            }
            try store.runs.recordUndone(3, by: 5)
        }
        func ids(_ pipeline: String?, _ filter: RunFilter, limit: Int = 9) throws -> [Int64] {
            try scene.read { try $0.runs.list(pipeline: pipeline, limit: limit, among: filter).map(\.id) }
        }
        #expect(try ids(nil, RunFilter(isFailure: true)) == [4, 3, 1])
        #expect(try ids("a", RunFilter(isFailure: true), limit: 1) == [3])
        #expect(try ids(nil, RunFilter(since: "2026-01-02T00:00:00Z")) == [4, 3, 2])
        #expect(try ids("a", RunFilter(isFailure: true, since: "2026-01-02T00:00:01Z")) == [3])
        #expect(try ids("a", RunFilter(since: "2026-02-01T00:00:00Z")) == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func whichRunTookAnotherBackIsNoted(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for id in 1...2 as ClosedRange<Int64> { try store.runs.record(.sample(id)) }
            try store.runs.recordUndone(1, by: 2)
        }
        #expect(try scene.read { try $0.runs.list(pipeline: nil, limit: 9).map(\.undoneBy) } == [nil, 2])
        try scene.transaction { try $0.runs.recordUndone(1, by: nil) }
        #expect(try scene.read { try $0.runs.entry(id: 1)?.undoneBy } == nil)
    }
}

@Suite("Any store: what is remembered of streams")
struct StateContract {
    @Test(arguments: StoreUnderTest.all)
    func aTextIsKeptUnderItsName(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        #expect(try scene.read { try $0.state.value(pipeline: "p", stream: "s", name: "cursor") } == nil)
        try scene.transaction { store throws in
            try store.state.set("1", pipeline: "p", stream: "s", name: "cursor")
            try store.state.set("2", pipeline: "p", stream: "s", name: "cursor")
            try store.state.remember("x", pipeline: "p", stream: "s", name: "memory")
            try store.state.remember("y", pipeline: "p", stream: "s", name: "memory")
            try store.state.set("3", pipeline: "p", stream: "t", name: "cursor")
            try store.state.set("4", pipeline: "q", stream: "s", name: "cursor")
            try store.state.set("", pipeline: "p", stream: "s", name: "empty")
        }
        try scene.transaction { store throws in
            func value(_ name: String) throws -> String? {
                try store.state.value(pipeline: "p", stream: "s", name: name)
            }
            #expect(try value("cursor") == "2" && value("memory") == "y" && value("empty") == "")
            try store.state.set(nil, pipeline: "p", stream: "s", name: "cursor")
            try store.state.set(nil, pipeline: "p", stream: "s", name: "nothing")
            #expect(try value("cursor") == nil)
            #expect(try store.state.value(pipeline: "p", stream: "t", name: "cursor") == "3")
            #expect(try store.state.value(pipeline: "q", stream: "s", name: "cursor") == "4")
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func namesAreFoundByHowTheyBegin(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for name in ["b%2", "b%1", "b_", "bx", "a", "B%9"] {
                try store.state.set("v", pipeline: "p", stream: "s", name: name)
            }
            try store.state.set("v", pipeline: "p", stream: "t", name: "b%3")
            // What a run keeps of itself is not of a stream.
            var run = RunEntry.sample(1, pipeline: "p")
            run.scope = "stream s"
            try store.runs.record(run)
        }
        try scene.transaction { store throws in
            #expect(try store.state.names("b%", pipeline: "p", stream: "s") == ["b%1", "b%2"])
            #expect(try store.state.names("", pipeline: "p", stream: "s") == ["B%9", "a", "b%1", "b%2", "b_", "bx"])
            #expect(try store.state.forget(prefix: "b%", pipeline: "p", stream: "s"))
            #expect(try !store.state.forget(prefix: "b%", pipeline: "p", stream: "s"))
            #expect(try store.state.names("", pipeline: "p", stream: "s") == ["B%9", "a", "b_", "bx"])
            #expect(try store.state.names("", pipeline: "p", stream: "t") == ["b%3"])
        }
    }
}

@Suite("Any store: scans that were broken off")
struct ScanContract {
    private static func page(_ number: UInt64) -> ScannedPage {
        ScannedPage(request: .max - number, keys: [0, number, .max], quarantined: [Int64(number), .min])
    }

    private func pages(_ store: any RecordStore, _ stream: String = "s") throws -> [ScannedPage] {
        var pages: [ScannedPage] = []
        try store.scans.forEachPage(pipeline: "p", stream: stream) { pages.append($0) }
        return pages
    }

    @Test(arguments: StoreUnderTest.all)
    func aScanIsKeptPageAfterPage(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        #expect(try scene.read { try $0.scans.unfinished(pipeline: "p", stream: "s") } == nil)
        for number in 1...12 {
            let scan = UnfinishedScan(run: Int64(number), pages: number, state: "state \(number)")
            try scene.transaction { store throws in
                for stream in ["s", "t"] {
                    try store.scans.keep(scan, page: Self.page(UInt64(number)), pipeline: "p", stream: stream)
                }
            }
            #expect(try scene.read { try $0.scans.unfinished(pipeline: "p", stream: "s") } == scan)
        }
        #expect(try scene.read { try pages($0) } == (1...12 as ClosedRange<UInt64>).map(Self.page))
        try scene.transaction { store throws in
            try store.scans.forget(pipeline: "p", stream: "s")
            #expect(try store.scans.unfinished(pipeline: "p", stream: "s") == nil && pages(store) == [])
            #expect(try pages(store, "t").count == 12)
            try store.scans.forget(pipeline: "q", stream: nil)
            #expect(try store.scans.unfinished(pipeline: "p", stream: "t") != nil)
            try store.scans.forget(pipeline: "p", stream: nil)
            #expect(try store.scans.unfinished(pipeline: "p", stream: "t") == nil && pages(store, "t") == [])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anErrorOfWhoReadsPagesEndsTheReading(_ kind: StoreUnderTest) throws {
        struct Stop: Error {}
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for number in 1...2 {
                try store.scans.keep(
                    UnfinishedScan(run: 1, pages: number, state: ""), page: Self.page(UInt64(number)), pipeline: "p",
                    stream: "s")
            }
        }
        try scene.read { store throws in
            #expect(throws: Stop.self) {
                try store.scans.forEachPage(pipeline: "p", stream: "s") { _ in throw Stop() }
            }
            #expect(try pages(store).count == 2)
        }
    }
}

@Suite("Any store: credentials")
struct CredentialContract {
    @Test(arguments: StoreUnderTest.all)
    func theNewestIsKeptOnItsOwn(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let store = try scene.place.open()
        #expect(try store.credentials.sealed("a") == nil)
        try store.credentials.keep([1, 2], name: "a", at: "2026-01-01T00:00:00Z")
        try store.credentials.keep([3], name: "b", at: "2026-01-01T00:00:00Z")
        try store.credentials.keep([4, 0], name: "a", at: "2026-01-02T00:00:00Z")
        #expect(try store.credentials.sealed("a") == [4, 0])
        // It is there whatever becomes of a run.
        try store.begin()
        store.rollback()
        #expect(try scene.read { try [$0.credentials.sealed("a"), $0.credentials.sealed("b")] } == [[4, 0], [3]])
    }
}
