import Foundation
import Glibc
import SluiceSystem
import Synchronization
import TestSupport
import Testing

/// A program that stands back behind others does so with all its threads, and so does what it starts.
@Suite struct NicenessTests {
    /// A thread of a process, as the system lists it. See: `man 5 proc`
    private struct Thread: Equatable {
        let process: Int32
        let parent: Int32
        let niceness: Int32

        init?(_ stat: String, of process: Int32) {
            // The name before it may hold blanks and parentheses.
            guard let end = stat.lastIndex(of: ")") else { return nil }
            let fields = stat[stat.index(after: end)...].split(separator: " ")
            guard fields.count > 16, let parent = Int32(fields[1]), let niceness = Int32(fields[16]) else { return nil }
            (self.process, self.parent, self.niceness) = (process, parent, niceness)
        }
    }

    private static func threads(of process: Int32) -> [Thread] {
        let folder = "/proc/\(process)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            (try? String(contentsOfFile: "\(folder)/\(name)/stat", encoding: .utf8)).flatMap { Thread($0, of: process) }
        }
    }

    private static func children(of process: Int32) -> [[Thread]] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
            .map(threads).filter { $0.first?.parent == process }
    }

    /// It is asked while a run is within a request, so that all that reads has its thread.
    @Test func itHoldsForThreadsAndRuns() throws {
        let directory = try TemporaryDirectory()
        let isSeen = Mutex(false)
        let server = try LoopbackServer { _ in
            for _ in 0..<400 where !isSeen.withLock({ $0 }) { Pause.seconds(0.05) }
            return .text(#"[{"id":1}]"#)
        }
        defer { server.stop() }
        let path = directory.file("pipelines/items.yaml")
        try FileSystem.makeFolders(FileSystem.folder(of: path))
        let text = """
            version: 1
            name: items
            store: sqlite:../items.db
            schedule: {every: 12h}
            source: {base_url: "\(server.url)"}
            entities: {Item: {table: items, primary_key: id, fields: {id: int}}}
            streams: [{name: items, entity: Item, path: /items}]

            """
        try FileSystem.writePrivately(Array(text.utf8), to: path)
        let service = try Running(
            executable: URL(filePath: "/usr/bin/nice"),
            arguments: [
                "-n", "3", Program.products.appending(path: "sluice").path, "serve", "pipelines", "--listen", "none",
            ], folder: directory.path, environment: [:])
        let number = service.process.processIdentifier
        let wanted = min(19, getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) + 3)
        var runs: [[Thread]] = []
        let deadline = WallClock.monotonicSeconds() + 30
        while WallClock.monotonicSeconds() < deadline {
            Pause.seconds(0.05)
            runs = server.requests.isEmpty ? [] : Self.children(of: number)
            // A thread that has just begun has not come to it yet.
            if runs.count == 1, runs[0].count > 1, runs[0].allSatisfy({ $0.niceness == wanted }) { break }
        }
        #expect(runs.count == 1 && runs.allSatisfy { $0.count > 1 }, "\(runs)")
        #expect(runs.joined().allSatisfy { $0.niceness == wanted }, "\(wanted): \(runs)")
        isSeen.withLock { $0 = true }
        kill(number, SIGTERM)
        let result = try service.wait()
        #expect(result.code == 0, "\(result)")
    }
}
