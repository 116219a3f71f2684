import SluiceModel
import SluicePostgres
import SluicePostgresStore
import SluiceSchedule
import SluiceStore
import Testing

/// The partitions that workers of a store on PostgreSQL share: claims, leases, and what waits for the run.
@Suite struct PostgresPartitionTests {
    private let place: PostgresPlace
    private let editor: PostgresConnection

    init() throws {
        place = try PostgresPlace()
        try place.store().prepare()
        editor = try place.connect()
    }

    private static let one = PartitionClaimant(id: "one 1", worker: "one", role: .run)
    private static let two = PartitionClaimant(id: "two 1", worker: "two", role: .helper)

    private func ledger() throws -> any PartitionLedger { try #require(place.store().partitions) }

    /// Has the worker `one` claim `a`, for a due time.
    private func claim(_ token: Int64, due: Int64? = 60) throws -> PoolTicket {
        try #require(place.store().schedule.pool).poll(as: "one") { _, _ in
            []
        } decide: { view in
            var pool = view.pool
            for id in ["one", "two"] {
                pool.workers[id] = PoolWorker(id: id, place: "at \(id)", slots: 2, lease: 30, startedAt: view.now)
            }
            pool.lastToken = token
            let attempt = due.map { AttemptID(due: DueTimeID(pipeline: "a", moment: $0), number: 1) }
            pool.claims["a"] = PoolClaim(
                pipeline: "a", attempt: attempt, worker: "one", token: token, since: view.now)
            return PoolChanges(pool: pool, rows: ScheduleRows())
        }
        return PoolTicket(pipeline: "a", token: token)
    }

    private func plan(
        _ partitions: [String] = ["x", "y", "z"], digest: String = "d", values: [String] = []
    ) -> SharedPlan {
        SharedPlan(
            pipeline: "a", stream: "s", definition: ShareDefinition(fingerprint: "f", values: values),
            startedAt: "2026-01-01T00:00:00Z", digest: digest, partitions: partitions)
    }

    private func share(
        _ partitions: [String] = ["x", "y", "z"], values: [String] = []
    ) throws -> PartitionShare {
        try ledger().open(plan(partitions, values: values), by: claim(1)).share
    }

    private func answer(_ claim: PartitionClaim, _ state: PartitionAnswer.State = .read) -> PartitionAnswer {
        PartitionAnswer(position: claim.position, state: state, text: "of \(claim.partition)", place: "")
    }

    /// The leases of all that is claimed are over.
    private func lapse() throws {
        try editor.execute(
            "UPDATE \(place.table("_sluice_partitions")) SET until = now() - interval '1 second' WHERE until IS NOT NULL"
        )
    }

