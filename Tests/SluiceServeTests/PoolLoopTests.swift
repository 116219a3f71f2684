import SluicePostgres
import SluiceSchedule
import SluiceServeModel
import SluiceStore
import SluiceStores
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceServe

/// Services that share a store on PostgreSQL. Their own clocks are wrong: what is due and who is late the server says.
@Suite struct PoolLoopTests {
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection

    init() throws {
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning")
    }

    private func clean() { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    private func scene(_ schedules: [String: String], off seconds: Double = 0) throws -> ServeScene {
        let scene = try ServeScene(schedules, store: StoreAddress(place.store))
        scene.settings.place = "scene"
        scene.clock.turn(seconds)
        return scene
    }

    /// The workers have not been heard of for an hour.
    private func silence() throws {
        try connection.execute(
            "UPDATE \(place.schema)._sluice_workers SET seen = seen - interval '1 hour', started = started - interval '1 hour'"
        )
    }

    private func outcomes(in schema: String? = nil) throws -> [String] {
        try connection.run(
            """
            SELECT pipeline || ' ' || attempt || ' ' || coalesce(outcome, '…')
            FROM \(schema ?? place.schema)._sluice_schedule_runs ORDER BY pipeline, attempt
            """
        ).values.map { row in
            if case .text(let bytes)? = row.first { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
    }

    /// A second passes for a scene, so that it looks at its pool.
    private func look(_ scene: ServeScene) { scene.pass(1) }

    @Test func eachDueTimeIsRunByOneOfThem() throws {
        defer { clean() }
        let schedules = Dictionary(uniqueKeysWithValues: (0..<4).map { ("p\($0)", "schedule: {every: 1h}") })
        let (one, two) = (try scene(schedules), try scene(schedules, off: 86_400))
        try one.start()
        try two.start()
        look(one)
        #expect(one.runner.children.map(\.order.run.pipeline).sorted() == ["p0", "p1"])
        #expect(two.runner.children.map(\.order.run.pipeline).sorted() == ["p2", "p3"])
        #expect(Set(one.runner.children.compactMap(\.order.claim)).count == 2)
        one.runner.children[0].end("succeeded", storeRun: 1)
        look(one)
        look(two)
        #expect(one.runner.children.count == 2 && two.runner.children.count == 2)
        #expect(try outcomes() == ["p0 1 succeeded", "p1 1 …", "p2 1 …", "p3 1 …"])
        let crew = try one.control.status().crew
        #expect(crew.count == 2 && crew.filter(\.isThis).count == 1)
        #expect(crew.flatMap { $0.tasks.map(\.pipeline) }.sorted() == ["p1", "p2", "p3"])
    }

    /// A server that takes connections and says nothing holds the loop up for a moment, and more and more rarely: what fills other
    /// stores is run meanwhile, and the service says what is wrong.
    @Test(.timeLimit(.minutes(1))) func aSilentServerHoldsUpNobodyElse() throws {
        let server = try SilentServer()
        let scene = try ServeScene(["own": "schedule: {every: 5s}", "silent": "schedule: {every: 5s}"])
        scene.program.places["silent"] = StoreAddress(
            "postgres://me@127.0.0.1:\(server.port)/shop?connect_timeout=300")
        let start = ContinuousClock.now
        try scene.start()
        scene.pass(2)
        scene.runner.children.first?.end("succeeded", storeRun: 1)
        scene.pass(10)
        // One try of three seconds, and none for half a minute of the scene.
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(scene.starts.count { $0.hasPrefix("own@") } == 2, "\(scene.starts)")
        let status = try scene.control.status()
        #expect(status.trouble?.contains("does not answer") == true, "\(String(describing: status.trouble))")
    }

    @Test func aServiceThatIsSilentIsReplacedAndKeepsNothing() throws {
        defer { clean() }
        let (one, two) = (try scene(["a": "schedule: {every: 1h}"]), try scene(["a": "schedule: {every: 1h}"]))
        try one.start()
        try two.start()
        #expect(one.runner.children.count == 1 && two.runner.children.isEmpty)
        look(two)
        #expect(two.runner.children.isEmpty)
        try silence()
        look(two)
        #expect(two.runner.children.count == 1)
        let claims = [one, two].map { $0.runner.children[0].order.claim ?? 0 }
        #expect(claims[0] < claims[1])
        #expect(try outcomes() == ["a 1 lost", "a 2 …"])
        let told = two.program.messages.filter { $0.kind == .takenOver }
        #expect(told.count == 1 && told[0].text.contains("is taken from scene"), "\(told)")
        // The first one comes back, and its run with it.
        look(one)
        #expect(one.runner.children[0].signals == ["kill"])
        one.runner.children[0].end(nil, code: -9)
        look(one)
        #expect(try one.control.status().pipeline(named: "a")?.lastRun?.outcome == .superseded)
        two.runner.children[0].end("succeeded", storeRun: 2)
        look(two)
        #expect(try outcomes() == ["a 1 lost", "a 2 succeeded"])
        #expect(one.program.notices.isEmpty)
    }

    /// What a run had committed before its service fell silent stands, and the service says so once it is back.
    @Test(arguments: [nil, "succeeded"]) func aRunThatHadCommittedBeforeItsServiceWasReplaced(status: String?) throws {
        defer { clean() }
        let (one, two) = (try scene(["a": "schedule: {every: 1h}"]), try scene(["a": "schedule: {every: 1h}"]))
        try one.start()
        try two.start()
        try connection.execute("UPDATE \(place.schema)._sluice_claims SET outcome = 'succeeded'")
        try silence()
        look(two)
        #expect(try outcomes() == ["a 1 succeeded"])
        #expect(two.runner.children.isEmpty)
        look(one)
        #expect(one.runner.children[0].signals == ["kill"])
        one.runner.children[0].end(status, code: status == nil ? -9 : 0)
        look(one)
        #expect(try one.control.status().pipeline(named: "a")?.lastRun?.outcome == .succeeded)
        #expect(try outcomes() == ["a 1 succeeded"])
        #expect(one.program.notices.isEmpty)
    }

    @Test func aServiceThatIsStartedAgainLeavesItsRunsToTheLease() throws {
        defer { clean() }
        let one = try scene(["a": "schedule: {every: 1h}"])
        try one.start()
        one.kill()
        try one.start()
        #expect(one.runner.children.isEmpty)
        #expect(try one.control.status().crew.count == 2)
        try silence()
        look(one)
        #expect(one.runner.children.count == 1)
        #expect(try outcomes() == ["a 1 lost", "a 2 …"])
    }

    /// A reload does not let go a run that is going.
    @Test func aPipelineThatIsRemovedWhileItRuns() throws {
        defer { clean() }
        let one = try scene(["a": "schedule: {every: 1h}", "b": ""])
        try one.start()
        #expect(one.runner.children.map(\.order.run.pipeline) == ["a"])
        FileSystem.remove(one.directory.file("pipelines/a.yaml"))
        one.pass(10)
        #expect(try one.control.status().pipelines.map(\.name) == ["b"])
        #expect(one.runner.children[0].signals.isEmpty)
        one.runner.children[0].end("succeeded", storeRun: 1)
        look(one)
        #expect(try connection.integer("SELECT count(*) FROM \(place.schema)._sluice_claims") == 0)
        #expect(try outcomes() == ["a 1 succeeded"])
        one.service?.end()
        look(one)
        #expect(one.loop?.hasEnded == true)
    }

    /// A run ends in the store where it began. The store to which its pipeline moves gets one of its own.
    @Test func aPipelineThatMovesWhileItRuns() throws {
        defer { clean() }
        let there = try PostgresSchemaURL()
        defer { try? connection.execute("DROP SCHEMA IF EXISTS \(there.schema) CASCADE") }
        let one = try scene(["a": "schedule: {every: 1h}"])
        try one.start()
        one.program.address = try #require(StoreAddress(there.store))
        try one.write("a", "description: moved\nschedule: {every: 1h}")
        one.pass(10)
        #expect(one.runner.children.map(\.order.run.attempt) == [1, 2])
        one.runner.children[0].end("succeeded", storeRun: 1)
        one.runner.children[1].end("failed", code: 78)
        look(one)
        #expect(try outcomes() == ["a 1 succeeded"])
        #expect(try outcomes(in: there.schema) == ["a 1 lost", "a 2 failed"])
        for schema in [place.schema, there.schema] {
            #expect(try connection.integer("SELECT count(*) FROM \(schema)._sluice_claims") == 0)
        }
        one.service?.end()
        look(one)
        #expect(one.loop?.hasEnded == true)
    }

    /// Files reach the machines one after the other: who gets one last knows what the others have done with it.
    @Test func aPipelineThatComesLater() throws {
        defer { clean() }
        let every = "schedule: {every: 1h}"
        let (one, two) = (try scene(["a": every, "b": ""]), try scene(["b": ""]))
        try one.start()
        try two.start()
        one.runner.children[0].end("succeeded", storeRun: 1)
        look(one)
        look(two)
        try two.write("a", every)
        two.pass(10)
        #expect(try two.control.status().pipelines.map(\.name) == ["a", "b"])
        #expect(two.runner.children.isEmpty)
        #expect(try outcomes() == ["a 1 succeeded"])
    }

    /// What is due is left to who has the file.
    @Test func aFileThatIsGoneClaimsNothing() throws {
        defer { clean() }
        let every = "schedule: {every: 1h, retry: {max_attempts: 2, base: 0s}}"
        let (one, two) = (try scene(["a": every, "b": ""]), try scene(["a": every]))
        try one.start()
        FileSystem.remove(one.directory.file("pipelines/a.yaml"))
        one.runner.children[0].end("failed", code: 1)
        look(one)
        #expect(one.runner.children.count == 1)
        #expect(try connection.integer("SELECT count(*) FROM \(place.schema)._sluice_claims") == 0)
        try two.start()
        #expect(two.runner.children.count == 1)
        #expect(try outcomes() == ["a 1 failed_for_now", "a 2 …"])
        look(one)
        #expect(one.runner.children.count == 1 && one.program.notices.isEmpty)
    }

    /// The clock of the machine is a day behind.
    @Test func aChangedScheduleHoldsFromWhenItWasReadByTheServersTime() throws {
        defer { clean() }
        let one = try scene(["a": "schedule: {cron: '0 0 29 2 *'}"], off: -86_400)
        try one.start()
        one.kill()
        try connection.execute("UPDATE \(place.schema)._sluice_schedule_marks SET decided = decided - 7200")
        try one.write("a", "schedule: {cron: '0 * * * *'}")
        try one.start()
        look(one)
        #expect(one.runner.children.isEmpty)
    }

    @Test func whatPeopleAskForIsClaimed() throws {
        defer { clean() }
        let (one, two) = (try scene(["a": ""]), try scene(["a": ""]))
        try one.start()
        try two.start()
        _ = try one.control.start(pipeline: "a", .run, by: "Ann")
        look(one)
        #expect(one.runner.children.count == 1 && one.runner.children[0].order.claim != nil)
        _ = try two.control.start(pipeline: "a", .run, by: "Bob")
        look(two)
        #expect(two.runner.children.isEmpty)
        #expect(try two.control.status().pipeline(named: "a")?.waiting.count == 1)
        // A plan changes nothing, and needs no claim.
        _ = try two.control.start(pipeline: "a", .plan, by: "Bob")
        look(two)
        #expect(two.runner.children.map(\.order.run.kind) == [.plan])
        one.runner.children[0].end("succeeded", storeRun: 1)
        look(one)
        look(two)
        #expect(two.runner.children.map(\.order.run.kind) == [.plan, .run])
    }

    /// A run is killed between its commit, which says in its claim what it came to, and the next look of its service.
    @Test(arguments: ["succeeded", "partial", nil] as [String?], [true, false])
    func aRunThatIsKilledBehindItsCommit(_ status: String?, isAskedFor: Bool) throws {
        defer { clean() }
        let one = try scene(["a": isAskedFor ? "" : "schedule: {every: 1h}"], off: -86_400)
        try one.start()
        if isAskedFor {
            _ = try one.control.start(pipeline: "a", .run, by: "Ann")
            look(one)
        }
        let run = try #require(one.runner.children.first)
        if let status {
            let store = try #require(StoreAddress(place.store)).backend.open(
                .running, StoreWaiting(busyMilliseconds: 1_000))
            try store.begin()
            for (id, second) in [(Int64(1), -60), (2, 0)] {
                let time = MomentText.of(try #require(run.order.run.startedAt) + Int64(second))
                try store.runs.record(
                    RunEntry(id: id, pipeline: "a", command: "run", status: status, startedAt: time))
            }
            try store.commit()
            let outcome: RunOutcome = status == "succeeded" ? .succeeded : .failedForNow
            try connection.execute("UPDATE \(place.schema)._sluice_claims SET outcome = '\(outcome.rawValue)'")
        }
        run.end(nil, code: -9)
        look(one)
        let last = try #require(try one.control.status().pipeline(named: "a")?.lastRun)
        #expect(last.outcome?.rawValue == status ?? "failed")
        #expect(last.storeRun == (status == nil ? nil : 2))
        let told = try #require(one.program.messages.last { $0.kind == .runEnded })
        #expect(told.text.contains("run 2 of the store") == (status != nil), "\(told.text)")
        #expect(told.text.contains("signal 9") == (status == nil), "\(told.text)")
        #expect(try outcomes() == (isAskedFor ? [] : ["a 1 \(status == "succeeded" ? "succeeded" : "failed_for_now")"]))
    }

    @Test func whoLeavesFinishesFirst() throws {
        defer { clean() }
        let (one, two) = (try scene(["a": "schedule: {every: 1h}"]), try scene(["a": "schedule: {every: 1h}"]))
        try one.start()
        try two.start()
        one.service?.end()
        look(one)
        #expect(one.loop?.hasEnded == false)
        one.runner.children[0].end("succeeded", storeRun: 1)
        look(one)
        #expect(one.loop?.hasEnded == true)
        look(two)
        #expect(try outcomes() == ["a 1 succeeded"])
        #expect(two.runner.children.isEmpty)
        #expect(try two.control.status().crew.map(\.isThis) == [true])
        #expect(try connection.integer("SELECT count(*) FROM \(place.schema)._sluice_workers") == 1)
    }

    // MARK: Shares

    /// What a run of `a` shares; its partition is free.
    private func share(_ id: Int64) throws {
        try connection.execute(
            """
            DELETE FROM \(place.schema)._sluice_shares;
            INSERT INTO \(place.schema)._sluice_shares (id, pipeline, stream, definition, digest, started_at, lease)
            VALUES (\(id), 'a', 'books', '', '', '', 60);
            INSERT INTO \(place.schema)._sluice_partitions (share, position, part) VALUES (\(id), 0, '[]')
            """)
    }

    @Test func whoHasTimeReadsForTheRunOfAnother() throws {
        defer { clean() }
        let schedules = ["a": "schedule: {every: 1h}"]
        let (one, two) = (try scene(schedules), try scene(schedules))
        try one.start()
        try two.start()
        #expect(one.runner.children.count == 1 && two.runner.children.isEmpty)
        try share(7)
        look(one)
        look(two)
        // The service that has the run needs no help of its own.
        #expect(one.runner.children.count == 1)
        let helper = try #require(two.runner.children.first)
        #expect(helper.order.share?.share == 7 && helper.order.claim == nil)
        let worker = try one.control.status().crew.first { !$0.isThis }
        #expect(helper.order.share?.worker == worker?.id)
        #expect(two.program.messages.filter { $0.kind == .helped }.count == 1)
        // It is no run of the service.
        #expect(try two.control.status().pipeline(named: "a")?.running == nil)
        look(two)
        #expect(two.runner.children.count == 1)
        // It found nothing more: for a lease, it is not started again.
        helper.end(nil)
        look(two)
        #expect(two.runner.children.count == 1)
        #expect(try two.control.status().pipeline(named: "a")?.lastRun == nil)
        two.pass(61)
        #expect(two.runner.children.count == 2)
    }

    @Test func whatReadsForOthersTakesASlotAndEndsWithTheService() throws {
        defer { clean() }
        let (one, two) = (
            try scene(["a": "schedule: {every: 1h}"]), try scene(["a": "schedule: {every: 1h}", "b": ""])
        )
        two.settings.workers = 1
        try one.start()
        try two.start()
        try share(7)
        look(two)
        #expect(two.runner.children.count == 1)
        _ = try two.control.start(pipeline: "b", .run, by: "Bob")
        look(two)
        #expect(two.runner.children.count == 1)
        two.service?.end()
        look(two)
        #expect(two.runner.children[0].signals == ["terminate"] && two.loop?.hasEnded == false)
        two.pass(31)
        #expect(two.runner.children[0].signals == ["terminate", "kill"])
        two.runner.children[0].end(nil, code: -9, error: "killed")
        look(two)
        #expect(two.loop?.hasEnded == true)
    }

    @Test func whoReadsForWhomIsShown() throws {
        defer { clean() }
        let schedules = ["a": "schedule: {every: 1h}"]
        let (one, two) = (try scene(schedules), try scene(schedules))
        try one.start()
        try two.start()
        try share(7)
        look(two)
        let helper = try #require(two.runner.children.first?.order.share?.worker)
        let holder = try #require(try one.control.status().crew.first(where: \.isThis)?.id)
        for (reader, tasks) in [(helper, [false, true]), (holder, [false])] {
            try connection.execute(
                """
                UPDATE \(place.schema)._sluice_partitions
                SET worker = '\(reader)', since = now(), until = now() + interval '1 hour'
                """)
            // The services are shown anew every five seconds, unless one of them takes a run or comes.
            one.pass(6)
            let crew = try one.control.status().crew
            // Who has the run reads for itself.
            #expect(crew.flatMap(\.tasks).map(\.helps).sorted { !$0 && $1 } == tasks)
            #expect(crew.flatMap(\.tasks).allSatisfy { $0.pipeline == "a" })
            #expect(crew.first { $0.id == helper }?.tasks.count == tasks.count - 1)
        }
    }

    /// Whatever ends it is told, and the run goes on without it.
    @Test func whatCannotReadForOthersIsTold() throws {
        defer { clean() }
        let schedules = ["a": "schedule: {every: 1h}"]
        let (one, two) = (try scene(schedules), try scene(schedules))
        try one.start()
        try two.start()
        try share(7)
        look(two)
        let ends: [(code: Int32, error: String?, words: String)] = [
            (69, "fetch_failed", "others read what is left. It failed."), (-9, nil, "was ended by the signal 9."),
            (70, nil, "ended with the exit code 70."),
        ]
        for (index, end) in ends.enumerated() {
            try #require(two.runner.children.last).end(nil, code: end.code, error: end.error)
            look(two)
            let told = two.program.messages.filter { $0.kind == .helpFailed }
            #expect(told.count == index + 1 && told.last?.text.hasSuffix(end.words) == true, "\(told)")
            two.pass(61)
            #expect(two.runner.children.count == index + 2)
        }
        #expect(two.program.notices.isEmpty)
    }
}
