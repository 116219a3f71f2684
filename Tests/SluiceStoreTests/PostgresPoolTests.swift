import SluicePostgres
import SluicePostgresStore
import SluiceSchedule
import SluiceStore
import Testing

/// The workers of a store on PostgreSQL: looks that follow each other, and commits that need a claim.
@Suite struct PostgresPoolTests {
    private let place: PostgresPlace

    init() throws {
        place = try PostgresPlace()
        try place.store().prepare()
    }

    private func pool(_ store: PostgresStore) throws -> any SchedulePool { try #require(store.schedule.pool) }

    private func holding(_ token: Int64) throws -> PostgresStore {
        try PostgresStore(
            PostgresStoreAddress(place.url), lockTimeoutMilliseconds: 1_000,
            ticket: PoolTicket(pipeline: "a", token: token))
    }

    /// Has a worker claim `a`, whoever has it, without cutting that one off.
    private func claim(_ token: Int64, for worker: String, in store: PostgresStore) throws {
        try pool(store).poll(as: worker) { _, _ in
            []
        } decide: { view in
            var pool = view.pool
            pool.workers[worker] = PoolWorker(
                id: worker, place: "here", slots: 2, lease: 60, startedAt: view.now)
            pool.lastToken = token
            pool.claims["a"] = PoolClaim(
                pipeline: "a", attempt: AttemptID(due: DueTimeID(pipeline: "a", moment: 60), number: 1), worker: worker,
                token: token, since: view.now)
            return PoolChanges(pool: pool, rows: ScheduleRows())
        }
    }

    private func row(_ number: Int64) throws -> DueTime {
        DueTime(
            id: DueTimeID(pipeline: "a", moment: number), attempts: [], retryAt: nil, isLate: false,
            settlement: .run(.succeeded))
    }

    @Test func whatOneWritesAnotherReads() throws {
        #expect(try place.store().schedule.pool?.read() == nil)
        let store = try place.store()
        try claim(7, for: "one", in: store)
        let found = try #require(try place.store().schedule.pool?.read())
        #expect(found.pool.lastToken == 0 && found.pool.claims["a"]?.token == 7)
        #expect(found.pool.claims["a"]?.attempt?.due.moment == 60)
        #expect(found.pool.workers["one"]?.lease == 60)
        let age = found.now - (found.pool.workers["one"]?.seenAt ?? 0)
        #expect(age >= 0 && age < 60)
    }

    /// Who looks again is told of what changed alone.
    @Test func rowsOfPipelinesThatChangedAreRead() throws {
        let (one, two) = (try place.store(), try place.store())
        var seen: [Set<String>] = []
        func look(_ store: PostgresStore, _ name: String? = nil) throws {
            try pool(store).poll(as: "w") { _, _ in
                []
            } decide: { view in
                seen.append(Set(view.changed.marks.keys))
                var rows = ScheduleRows()
                if let name {
                    rows.marks[name] = .init(decided: 60, forgotten: nil)
                    rows.dueTimes = name == "a" ? [try row(60)] : []
                }
                return PoolChanges(pool: view.pool, rows: rows)
            }
        }
        try look(one, "a")
        try look(two, "b")
        try look(two)
        try look(one)
        try look(one)
        #expect(seen == [[], ["a"], [], ["b"], []])
        #expect(try place.store().schedule.read().dueTimes == [row(60)])
    }

    @Test func aRunCommitsByItsClaimAlone() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let run = try holding(1)
        try run.begin()
        try run.runs.record(.sample(1))
        try run.commit()
        try claim(2, for: "two", in: worker)
        try run.begin()
        try run.runs.record(.sample(2))
        let error = #expect(throws: StoreError.self) { try run.commit() }
        #expect(error?.code == .superseded)
        run.rollback()
        try run.begin()
        #expect(throws: StoreError.self) { try pool(run).settle(PoolTicket(pipeline: "a", token: 1), .succeeded) }
        run.rollback()
        #expect(try place.store().runs.entry(id: 1) != nil && place.store().runs.entry(id: 2) == nil)
    }

