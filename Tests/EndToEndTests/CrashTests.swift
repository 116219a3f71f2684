import Foundation
import SluiceSystem
import TestSupport
import Testing

/// A run that is killed leaves the store as it was, and the next run reaches what an uninterrupted one would have.
@Suite struct CrashTests {
    /// Kills that come as the write-ahead log reaches one size after the other; some of them have to come before the
    /// commit, or the test says nothing.
    @Test func aKilledRunLeavesTheStoreAsItWas() throws {
        let count = 20_000
        let undisturbed = try Scene(records: count)
        #expect(try Program.run("run", "books.yaml", "--quiet", in: undisturbed.path).code == 0)
        let start = try Data(contentsOf: URL(filePath: undisturbed.store))
        let before = try undisturbed.contents()
        try undisturbed.writeBooks(count - 500, edition: 2)
        #expect(try Program.run("run", "books.yaml", "--quiet", in: undisturbed.path).code == 0)
        let done = try undisturbed.contents()

        var early = 0
        for threshold in stride(from: 400_000, through: 2_400_000, by: Seeds.isDeep ? 400_000 : 800_000) {
            let scene = try Scene(records: count)
            try start.write(to: URL(filePath: scene.store))
            try scene.writeBooks(count - 500, edition: 2)
            let running = try Program.start(["run", "books.yaml", "--quiet"], in: scene.path)
            while running.process.isRunning && size(of: scene.store + "-wal") < threshold {
                Pause.seconds(0.001)
            }
            kill(running.process.processIdentifier, SIGKILL)
            let code = try running.wait().code

            let place: Comment = "killed at \(threshold) bytes of log, which ended with \(code)"
            #expect(try scene.query("PRAGMA integrity_check") == ["ok"], place)
            let after = try scene.contents()
            if code == 128 + 9 && after["books"] == before["books"] {
                early += 1
                #expect(after == before, place)
            } else {
                // The signal came after the commit: then everything is there.
                #expect(after["books"]?.count == count - 500, place)
            }
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0, place)
            #expect(try scene.contents() == done, place)
            #expect(!FileManager.default.fileExists(atPath: scene.store + "-wal"), "a finished run leaves one file")
        }
        #expect(early > 0, "no kill came before its commit")
    }

    private func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test(arguments: [(Int32(SIGINT), Int32(130)), (Int32(SIGTERM), Int32(143))])
    func aSignalStopsARunCleanly(signal: Int32, code: Int32) throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let server = try LoopbackServer { _ in
            isAsked.open()
            mayAnswer.wait()
            return .text(#"[{"id": 1, "title": "x", "price": 1}]"#)
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(url: server.url)
        let running = try Program.start(["run", "books.yaml"], in: scene.path)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, signal)
        let result = try running.wait()
        #expect(result.code == code, "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store), "nothing was there before, so nothing is now")
    }

    @Test func aSecondRunAtTheSameTimeSaysSoOrWaits() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let server = try LoopbackServer { _ in
            isAsked.open()
            mayAnswer.wait()
            return .text(#"[{"id": 1, "title": "x", "price": 1}]"#)
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(records: 1)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let remote = try Scene(url: server.url)
        let store = "sqlite:\(scene.store)"
        let first = try Program.start(["run", "books.yaml", "--store", store], in: remote.path)
        #expect(isAsked.wait())
        let second = try Program.run("run", "books.yaml", "--store", store, in: remote.path)
        #expect(second.code == 6)
        #expect(second.errors.contains("--wait") || second.output.contains("--wait"))
        let third = try Program.start(["run", "books.yaml", "--store", store, "--wait", "1m"], in: remote.path)
        mayAnswer.open()
        #expect(try first.wait().code == 0)
        #expect(try third.wait().code == 0)
    }
}
