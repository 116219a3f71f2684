import SluiceDiagnostics
import SluicePipeline
import SluiceSQLiteStore
import SluiceSchedule
import SluiceServe
import SluiceServeModel
import SluiceStore
import SluiceSystem
import Synchronization
import TestSupport
import Testing

/// What a service does, with a clock that the test turns.
@Suite struct ServeLoopTests {
    @Test func aRunIsInTheStoreBeforeItIsStarted() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *'}"])
        let found = Mutex<[Int]>([])
        let path = scene.program.store
        scene.runner.watch { order in
            let rows = try? SQLiteRecordStore(path: path, mode: .existing).schedule.read()
            found.withLock { $0.append(rows?.dueTimes.first { $0.id.moment == order.run.due }?.attempts.count ?? 0) }
        }
        try scene.start()
        scene.pass(61)
        #expect(scene.starts == ["a@60 1"])
        #expect(found.withLock { $0 } == [1])
        scene.runner.children[0].end("succeeded", storeRun: 7)
        scene.look()
        #expect(try scene.settled() == ["a@60 succeeded"])
        let run = try #require(try scene.control.run(ofStoreRun: 7, pipeline: "a"))
        #expect(run.outcome == .succeeded && run.seconds == 1 && run.due == 1_767_225_660)
        #expect(try scene.control.status().pipeline(named: "a")?.lastRun == run)
        #expect(try scene.control.status().pipeline(named: "a")?.nextDue == 1_767_225_720)
    }

    @Test func aServiceThatIsStartedAgainGoesOnFromTheStore() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *', retry: {max_attempts: 2, base: 10s}}"])
        try scene.start()
        scene.pass(60)
        scene.runner.children[0].end("succeeded")
        scene.look()
        scene.kill()
        try scene.start()
        #expect(scene.starts.isEmpty)
        scene.pass(60)
        #expect(scene.starts == ["a@120 1"])
        // Its run is gone with it: that counts as interrupted, and is tried again.
        scene.kill()
        scene.clock.pass(5)
        try scene.start()
        #expect(scene.starts.isEmpty)
        let lost = try #require(try scene.control.runs(of: "a", before: nil, limit: 1).first)
        #expect(lost.outcome == .interrupted && lost.error == "The service ended before the run did.")
        scene.pass(11)
        #expect(scene.starts == ["a@120 2"])
    }

    @Test func whileItDoesNotRunDueTimesAreMissed() throws {
        let scene = try ServeScene([
            "once": "schedule: {cron: '0 * * * *'}", "never": "schedule: {cron: '0 * * * *', missed: none}",
        ])
        try scene.start()
        scene.kill()
        scene.clock.pass(3600 * 3 + 90)
        try scene.start()
        #expect(scene.starts == ["once@10800 1"])
        #expect(try scene.settled() == ["never@10800 skipped_missed", "once@10800 …"])
    }

    @Test func aRunThatTakesTooLongIsStopped() throws {
        let scene = try ServeScene([
            "a": "schedule: {cron: '* * * * *', timeout: 10s}\nnotify: [{on: [failed], command: [page-me]}]"
        ])
        try scene.start()
        scene.pass(69)
        let child = scene.runner.children[0]
        #expect(child.signals.isEmpty)
        scene.pass(2)
        #expect(child.signals == ["terminate"])
        scene.pass(30)
        #expect(child.signals == ["terminate", "kill"])
        child.end(nil, code: -9)
        scene.look()
        #expect(try scene.settled() == ["a@60 interrupted"])
        let run = try #require(try scene.control.status().pipeline(named: "a")?.lastRun)
        #expect(run.error == "It took longer than `schedule.timeout`." && run.exitCode == -9)
        // It could not tell of itself.
        #expect(scene.program.notices.map(\.message) == ["It took longer than `schedule.timeout`."])
    }

    @Test func whoHoldsTheStoreHoldsBackStartsAndNoStops() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *', timeout: 70s, overlap: queue}"])
        try scene.start()
        scene.pass(60)
        let other = try SQLiteRecordStore(path: scene.program.store, mode: .existing)
        try other.begin()
        scene.pass(75)
        #expect(scene.starts == ["a@60 1"])
        #expect(scene.runner.children[0].signals == ["terminate"])
        scene.runner.children[0].end(nil, code: -15)
        scene.pass(2)
        #expect(scene.starts == ["a@60 1"])
        #expect(try scene.settled() == ["a@60 …"])
        other.rollback()
        scene.pass(2)
        #expect(scene.starts == ["a@60 1", "a@120 1"])
        #expect(try scene.settled() == ["a@60 interrupted", "a@120 …"])
    }

    @Test func aDueTimeBehindOneThatWaitsSaysForWhom() throws {
        let scene = try ServeScene([
            "a": "schedule: {cron: '* * * * *'}", "b": "schedule: {cron: '* * * * *', after: [a]}",
        ])
        try scene.start()
        scene.pass(120)
        func told(_ name: String) -> [String] {
            scene.program.messages.filter { $0.kind == .skipped && $0.pipeline == name }.map(\.text)
        }
        #expect(told("a") == ["The due time 2026-01-01T00:02:00Z is left out: the run before it is still going."])
        let waited =
            "The due time 2026-01-01T00:02:00Z is left out: the one of 2026-01-01T00:01:00Z still waited for `a`."
        #expect(told("b") == [waited])
        scene.runner.children[0].end("failed", code: 1)
        scene.look()
        let failed = "The due time 2026-01-01T00:01:00Z is left out: `a` did not succeed for its own due time."
        #expect(told("b") == [waited, failed])
        #expect(try scene.control.status().pipeline(named: "b")?.leftOut == failed)
        #expect(try scene.control.status().pipeline(named: "a")?.leftOut == nil)
        scene.pass(60)
        scene.runner.children[1].end("succeeded")
        scene.pass(1)
        #expect(try scene.control.status().pipeline(named: "b")?.leftOut == nil)
        #expect(try scene.control.status().pipeline(named: "b")?.schedule == "* * * * * UTC, after a")
    }

    @Test func whoWaitsForWhatIsNotServedIsToldSo() throws {
        let scene = try ServeScene([
            "a": "", "b": "schedule: {cron: '* * * * *', after: [a]}",
            "c": "schedule: {cron: '* * * * *', after: [twoo]}",
        ])
        try scene.start()
        scene.pass(60)
        let told = scene.program.messages.filter { $0.kind == .skipped }.map { "\($0.pipeline ?? ""): \($0.text)" }
        let words = "The due time 2026-01-01T00:01:00Z is left out: it waits for"
        #expect(
            told.sorted() == [
                "b: \(words) `a`, and no pipeline of that name is scheduled here.",
                "c: \(words) `twoo`, and no pipeline of that name is scheduled here.",
            ])
        #expect(try scene.settled() == ["b@60 skipped_unserved a", "c@60 skipped_unserved twoo"])
    }

    @Test func whatIsToBeHeededInFilesIsToldOnce() throws {
        let scene = try ServeScene(["a": ""])
        scene.program.warning = Diagnostic(
            code: "unknown_pipeline", severity: .warning, summary: "Unknown pipeline", detail: "It waits in vain.",
            location: SourceLocation(file: scene.directory.file("pipelines/a.yaml")))
        func told() -> Int {
            scene.program.messages.count { $0.kind == .fileProblem && $0.text.contains("It waits in vain.") }
        }
        try scene.start()
        #expect(told() == 1)
        try scene.write("b", "")
        scene.pass(6)
        #expect(told() == 1)
        scene.program.warning = nil
        try scene.write("c", "")
        scene.pass(6)
        scene.program.warning = Diagnostic(
            code: "unknown_pipeline", severity: .warning, summary: "Unknown pipeline", detail: "It waits in vain.",
            location: SourceLocation(file: scene.directory.file("pipelines/a.yaml")))
        try scene.write("d", "")
        scene.pass(6)
        #expect(told() == 2)
    }

    // MARK: People

    @Test func peopleStartAndStopRuns() throws {
        let scene = try ServeScene(["a": "", "b": "schedule: {cron: '* * * * *'}"])
        try scene.start()
        let events = Mutex<[String]>([])
        let subscription = try scene.control.subscribe { event in
            switch event {
            case .queued(let run): events.withLock { $0.append("queued \(run.id)") }
            case .started(let run): events.withLock { $0.append("started \(run.id)") }
            case .progressed(let run): events.withLock { $0.append("progressed \(run.progress?.records ?? 0)") }
            case .ended(let run): events.withLock { $0.append("ended \(run.id) \(run.outcome?.rawValue ?? "")") }
            default: break
            }
        }
        let id = try scene.control.start(pipeline: "a", .run, by: "anna")
        scene.look()
        #expect(scene.starts == ["a run"])
        #expect(try scene.control.status().pipeline(named: "a")?.running?.who == "anna")
        scene.runner.children[0].progress(12)
        scene.look()
        #expect(try scene.control.run(id)?.progress?.records == 12)
        scene.clock.pass(7)
        #expect(try scene.control.run(id)?.seconds == 7)
        #expect(try scene.control.runs(of: "a", before: nil, limit: 1).first?.seconds == 7)
        try scene.control.stop(id, by: "bert")
        scene.look()
        #expect(scene.runner.children[0].signals == ["terminate"])
        try scene.control.stop(id, by: "bert")
        scene.look()
        #expect(scene.runner.children[0].signals == ["terminate", "kill"])
        scene.runner.children[0].end("interrupted", code: 143)
        scene.look()
        #expect(try scene.control.run(id)?.error == "It was stopped by bert.")
        #expect(
            events.withLock { $0 } == [
                "queued \(id)", "started \(id)", "progressed 12", "ended \(id) interrupted",
            ])
        try scene.control.unsubscribe(subscription)
        #expect(throws: ServeRefusal.self) { try scene.control.stop(id, by: "bert") }
        #expect(throws: ServeRefusal.self) { try scene.control.stop(99, by: "bert") }
        #expect(throws: ServeRefusal.self) { try scene.control.start(pipeline: "c", .run, by: "bert") }
    }

    @Test func whatPeopleStartWaitsForTheRunThatIsGoing() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *', overlap: queue}"])
        try scene.start()
        scene.pass(60)
        _ = try scene.control.start(pipeline: "a", .run, by: "anna")
        // A plan waits for nobody.
        _ = try scene.control.start(pipeline: "a", .plan, by: "anna")
        scene.pass(61)
        #expect(scene.starts == ["a@60 1", "a plan"])
        scene.runner.children[1].end("succeeded")
        scene.runner.children[0].end("succeeded")
        scene.look()
        // They go before what is scheduled.
        #expect(scene.starts.last == "a run")
        scene.runner.children[2].end("succeeded")
        scene.look()
        #expect(scene.starts.last == "a@120 1")
    }

    // MARK: Files

    @Test func aFileWithErrorsIsServedAsItWas() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *'}", "b": "schedule: {cron: '* * * * *'}"])
        try scene.start()
        try scene.put("version: 1\nname: a\nnonsense: yes\n", to: "pipelines/a.yaml")
        scene.pass(6)
        var served = try #require(try scene.control.status().pipeline(named: "a"))
        #expect(served.isOutdated && served.file.hasErrors)
        scene.pass(60)
        #expect(scene.starts.sorted() == ["a@60 1", "b@60 1"])
        // So it is by a service that is started with it.
        scene.kill()
        try scene.start()
        served = try #require(try scene.control.status().pipeline(named: "a"))
        #expect(served.isOutdated && served.file.hasErrors)
        let order = try scene.texts(of: "a")
        #expect(order.contains("cron: '* * * * *'"))
        try scene.write("a", "schedule: {cron: '0 0 * * *'}")
        scene.pass(6)
        served = try #require(try scene.control.status().pipeline(named: "a"))
        #expect(!served.isOutdated && !served.file.hasErrors && served.nextDue == 1_767_312_000)
    }

    @Test func filesThatComeAndGoAreSeen() throws {
        let scene = try ServeScene(["a": ""])
        try scene.start()
        try scene.write("b", "")
        scene.pass(6)
        #expect(try scene.control.status().pipelines.map(\.name) == ["a", "b"])
        FileSystem.remove(scene.directory.file("pipelines/a.yaml"))
        scene.pass(6)
        #expect(try scene.control.status().pipelines.map(\.name) == ["b"])
        try scene.put("nonsense", to: "pipelines/c.yaml")
        scene.pass(6)
        #expect(try scene.control.status().brokenFiles.map(\.hasErrors) == [true])
    }

    @Test func aChangedScheduleHoldsFromWhenItWasRead() throws {
        let scene = try ServeScene([
            "s1": "schedule: {cron: '3 * * * *'}\nnotify: [{on: [late], command: [page-me]}]",
            "s2": "schedule: {cron: '3 * * * *', missed: none}", "s3": "",
        ])
        try scene.start()
        scene.pass(5 * 60)
        #expect(scene.starts.sorted() == ["s1@180 1", "s2@180 1"])
        for child in scene.runner.children { child.end("succeeded") }
        try scene.write("s1", "schedule: {cron: '4 * * * *'}\nnotify: [{on: [late], command: [page-me]}]")
        try scene.write("s2", "schedule: {cron: '4 * * * *', missed: none}")
        try scene.write("s3", "schedule: {cron: '4 * * * *'}")
        scene.pass(6)
        #expect(try scene.control.status().pipelines.map(\.nextDue) == [3840, 3840, 3840].map { 1_767_225_600 + $0 })
        #expect(scene.starts.count == 2)
        #expect(scene.program.messages.filter { $0.kind == .late || $0.kind == .skipped }.isEmpty)
        #expect(scene.program.notices.isEmpty)
        // A service that is started again with another schedule knows the one before by its text, and what it missed by that.
        scene.kill()
        scene.clock.pass(7200)
        try scene.write("s1", "schedule: {cron: '5 * * * *'}")
        try scene.write("s2", "schedule: {cron: '5 * * * *', missed: none}")
        try scene.start()
        #expect(scene.starts.sorted() == ["s1@7440 1", "s3@7440 1"])
        #expect(try scene.settled().contains("s2@7440 skipped_missed"))
        scene.kill()
        try scene.start()
        #expect(scene.starts.isEmpty)
    }

    @Test func aFileThatIsGoneWhenItsRunStartsIsNoFailure() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *'}", "b": "schedule: {cron: '* * * * *'}"])
        scene.settings.workers = 4
        try scene.start()
        scene.pass(59)
        let path = scene.directory.file("pipelines/a.yaml")
        FileSystem.remove(path)
        _ = try scene.control.start(pipeline: "a", .plan, by: "anna")
        scene.pass(1)
        #expect(scene.starts == ["b@60 1"])
        #expect(try scene.settled() == ["a@60 …", "b@60 …"])
        // It is there again before anybody missed it.
        try scene.write("a", "schedule: {cron: '* * * * *'}")
        scene.pass(1)
        #expect(scene.starts == ["b@60 1", "a plan", "a@60 1"])
        for child in scene.runner.children { child.end("succeeded") }
        scene.pass(52)
        FileSystem.remove(path)
        scene.pass(12)
        #expect(scene.starts.last == "b@120 1")
        #expect(try scene.control.status().pipelines.map(\.name) == ["b"])
        #expect(try scene.settled() == ["a@60 succeeded", "b@60 succeeded", "b@120 …"])
    }

    // MARK: The end

    @Test func itEndsOnceItsRunsHaveEnded() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *'}", "b": "schedule: {cron: '* * * * *'}"])
        try scene.start()
        scene.pass(60)
        scene.end()
        scene.pass(29)
        #expect(scene.runner.children.map(\.signals) == [[], []])
        #expect(scene.loop?.hasEnded == false)
        scene.runner.children[0].end("succeeded")
        scene.pass(2)
        #expect(scene.runner.children[1].signals == ["terminate"])
        scene.pass(31)
        #expect(scene.runner.children[1].signals == ["terminate", "kill"])
        #expect(scene.starts.count == 2)
        #expect(throws: ServeRefusal.self) { try scene.control.start(pipeline: "a", .run, by: "anna") }
        scene.runner.children[1].end(nil, code: -9)
        scene.look()
        #expect(scene.loop?.hasEnded == true)
        #expect(try scene.settled() == ["a@60 …", "b@60 …"])
        #expect(try scene.rows().dueTimes.map { $0.attempts[0].end?.outcome } == [.succeeded, .interrupted])
    }

    @Test func twoServicesNeverHaveOneStore() throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *'}"])
        try scene.start()
        #expect(throws: ServeService.Taken.self) { try ServeService(scene.settings) }
        var settings = scene.settings
        settings.stateFolder = scene.directory.file("other")
        let other = try ServeService(settings)
        let loop = other.makeLoop(scene.program)
        _ = loop.poll()
        #expect(other.status().trouble?.contains("Another `sluice serve` serves the store") == true)
        scene.clock.pass(60)
        _ = loop.poll()
        #expect(scene.starts.isEmpty)
        scene.kill()
        scene.clock.pass(6)
        while loop.poll() == 0 {}
        #expect(other.status().trouble == nil)
        #expect(scene.starts == ["a@60 1"])
    }
}

extension ServeScene {
    /// The text by which a pipeline would be run.
    fileprivate func texts(of name: String) throws -> String {
        let folder = settings.stateFolder + "/texts"
        let all = try FileSystem.names(in: folder).map {
            String(decoding: try FileSystem.contents(of: "\(folder)/\($0)"), as: UTF8.self)
        }
        return all.first { $0.contains("name: \(name)\n") } ?? ""
    }

    /// Tells the service to end.
    fileprivate func end() {
        service?.end()
        look()
    }
}