    private func shares() throws -> [PoolShare] {
        var found: [PoolShare] = []
        try #require(place.store().schedule.pool).poll(as: "one") { _, _ in
            []
        } decide: { view in
            found = view.shares
            return PoolChanges(pool: view.pool, rows: ScheduleRows())
        }
        return found
    }

    @Test func eachPartitionIsOneReadersAtATime() throws {
        let share = try share()
        #expect(share.lease == 30 && share.pipeline == "a" && share.stream == "s" && share.definition == "f")
        let (first, second) = (try ledger(), try ledger())
        #expect(try second.share(share.id) == share)
        #expect(try shares() == [PoolShare(id: share.id, pipeline: "a")])
        let own = try first.claim(2, of: share, as: Self.one)
        #expect(own.map(\.partition) == ["x", "y"] && own.map(\.position) == [0, 1])
        #expect(try second.claim(2, of: share, as: Self.two).map(\.partition) == ["z"])
        #expect(try second.claim(2, of: share, as: Self.two).isEmpty)
        #expect(try first.openCounts(of: share) == (0, 3))
        let pool = try #require(try place.store().schedule.pool?.read()).pool
        #expect(
            pool.helps.map(\.worker) == ["one", "two"] && pool.helps.allSatisfy { $0.pipeline == "a" && $0.since > 0 })
        // Nobody is asked to help with what others read.
        #expect(try shares().isEmpty)
        try second.release(share, of: Self.two)
        #expect(try first.openCounts(of: share) == (1, 2))
        #expect(try shares().count == 1)
    }

    @Test func whoIsSilentIsReplacedAndKeepsNothing() throws {
        let share = try share(["x"])
        let (first, second) = (try ledger(), try ledger())
        let late = try first.claim(1, of: share, as: Self.one)[0]
        try lapse()
        #expect(try second.openCounts(of: share) == (1, 0))
        // Who is heard of in time keeps it.
        try first.renew(share, of: Self.one)
        #expect(try second.claim(1, of: share, as: Self.two).isEmpty)
        try lapse()
        let next = try second.claim(1, of: share, as: Self.two)[0]
        #expect(next.token > late.token)
        let page = SharedPage(name: "/x", packed: [1, 2, 3], count: 5)
        #expect(try !first.keep(answer(late), [page], by: late, of: share, as: Self.one))
        #expect(try first.pages(at: 0, of: share).isEmpty)
        // It says that it is there, which is nothing to what another one has.
        try first.renew(share, of: Self.one)
        try first.release(share, of: Self.one)
        #expect(try second.keep(answer(next), [page, page], by: next, of: share, as: Self.two))
        #expect(try !second.keep(answer(next), [page], by: next, of: share, as: Self.two))
        let pages = try first.pages(at: 0, of: share)
        #expect(pages.map(\.packed) == [[1, 2, 3], [1, 2, 3]] && pages.map(\.count) == [5, 5])
        let found = try #require(try first.answers(of: share).first)
        #expect(found.state == .read && found.text == "of x" && found.place == "at two")
        try lapse()
        #expect(try first.claim(1, of: share, as: Self.one).isEmpty)
    }

    /// A lease that began at a time which is yet to come tells nothing: the server's clock was put back since.
    @Test func aClaimOfATimeThatIsYetToComeHoldsNothing() throws {
        let share = try share(["x"])
        let (first, second) = (try ledger(), try ledger())
        let late = try first.claim(1, of: share, as: Self.one)[0]
        try editor.execute(
            "UPDATE \(place.table("_sluice_partitions")) SET since = since + interval '1 hour', until = until + interval '1 hour'"
        )
        #expect(try second.openCounts(of: share) == (1, 0))
        let next = try second.claim(1, of: share, as: Self.two)[0]
        #expect(next.token > late.token)
        #expect(try second.openCounts(of: share) == (0, 1))
    }

    /// Whoever renews such a claim lives on, and keeps it.
    @Test func aClaimThatIsRenewedOnceTheClockWasPutBackHolds() throws {
        let share = try share(["x"])
        let (first, second) = (try ledger(), try ledger())
        let held = try first.claim(1, of: share, as: Self.one)[0]
        try editor.execute(
            "UPDATE \(place.table("_sluice_partitions")) SET since = since + interval '1 hour', until = until + interval '1 hour'"
        )
        // What is free for others is shown as held by none.
        #expect(try helpers() == [])
        try first.renew(share, of: Self.one)
        #expect(try helpers() == ["one"])
        #expect(try second.openCounts(of: share) == (0, 1))
        #expect(try second.claim(1, of: share, as: Self.two).isEmpty)
        #expect(try first.claim(1, of: share, as: Self.one).isEmpty)
        #expect(try first.keep(answer(held), [], by: held, of: share, as: Self.one))
    }

    private func helpers() throws -> [String] {
        try #require(try place.store().schedule.pool?.read()).pool.helps.map(\.worker)
    }

    /// What a helper cannot read is the run's to read, and no helper's until another attempt begins.
    @Test func whatAHelperGivesBackTheRunAloneReads() throws {
        let share = try share(["x", "y"])
        let (run, helper) = (try ledger(), try ledger())
        let claims = try helper.claim(2, of: share, as: Self.two)
        for claim in claims {
            #expect(try helper.keep(answer(claim, .open), [], by: claim, of: share, as: Self.two))
        }
        // It has nothing in hand any more: neither is heard of it, nor does it give back what others have.
        try helper.renew(share, of: Self.two)
        #expect(try run.openCounts(of: share) == (2, 0))
        #expect(try helper.claim(2, of: share, as: Self.two).isEmpty && shares().isEmpty)
        let own = try run.claim(1, of: share, as: Self.one)
        #expect(own.map(\.partition) == ["x"])
        #expect(own.map(\.givenBack) == [.init(text: "of x", place: "at two")])
        try helper.release(share, of: Self.two)
        #expect(try run.keep(answer(own[0]), [], by: own[0], of: share, as: Self.one))
        #expect(try run.answers(of: share).map(\.place) == ["at one", "at two"])
        // Another attempt may be that of a service that can read what this one cannot.
        let second = try run.open(plan(["x", "y"]), by: claim(2)).share
        #expect(second.id == share.id)
        #expect(try helper.claim(2, of: share, as: Self.two).map(\.givenBack) == [nil])
    }

    struct Attempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var due: Int64? = 60
        var digest = "d"
        var former: [String] = []
        var values: [String] = []
        let goesOn: Bool
    }

    static let attempts = [
        Attempt(testDescription: "the same", goesOn: true),
        Attempt(testDescription: "another due time", due: 120, goesOn: false),
        Attempt(testDescription: "a run that somebody asked for", due: nil, goesOn: false),
        Attempt(testDescription: "other partitions", digest: "e", goesOn: false),
        Attempt(
            testDescription: "the same values of variables", former: ["north"], values: ["north"], goesOn: true),
        Attempt(testDescription: "other values of variables", former: ["north"], values: ["south"], goesOn: false),
        Attempt(testDescription: "variables where there were none", values: ["north"], goesOn: false),
    ]

    /// The run is lost once one partition was read and another one could not be.
    @Test(arguments: attempts)
    func anotherAttemptGoesOn(attempt: Attempt) throws {
        let first = try share(values: attempt.former)
        let ledger = try ledger()
        let claims = try ledger.claim(3, of: first, as: Self.two)
        #expect(try ledger.keep(answer(claims[0]), [], by: claims[0], of: first, as: Self.two))
        #expect(try ledger.keep(answer(claims[1], .failed), [], by: claims[1], of: first, as: Self.two))
        let next = plan(digest: attempt.digest, values: attempt.values)
        let second = try ledger.open(next, by: claim(2, due: attempt.due)).share
        #expect((second.id == first.id) == attempt.goesOn)
        let states = try ledger.answers(of: second).map(\.state)
        #expect(states == [attempt.goesOn ? .read : .open, .open, .open])
        if attempt.goesOn {
            // Who reads for the first attempt reads for the second one.
            #expect(try ledger.keep(answer(claims[2]), [], by: claims[2], of: first, as: Self.two))
        } else {
            #expect(try !ledger.keep(answer(claims[2]), [], by: claims[2], of: first, as: Self.two))
            #expect(try ledger.share(first.id) == nil && ledger.claim(1, of: first, as: Self.two).isEmpty)
            #expect(try ledger.answers(of: first).isEmpty)
        }
    }

    @Test func aRunSharesByItsClaimAlone() throws {
        _ = try claim(2)
        let error = #expect(throws: StoreError.self) {
            try ledger().open(plan(), by: PoolTicket(pipeline: "a", token: 1))
        }
        #expect(error?.code == .superseded)
        #expect(try shares().isEmpty)
    }

    /// What waited goes with the run that takes it, and not where that is taken back.
    @Test func whatWaitedGoesWithTheRun() throws {
        let share = try share(["x"])
        let ledger = try ledger()
        let claim = try ledger.claim(1, of: share, as: Self.two)[0]
        #expect(
            try ledger.keep(
                answer(claim), [SharedPage(name: "", packed: [1], count: 1)], by: claim, of: share, as: Self.two))
        let store = try place.store()
        try store.begin()
        try store.partitions?.conclude(pipeline: "a", stream: "s", run: 7)
        store.rollback()
        #expect(try ledger.pages(at: 0, of: share).count == 1 && ledger.share(share.id) == share)
        try store.begin()
        try store.partitions?.conclude(pipeline: "a", stream: "s", run: 7)
        try store.commit()
        #expect(try ledger.pages(at: 0, of: share).isEmpty && ledger.share(share.id) == nil)
        // Who read what stays.
        #expect(try ledger.answers(of: share).map(\.place) == ["at two"])
        #expect(try editor.integer("SELECT run FROM \(place.table("_sluice_shares"))") == 7)
    }

    private func schema(_ pipeline: String, formerly: String? = nil) -> RecordSchema {
        var schema = RecordSchema(
            pipeline: pipeline, stream: "s", entity: "Item", table: "items",
            fields: [RecordSchema.Field(name: "id", column: "id", type: .int)], keyFields: [0], unique: [])
        schema.formerly.pipeline = formerly
        return schema
    }

    /// Nobody looks any more for what waits under an earlier name.
    @Test func whatWaitedGoesWithTheNameOfThePipeline() throws {
        let share = try share(["x"])
        let ledger = try ledger()
        let claim = try ledger.claim(1, of: share, as: Self.two)[0]
        let page = SharedPage(name: "", packed: [1], count: 1)
        #expect(try ledger.keep(answer(claim), [page], by: claim, of: share, as: Self.two))
        let store = try place.store()
        try store.begin()
        _ = try store.openTable(schema("a"))
        try store.commit()
        #expect(try ledger.pages(at: 0, of: share).count == 1)
        try store.begin()
        _ = try store.followNames(of: schema("b", formerly: "a"))
        try store.commit()
        for table in ["_sluice_shares", "_sluice_partitions", "_sluice_partition_pages"] {
            #expect(try editor.integer("SELECT count(*) FROM \(place.table(table))") == 0, "\(table)")
        }
    }

    /// `store check` tells of pages that wait, but for those of a run that is going.
    @Test func aCheckTellsOfWhatWaits() throws {
        let share = try share(["x"])
        let ledger = try ledger()
        let claim = try ledger.claim(1, of: share, as: Self.two)[0]
        let page = SharedPage(name: "", packed: [1], count: 1)
        #expect(try ledger.keep(answer(claim), [page, page], by: claim, of: share, as: Self.two))
        func findings() throws -> [StoreFinding] {
            try place.store().findings(telling: { _ in }) { [] }.filter { $0.table == "_sluice_partition_pages" }
        }
        #expect(try findings() == [])
        try editor.execute("DELETE FROM \(place.table("_sluice_claims"))")
        let found = try #require(try findings().first)
        #expect(found.check == .runs && found.verdict == .note && found.count == 2)
        #expect(found.message == "2 pages of `a/s` that services read together wait for a run.")
        let store = try place.store()
        try store.begin()
        try store.partitions?.conclude(pipeline: "a", stream: "s", run: 7)
        try store.commit()
        #expect(try findings() == [])
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var pipeline = "a"
        var command = "run"
        var status = "succeeded"
        var keepsPages = false
        let ends: Bool
    }

    static let endings = [
        Ending(testDescription: "a run by hand", ends: true),
        Ending(testDescription: "one that is partial", status: "partial", ends: true),
        Ending(testDescription: "an undo", command: "undo", ends: true),
        Ending(
            testDescription: "one that was stopped behind a page", status: "interrupted", keepsPages: true, ends: true),
        Ending(testDescription: "a decision on conflicts", command: RunEntry.resolveCommand, ends: false),
        Ending(testDescription: "a decision on the quarantine", command: RunEntry.dropCommand, ends: false),
        Ending(
            testDescription: "records of the quarantine that are tried again", command: RunEntry.retryCommand,
            ends: false),
        Ending(testDescription: "one that was stopped", status: "interrupted", ends: false),
        Ending(testDescription: "one that failed", status: "failed", ends: false),
        Ending(testDescription: "one of another pipeline", pipeline: "b", ends: false),
    ]

    /// What was read before a run is older than its rows: nothing goes on with it, and nothing of it stays.
    @Test(arguments: endings)
    func whatWasReadEndsWithAnyRunThatIsCommitted(ending: Ending) throws {
        let first = try share(["x", "y"])
        let ledger = try ledger()
        let claims = try ledger.claim(2, of: first, as: Self.two)
        let page = SharedPage(name: "/x", packed: [1], count: 1)
        #expect(try ledger.keep(answer(claims[0]), [page], by: claims[0], of: first, as: Self.two))
        let store = try place.store()
        try store.begin()
        var entry = RunEntry.sample(5, pipeline: ending.pipeline, command: ending.command)
        entry.status = ending.status
        if ending.keepsPages { entry.changes = .kept }
        try store.runs.record(entry)
        try store.commit()
        // A reader that comes late leaves nothing either.
        #expect(try ledger.keep(answer(claims[1]), [page], by: claims[1], of: first, as: Self.two) == !ending.ends)
        let pages = try editor.integer("SELECT count(*) FROM \(place.table("_sluice_partition_pages"))")
        #expect(pages == (ending.ends ? 0 : 2))
        let second = try ledger.open(plan(["x", "y"]), by: claim(2)).share
        #expect((second.id == first.id) == !ending.ends)
        #expect(try ledger.answers(of: second).map(\.state) == (ending.ends ? [.open, .open] : [.read, .read]))
    }
}
