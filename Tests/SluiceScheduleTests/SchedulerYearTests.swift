import SluiceSQLiteStore
import SluiceSchedule
import SluiceStore
import TestSupport
import Testing

/// A year of due times in seconds.
@Suite struct SchedulerYearTests {
    private static let start: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z
    static let troubles: [SchedulerWorld.Trouble] = [
        .init(), .init(kills: 3), .init(turns: 3), .init(sleeps: 3), .init(kills: 3, turns: 2, sleeps: 2),
        .init(changes: 5), .init(kills: 3, turns: 2, sleeps: 2, changes: 5),
    ]

    private func pipelines(
        _ random: inout SeededGenerator
    ) throws -> (pipelines: [ScheduledPipeline], plans: [String: SchedulerModel.Plan]) {
        var pipelines: [ScheduledPipeline] = []
        var plans: [String: SchedulerModel.Plan] = [:]
        for number in 0..<Int.random(in: 2...4, using: &random) {
            let name = "p\(number)"
            let (trigger, plan) = try SchedulerModel.Plan.random(&random)
            plans[name] = plan
            let jitter = Jitter(seconds: random.pick([0, 0, 45, 600]), name: name)
            let others = pipelines.map(\.name).filter { _ in random.chance(30) }
            var pipeline = ScheduledPipeline(
                name: name, schedule: Schedule(trigger: trigger, jitter: jitter), after: others)
            pipeline.overlap = random.pick(ScheduledPipeline.Overlap.allCases)
            pipeline.missed = random.pick(ScheduledPipeline.Missed.allCases)
            pipeline.retry = random.pick([.never, .init(maxAttempts: 3, base: 60)])
            pipeline.timeout = random.pick([nil, 600, 5000])
            pipelines.append(pipeline)
        }
        return (pipelines.shuffled(using: &random), plans)
    }

    /// The service keeps 300 rows of each pipeline; with a few, clocks are put back to what is forgotten.
    static let kept = [300, 40, 3]

    @Test(arguments: Seeds.pairs(Array(troubles.indices), in: kept, oneOf: 4))
    func nothingRunsTwiceAndNothingIsLeftOutWithoutAReason(_ number: Int, _ kept: Int) throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededGenerator(seed: seed)
        let (pipelines, plans) = try pipelines(&random)
        let directory = try TemporaryDirectory()
        let store = try SQLiteRecordStore(path: directory.file("store.db"), mode: .create)
        var world = try SchedulerWorld(
            pipelines, plans: plans, start: Self.start + Int64.random(in: 0..<86_400, using: &random), seed: seed,
            trouble: Self.troubles[number], workers: Int.random(in: 1...3, using: &random), kept: kept,
            rows: store.schedule)
        try world.run(seconds: 365 * 86_400)
        print(
            "seed \(seed), trouble \(number), \(kept) kept: \(world.model.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
        )
        #expect(world.model.problems.isEmpty, "seed \(seed), trouble \(number), \(kept) kept")
        // What was written is what there is.
        var written = Ledger()
        written.restore(try store.schedule.read())
        #expect(written == world.ledger)
        #expect(Self.troubles[number].kills == 0 || world.restored > 0)
        #expect(Self.troubles[number].changes == 0 || world.model.counts["change"] ?? 0 > 0)
        #expect(world.steady >= 365 * 86_400 || !world.model.problems.isEmpty)
    }
}
