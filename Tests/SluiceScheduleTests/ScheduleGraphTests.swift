import SluiceSchedule
import TestSupport
import Testing

@Suite struct ScheduleGraphTests {
    private func pipelines(_ after: [(String, [String])]) -> [ScheduledPipeline] {
        after.map { ScheduledPipeline(name: $0, schedule: Schedule(trigger: .every(seconds: 60)), after: $1) }
    }

    @Test func eachStandsAfterThoseThatItWaitsFor() throws {
        let graph = try ScheduleGraph(pipelines([("c", ["b", "a"]), ("b", ["a"]), ("a", []), ("d", [])]))
        #expect(graph.pipelines.map(\.name) == ["a", "b", "c", "d"])
        #expect(graph.pipeline(named: "b")?.after == ["a"])
    }

    @Test(
        arguments: [
            (
                [("a", ["a"])],
                [
                    "a: after `a → a`: each waits for the next one, so that none is ever run; "
                        + "leave one of these names out of `after`"
                ]
            ),
            (
                [("a", ["b"]), ("b", ["c"]), ("c", ["b"])],
                [
                    "b: after `b → c → b`: each waits for the next one, so that none is ever run; "
                        + "leave one of these names out of `after`"
                ]
            ),
            (
                [("a", ["x"])],
                [
                    "a: after `x`: no pipeline of that name is scheduled here; "
                        + "give the file of that pipeline and a `schedule` in it, or leave the name out"
                ]
            ),
            ([("a", ["b", "c"]), ("b", ["d"]), ("c", ["d"]), ("d", [])], []),
        ] as [([(String, [String])], [String])])
    func whatIsWaitedForInVainIsTold(_ after: [(String, [String])], _ expected: [String]) {
        #expect(ScheduleGraph.problems(of: pipelines(after)).map { "\($0.pipeline): \($0.error)" } == expected)
        if !expected.isEmpty {
            #expect(throws: ScheduleGraph.Problem.self) { try ScheduleGraph(pipelines(after)) }
        }
    }

    /// The last due time is what a walk from one to the next comes to.
    @Test func theLastDueTimeIsFoundByHalving() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededGenerator(seed: seed)
        let texts = ["*/7 * * * *", "0 6 * * mon", "30 2 * * *", "0 0 1 1 *", "5 4 3 2 1 *", "0 0 L * *"]
        for _ in 0..<200 {
            let zone = try ZoneDatabase.zone(random.pick(["UTC", "Europe/Berlin"]))
            let schedule = Schedule(trigger: .cron(try CronExpression(random.pick(texts))), zone: zone)
            let start = Int64.random(in: 1_700_000_000..<1_800_000_000, using: &random)
            let end = start + Int64(random.pick([1, 500, 90_000, 3_000_000]))
            let walked = schedule.dueTimes(after: start).prefix { $0 <= end }.last
            #expect(schedule.last(upTo: end, after: start) == walked, "seed \(seed)")
            if let walked { #expect(schedule.last(upTo: end) == walked, "seed \(seed)") }
        }
        #expect(Schedule(trigger: .cron(try CronExpression("0 0 31 2 *"))).last(upTo: 1_700_000_000) == nil)
        let daily = Schedule(trigger: .cron(try CronExpression("@daily")))
        #expect(daily.last(upTo: .min) == nil)
        #expect(daily.last(upTo: .max) != nil)
    }
}
