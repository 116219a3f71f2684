import Foundation
import TestSupport
import Testing

/// Disks that take no more: the store stays as it was, and is of use again once there is room.
@Suite struct FullDiskTests {
    /// Whether this user may mount a file system of his own, as small as it has to be.
    private static let canMount = Privileges.isDone(
        "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"])

    private func shell(_ script: String, in scene: Scene, isOwnFileSystem: Bool = false) throws -> Program.Result {
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let command = ["/bin/bash", "-c", "set -u\n" + script]
        return try Running(
            executable: URL(filePath: isOwnFileSystem ? "/usr/bin/unshare" : command[0]),
            arguments: isOwnFileSystem ? ["-rm"] + command : Array(command.dropFirst()), folder: scene.path,
            environment: ["PATH": path]
        ).wait()
    }

    /// A store of three books, and a source that has far more.
    private func scene() throws -> Scene {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(20_000, edition: 2)
        try scene.write("few.json", #"[{"id": 1, "title": "one of few"}]"#)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("few.yaml", pipeline.replacing("path: books.json", with: "path: few.json"))
        return scene
    }

    @Test(.enabled(if: canMount, "this user may not mount a file system"))
    func aStoreOnAFullDiskStaysAsItWas() throws {
        let scene = try scene()
        let before = try StoreDump(scene.store)
        let result = try shell(
            """
            mkdir small && mount -t tmpfs -o size=900k tmpfs small && cp shop.db small/
            sluice run books.yaml --quiet --store sqlite:small/shop.db; echo "exit $?"
            echo "files $(echo $(ls small))"
            cp small/shop.db shop.db
            sluice run few.yaml --quiet --store sqlite:small/shop.db; echo "exit $?"
            cp small/shop.db after.db
            """, in: scene, isOwnFileSystem: true)
        #expect(result.output == "exit 1\nfiles shop.db\nexit 0\n", "\(result.output)\(result.errors)")
        expectOneError(
            Program.Result(code: 1, output: "", errors: result.errors), code: 1,
            ["The disk of `small/shop.db` is full", "The store is as before", "Free some space and run again"])
        #expect(
            try StoreDump(scene.store).differences(from: before).filter { !["after.db", "small"].contains($0) } == [])
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        // The store works again: the next run has room.
        try FileManager.default.removeItem(atPath: scene.store)
        try FileManager.default.moveItem(atPath: scene.folder.file("after.db"), toPath: scene.store)
        #expect(try scene.query("SELECT id, title FROM books") == ["1|one of few"])
    }

    @Test(.enabled(if: canMount, "this user may not mount a file system"))
    func aNewStoreOnAFullDiskIsNotLeft() throws {
        let scene = try scene()
        let result = try shell(
            """
            mkdir small && mount -t tmpfs -o size=100k tmpfs small
            sluice run books.yaml --store sqlite:small/new.db; echo "exit $?"
            echo "files $(echo $(ls small))"
            """, in: scene, isOwnFileSystem: true)
        #expect(result.output.hasSuffix("exit 1\nfiles \n"), "\(result.output)\(result.errors)")
        #expect(result.output.hasPrefix("Run of books: failed, the store is as before\nerror: "), "\(result.output)")
        #expect(result.errors.contains("is full. Free some space"))
    }

    @Test func aFileThatMayNotGrowStaysAsItWas() throws {
        let scene = try scene()
        let before = try StoreDump(scene.store)
        let result = try shell("ulimit -f 300; exec sluice run books.yaml --quiet", in: scene)
        expectOneError(
            result, code: 1,
            ["`shop.db` cannot be read or written", "File too large", "ulimit -f"])
        #expect(try StoreDump(scene.store).differences(from: before) == [])
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["20000"])
    }

    /// What is in the store stands, whether or not it could be told.
    @Test func aReportThatCannotBeWrittenDoesNotUndoTheRun() throws {
        let scene = try Scene(records: 3)
        let words = [
            "The changes are in the store", "/dev/full", "No space left on device",
            "`sluice status --store sqlite:",
        ]
        for (command, code) in [("plan", Int32(1)), ("run", 1)] {
            let result = try Program.run(command, "books.yaml", "--output", "/dev/full", in: scene.path)
            expectOneError(result, code: code, command == "run" ? words : ["/dev/full", "No space left on device"])
        }
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        #expect(try scene.query("SELECT status FROM _sluice_runs") == ["succeeded"])
    }

    @Test(arguments: [("run", Int32(1)), ("plan", 0)])
    func aReaderThatIsGoneLosesTheReportOfARun(command: String, code: Int32) throws {
        let scene = try Scene(records: 3)
        let result = try shell(
            "{ sluice \(command) books.yaml; echo \"exit $?\" >&2; } | { exec <&-; sleep 1; }", in: scene)
        #expect(result.errors.hasSuffix("exit \(code)\n"), "\(result.errors)")
        #expect(result.errors.contains("The changes are in the store") == (command == "run"), "\(result.errors)")
        if command == "run" { #expect(try scene.query("SELECT count(*) FROM books") == ["3"]) }
    }

    @Test(arguments: [("no/such/report.txt", "Check its folder `no/such`"), (".", "is a folder. Name a file in it")])
    func anOutputThatCannotBeOpenedStopsTheRunBefore(path: String, words: String) throws {
        let scene = try Scene(records: 3)
        let result = try Program.run("run", "books.yaml", "--output", path, in: scene.path)
        expectOneError(result, code: 1, ["The output `\(path)`", words])
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }

    @Test(arguments: ["import", "probe"])
    func anOutputThatCannotBeOpenedIsFoundBeforeTheSourceIsAsked(command: String) throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(command, server.url + "/books", "-o", "no/such/report.txt", in: scene.path)
        expectOneError(result, code: 1, ["The output `no/such/report.txt`", "Check its folder `no/such`"])
        #expect(server.requests.isEmpty)
    }
}
