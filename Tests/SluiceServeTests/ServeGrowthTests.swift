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
    /// A week with a run each ten minutes of three pipelines: files, descriptors and rows are as many as after two days.
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
                sizes.append([
                    FileSystem.names(in: scene.settings.stateFolder + "/runs").count, rows,
                    FileSystem.names(in: "/proc/self/fd").count,
                ])
            }
        }
        #expect(sizes.allSatisfy { $0[0] == 15 })
        // Rows are forgotten from time to time, not at once.
        #expect(sizes.allSatisfy { $0[1] <= 60 + 1000 })
        let late = sizes.suffix(3).map { $0[1] }.max() ?? 0
        #expect(late <= (sizes.prefix(4).map { $0[1] }.max() ?? 0) + 100)
        #expect(try scene.control.runs(of: "a", before: nil, limit: 100).count == 5)
    }
}
