import Foundation
import TestSupport
import Testing

/// A command that goes wrong at its first write, at its second, and so on until it comes through.
///
/// What it leaves is the store of before or of after, never something between, and the next attempt reaches what an
/// undisturbed one would have reached.
@Suite struct FaultTests {
    enum Kind: String, CaseIterable, Sendable { case kill, torn, full }

    @Test("A run", arguments: Kind.allCases)
    func run(_ kind: Kind) throws {
        try disturb(["run", "books.yaml", "--quiet"], kind, atLeast: 8) { scene in
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
            try edit(scene)
        }
    }

    @Test("A first run", arguments: Kind.allCases)
    func firstRun(_ kind: Kind) throws {
        try disturb(["run", "books.yaml", "--quiet"], kind, atLeast: 8) { try edit($0, hasStore: false) }
    }

    @Test("A run that keeps its pages", arguments: Kind.allCases)
    func pagedRun(_ kind: Kind) throws {
        let pages = PagedSource.pages(Array(1...12), size: 4)
        let source = PagedSource(.headerLink, pages: pages)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let calm = try Scene(source, url: server.url)
        #expect(try Program.run("run", "books.yaml", "--quiet", in: calm.path).code == 0)
        let before = try Data(contentsOf: URL(filePath: calm.store))
        source.pages = PagedSource.pages(Array(3...14), size: 4, edition: 2)
        #expect(try Program.run("run", "books.yaml", "--quiet", in: calm.path).code == 0)
        let done = try calm.contents()
        var points = 0
        while true {
            try #require(points < 500, "it never comes through")
            let scene = try Scene(source, url: server.url)
            try before.write(to: URL(filePath: scene.store))
            let result = try Program.start(
                ["run", "books.yaml", "--quiet"], in: scene.path,
                environment: FaultShim.environment(["FAULT_AT": "\(points + 1)", "FAULT_KIND": kind.rawValue])
            ).wait()
            let place: Comment = "\(kind.rawValue) at write \(points + 1): \(result.code) \(result.errors)"
            if result.code != 0 {
                #expect(try scene.query("PRAGMA integrity_check") == ["ok"], place)
                #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0, place)
            }
            #expect(try scene.contents() == done, place)
            #expect(!FileManager.default.fileExists(atPath: scene.store + "-wal"), place)
            if result.code == 0 { break }
            points += Seeds.isDeep ? 1 : kind == .kill ? 3 : 9
        }
        #expect(points >= 8, "\(points) writes")
    }

    @Test("A decision", arguments: Kind.allCases)
    func resolve(_ kind: Kind) throws {
        try disturb(
            ["conflicts", "resolve", "--all", "--take", "remote", "--store", "sqlite:shop.db"], kind, atLeast: 4
        ) { scene in
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
            try edit(scene)
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
        }
    }

    @Test("An undo", arguments: Kind.allCases)
    func undo(_ kind: Kind) throws {
        try disturb(["undo", "2", "--quiet", "--store", "sqlite:shop.db"], kind, atLeast: 4) { scene in
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
            try edit(scene)
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0)
        }
    }

    /// A second edition, and people at work: what follows has inserts, updates, deletes, conflicts and a record that
    /// cannot be decoded.
    private func edit(_ scene: Scene, hasStore: Bool = true) throws {
        if hasStore {
            try scene.execute(
                "UPDATE books SET title = 'Mine' WHERE id IN (2, 3); DELETE FROM books WHERE id IN (4, 5)")
        }
        let records = (3...14).map { "{\"id\": \($0), \"title\": \"Book \($0), edition 2\", \"price\": \"9.50\"}" }
        try scene.write("books.json", "[" + records.joined(separator: ",") + ", {\"id\": 15, \"price\": \"dear\"}]")
    }

    private func disturb(
        _ command: [String], _ kind: Kind, atLeast minimum: Int, prepare: (Scene) throws -> Void
    ) throws {
        let calm = try Scene(records: 12)
        try prepare(calm)
        let before = FileManager.default.contents(atPath: calm.store)
        let untouched = try before.map { _ in try calm.contents() }
        #expect(try Program.start(command, in: calm.path).wait().code == 0)
        let done = try calm.contents()
        #expect(done != untouched)

        // Each second write of a run is tried in one way, and every eighth in the others, which keeps this short.
        let isThorough = kind == .kill && command.count == 3 && before != nil
        let stride = Seeds.isDeep ? 1 : isThorough ? 2 : 8
        var points = 0
        while true {
            try #require(points < 500, "it never comes through")
            let scene = try Scene(records: 12)
            try FileManager.default.removeItem(atPath: scene.folder.file("books.json"))
            try FileManager.default.copyItem(
                atPath: calm.folder.file("books.json"), toPath: scene.folder.file("books.json"))
            if let before { try before.write(to: URL(filePath: scene.store)) }
            let result = try Program.start(
                command, in: scene.path,
                environment: FaultShim.environment(["FAULT_AT": "\(points + 1)", "FAULT_KIND": kind.rawValue])
            ).wait()
            let place: Comment = "\(kind.rawValue) at write \(points + 1): \(result.code) \(result.errors)"
            if result.code == 0 {
                #expect(try scene.contents() == done, place)
                break
            }
            points += stride
            #expect(result.code == (kind == .full ? 1 : 137), place)
            if kind == .full { #expect(result.errors.contains("error: "), place) }
            if FileManager.default.fileExists(atPath: scene.store) {
                #expect(try scene.query("PRAGMA integrity_check") == ["ok"], place)
                let left = try scene.contents()
                #expect(left == untouched || left == done || before == nil && left.isEmpty, place)
            }
            let again = try Program.start(command, in: scene.path).wait()
            if command[0] == "run" { #expect(again.code == 0, "\(place) then \(again.errors)") }
            #expect(try scene.contents() == done, place)
            #expect(!FileManager.default.fileExists(atPath: scene.store + "-wal"), place)
        }
        #expect(points >= minimum, "\(points) writes")
    }
}