    @Test func whatARunComesToIsWrittenWithItsRows() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let run = try holding(1)
        try run.begin()
        try pool(run).settle(PoolTicket(pipeline: "a", token: 1), .succeeded)
        run.rollback()
        #expect(try pool(worker).read()?.pool.claims["a"]?.outcome == nil)
        try run.begin()
        try pool(run).settle(PoolTicket(pipeline: "a", token: 1), .succeeded)
        // A look does not wait for the commit, and leaves the claim alone.
        var committing: [Set<String>] = []
        func look() throws {
            try pool(worker).poll(as: "one") { pool, _ in
                Array(pool.claims.values)
            } decide: { view in
                committing.append(view.committing)
                return PoolChanges(pool: view.pool, rows: ScheduleRows())
            }
        }
        try look()
        try run.commit()
        try look()
        #expect(committing == [["a"], []])
        #expect(try pool(worker).read()?.pool.claims["a"]?.outcome == .succeeded)
    }

    /// A worker is late, and its run commits all the same: nothing is lost, and nothing has to be run again.
    @Test func aRunThatIsCommittingIsNotCutOff() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let run = try holding(1)
        try run.begin()
        try pool(run).settle(PoolTicket(pipeline: "a", token: 1), .succeeded)
        try pool(worker).poll(as: "two") { pool, _ in
            Array(pool.claims.values)
        } decide: { view in
            #expect(view.committing == ["a"])
            return PoolChanges(pool: view.pool, rows: ScheduleRows())
        }
        try run.commit()
        #expect(try pool(worker).read()?.pool.claims["a"]?.outcome == .succeeded)
    }

    /// One that commits nothing loses its connections with its claim.
    @Test func aRunThatIsNotCommittingIsCutOffAtOnce() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let run = try holding(1)
        try run.begin()
        try run.runs.record(.sample(1))
        try pool(worker).poll(as: "two") { pool, _ in
            Array(pool.claims.values)
        } decide: { view in
            #expect(view.committing.isEmpty)
            return PoolChanges(pool: view.pool, rows: ScheduleRows())
        }
        #expect(throws: StoreError.self) { try run.commit() }
    }

    /// The first lock of a run takes the connection that found out whether the store is there; each further one has its own.
    @Test func theFirstLockTakesTheConnectionOfThePresence() throws {
        let token: Int64 = 987_654_321
        try claim(token, for: "one", in: place.store())
        let presence = try PostgresStorePresence {
            try PostgresStore(PostgresStoreAddress(place.url), ticket: PoolTicket(pipeline: "a", token: token))
        }
        func connections() throws -> [[PostgresValue]] {
            try place.connect().run(
                "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'sluice run 987654321 %' ORDER BY backend_start"
            ).values
        }
        let found = try connections()
        #expect(found.count == 1)
        let first = try #require(try presence.lock(number: 7))
        #expect(try connections() == found)
        let second = try #require(try presence.lock(number: 8))
        #expect(try connections().count == 2)
        withExtendedLifetime((first, second)) {}
    }

    /// It is told that it was taken over, whatever it was doing, and by whom.
    @Test func aRunThatIsTakenOverSaysSo() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let ticket = PoolTicket(pipeline: "a", token: 1)
        let lock = try #require(try PostgresStoreLock(PostgresStoreAddress(place.url), number: 5, ticket: ticket))
        let runs = try (0..<3).map { _ in try holding(1) }
        try runs[0].begin()
        try pool(worker).poll(as: "two") { pool, _ in
            Array(pool.claims.values)
        } decide: { view in
            var pool = view.pool
            pool.workers["two"] = PoolWorker(id: "two", place: "over there", slots: 2, lease: 60, startedAt: view.now)
            pool.claims["a"] = PoolClaim(
                pipeline: "a", attempt: view.pool.claims["a"]?.attempt, worker: "two", token: 2, since: view.now)
            return PoolChanges(pool: pool, rows: ScheduleRows())
        }
        let errors: [StoreError?] = [
            #expect(throws: StoreError.self) { try runs[0].commit() },
            #expect(throws: StoreError.self) { _ = try runs[1].runs.entry(id: 1) },
            #expect(throws: StoreError.self) { try runs[2].begin() },
            lock.isHeld ? nil : lock.loss,
        ]
        for error in errors {
            #expect(error?.code == .superseded)
            #expect(error?.message.contains("Another worker (over there) has taken over the run of `a`") == true)
        }
    }

    /// A program that is stopped within a commit would hold its locks for ever.
    @Test func theConnectionsOfARunThatIsTakenOverAreEnded() throws {
        let worker = try place.store()
        try claim(1, for: "one", in: worker)
        let address = try PostgresStoreAddress(place.url)
        let lock = try #require(
            try PostgresStoreLock(address, number: 5, ticket: PoolTicket(pipeline: "a", token: 1)))
        let run = try holding(1)
        try run.begin()
        try pool(run).settle(PoolTicket(pipeline: "a", token: 1), .succeeded)
        // It must have rested for a while, by the server's clock.
        var left = 100_000
        var isFree = false
        while !isFree, left > 0 {
            left -= 1
            try pool(worker).poll(as: "two") { pool, _ in
                Array(pool.claims.values)
            } decide: { view in
                isFree = view.committing.isEmpty
                return PoolChanges(pool: view.pool, rows: ScheduleRows())
            }
        }
        #expect(isFree && !lock.isHeld)
        #expect(throws: StoreError.self) { try run.commit() }
        #expect(try pool(worker).read()?.pool.claims["a"]?.outcome == nil)
        #expect(try PostgresStoreLock(address, number: 5) != nil)
    }

    /// Whoever looks while a run is at work sees it, and takes no lock for that.
    @Test func aLockIsSeen() throws {
        let (backend, subject) = (
            PostgresBackend(address: try PostgresStoreAddress(place.url)), StoreLockSubject.pipeline("a")
        )
        #expect(!backend.isTaken(subject))
        var lock = try PostgresStoreLock(PostgresStoreAddress(place.url), number: subject.number)
        #expect(lock?.isHeld == true && backend.isTaken(subject) && !backend.isTaken(.pipeline("b")))
        lock = nil
        #expect(!backend.isTaken(subject))
    }

    @Test func workersThatBeginAtOnceMakeTheTablesOnce() async throws {
        let url = place.url
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let store = try PostgresStore(PostgresStoreAddress(url), lockTimeoutMilliseconds: 5_000)
                    try store.schedule.pool?.poll(as: "w\(number)") { _, _ in
                        []
                    } decide: { view in
                        var pool = view.pool
                        pool.lastToken += 1
                        return PoolChanges(pool: pool, rows: ScheduleRows())
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = try place.store()
        var token: Int64 = 0
        try pool(store).poll(as: "w") { _, _ in
            []
        } decide: { view in
            token = view.pool.lastToken
            return PoolChanges(pool: view.pool, rows: ScheduleRows())
        }
        #expect(token == 6)
    }
}
