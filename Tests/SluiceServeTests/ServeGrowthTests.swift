import SluiceSQLiteStore
import SluiceSchedule
import SluiceServe
import SluiceServeModel
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

/// What a service keeps, over a long time.
@Suite struct ServeGrowthTests {
    /// How many values can be reached from one, each object once: what it keeps in memory.
    private func values(in value: Any, _ seen: inout Set<ObjectIdentifier>) -> Int {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return 0 }
        return mirror.children.reduce(1) { $0 + values(in: $1.value, &seen) }
    }

    /// A week with a run each ten minutes of three pipelines: files, descriptors, rows and what is kept in memory are as
    /// many as after two days.
    @Test func aWeekLeavesNothingThatGrows() throws {
        let scene = try ServeScene([
            "a": "schedule: {cron: '*/10 * * * *'}", "b": "schedule: {every: 10m}",
            "c": "schedule: {cron: '*/10 * * * *', after: [a]}",
        ])
        (scene.settings.keptRuns, scene.settings.keptDueTimes) = (5, 20)
        try scene.start()
        var sizes: [[Int]] = []
        for hour in 1...(7 * 24) {
            for _ in 0..<6 {
                scene.clock.pass(600)
                // Two rounds: what waits for others is started after them.
                for _ in 0..<3 {
                    scene.look()
                    for child in scene.runner.children { child.end(hour % 7 == 0 ? "failed" : "succeeded") }
                    scene.runner.forget()
                    scene.look()
                }
            }
            if hour % 24 == 0 {
                let rows = try scene.rows().dueTimes.count
                // What the scene itself writes down is none of the service's.
                (scene.program.messages, scene.program.notices) = ([], [])
                var seen: Set<ObjectIdentifier> = []
                sizes.append([
                    FileSystem.names(in: scene.settings.stateFolder + "/runs").count, rows,
                    FileSystem.names(in: "/proc/self/fd").count,
                    values(in: try #require(scene.loop), &seen),
                ])
            }
        }
        #expect(sizes.allSatisfy { $0[0] == 15 })
        // Rows are forgotten from time to time, not at once.
        #expect(sizes.allSatisfy { $0[1] <= 60 + 1000 })
        let late = sizes.suffix(3).map { $0[1] }.max() ?? 0
        #expect(late <= (sizes.prefix(4).map { $0[1] }.max() ?? 0) + 100)
        // As many rows more or fewer have some thousand values; the week has 3,000 runs.
        let kept = sizes.suffix(3).map { $0[3] }.max() ?? 0
        #expect(kept <= (sizes.prefix(4).map { $0[3] }.max() ?? 0) + 5_000, "\(sizes)")
        #expect(try scene.control.runs(of: "a", before: nil, limit: 100).count == 5)
    }
}
