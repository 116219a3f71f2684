import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// A run that is broken off at any page, at any byte, and the next one: together they do what one run would have done.
@Suite struct ResumeTests {
    /// Where and how a run is broken off.
    struct Break: Sendable, CustomTestStringConvertible {
        let kind: PagedSource.Kind
        let page: Int
        let place: Double
        let isKilled: Bool
        var testDescription: String { "\(kind.rawValue), page \(page), \(place), \(isKilled ? "killed" : "cut")" }
    }

    private static let count = 5
    static var breaks: [Break] {
        var breaks: [Break] = []
        for (index, kind) in PagedSource.Kind.allCases.enumerated() {
            for page in 1...count {
                let isKilled = (index + page) % 2 == 0
                breaks.append(Break(kind: kind, page: page, place: isKilled ? 0.5 : 0, isKilled: isKilled))
                breaks.append(Break(kind: kind, page: page, place: isKilled ? 1 : 0.7, isKilled: !isKilled))
            }
        }
        return breaks
    }

    private static func run(_ scene: Scene, _ arguments: String...) throws -> Program.Result {
        try Program.start(["run", "books.yaml", "--format", "json"] + arguments, in: scene.path).wait()
    }

    /// Seven records a page, then fewer of them, some changed and some new.
    private static func publish(_ source: PagedSource, second: Bool) {
        let all = Array(1...(7 * count))
        if !second { return source.pages = PagedSource.pages(all, size: 7) }
        let rest = all.filter { ![3, 9, 30].contains($0) }
        let pages = PagedSource.pages(rest.map { $0 == 20 ? 99 : $0 }, size: 7, edition: 2)
        source.pages = pages
    }

    @Test(arguments: Seeds.some(of: breaks, oneOf: 5))
    func aRunThatIsBrokenOffGoesOn(point: Break) throws {
        let source = PagedSource(point.kind, pages: [])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let (scene, calm) = (try Scene(source, url: server.url), try Scene(source, url: server.url))
        Self.publish(source, second: false)
        for scene in [scene, calm] { #expect(try Self.run(scene).code == 0) }
        Self.publish(source, second: true)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id IN (3, 4)")
        try calm.execute("UPDATE books SET title = 'mine' WHERE id IN (3, 4)")
        #expect(try Self.run(calm).code == 0)

        _ = source.takeAsked()
        source.faults = [
            point.page: point.isKilled ? .kill(at: point.place, SIGKILL) : .cut(at: point.place)
        ]
        let running = try Program.start(["run", "books.yaml", "--format", "json"], in: scene.path)
        source.aim(at: running.process.processIdentifier)
        let broken = try running.wait()
        #expect(broken.code == (point.isKilled ? 137 : 1), "\(broken.output)\(broken.errors)")
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        let status = try scene.query("SELECT status FROM _sluice_runs WHERE id > 1")
        if !point.isKilled {
            #expect(status == ["failed"])
            if point.page > 1 {
                let kept = point.page == 2 ? "1 page is kept" : "\(point.page - 1) pages are kept"
                #expect(broken.output.contains("\(kept); the next run continues at page \(point.page)."))
                #expect(broken.output.contains("\"next_page\":\(point.page)"))
                #expect(broken.output.contains("\"run\":2"))
            }
        } else {
            // A run that was killed before its first page was kept left nothing.
            #expect(status == ["interrupted"] || status == [] && point.page <= 2)
        }

        source.faults = [:]
        let asked = source.takeAsked()
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        #expect(source.takeAsked().first == point.page)
        let resumed = try Self.run(scene)
        #expect(resumed.code == 0, "\(resumed.output)\(resumed.errors)")
        #expect(try scene.contents() == calm.contents())
        #expect(Self.told(plan.output) == Self.told(resumed.output), "a plan shows what the run does")
        // The page that was under way comes again, and no other.
        let again = source.takeAsked()
        #expect(again.first == point.page, "\(asked) \(again)")
        #expect((asked + again).sorted() == (Array(Set(asked + again)) + [point.page]).sorted(), "\(asked) \(again)")
        #expect(!FileManager.default.fileExists(atPath: scene.store + "-pages"), "nothing is left of what waited")
        #expect(try scene.query("SELECT count(*) FROM _sluice_scans") == ["0"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_scan_pages") == ["0"])
        let quiet = try Self.run(scene)
        #expect(quiet.code == 0 && !quiet.output.contains("resumed_at_page"))
        // Where pages are counted, the second scan confirms what was missing.
        #expect(try Self.run(calm).code == 0)
        #expect(try scene.contents() == calm.contents())
    }

    /// The part of a report that a plan and its run have in common.
    private static func told(_ report: String) -> Substring {
        // What was changed here a plan alone tells.
        let report = report.replacing(/"edits":\{[^}]*\},/, with: "")
        let start = report.range(of: "\"summary\":{")?.lowerBound ?? report.startIndex
        let end = report.range(of: "\"conflicts\":[")?.lowerBound ?? report.endIndex
        return report[start..<max(start, end)]
    }

    @Test("Pages with values to hide do not wait", arguments: [false, true])
    func pagesThatWait(isRedacted: Bool) throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...8), size: 4))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        if isRedacted {
            try scene.write(
                "books.yaml", pipeline.replacing("title: string", with: "title: {type: string, redact: hash}"))
        }
        #expect(try Self.run(scene).code == 0)
        // Nothing can be merged meanwhile, so that the first page has to wait.
        let other = try Connection(path: scene.store, mode: .existing)
        try other.execute("BEGIN IMMEDIATE")
        source.pages = PagedSource.pages(Array(1...8), size: 4, edition: 2)
        source.faults = [2: .kill(at: 0.5, SIGKILL)]
        let running = try Program.start(["run", "books.yaml", "--format", "json"], in: scene.path)
        source.aim(at: running.process.processIdentifier)
        #expect(try running.wait().code == 137)
        try other.execute("ROLLBACK")
        #expect(FileManager.default.fileExists(atPath: scene.store + "-pages") == !isRedacted)
        #expect(source.takeAsked().suffix(2) == [1, 2])
        source.faults = [:]
        #expect(try Self.run(scene).code == 0)
        let again: [Int] = isRedacted ? [1, 2] : [2]
        #expect(source.takeAsked() == again)
        let changed = try scene.query("SELECT count(*) FROM books WHERE title LIKE '%edition 2'")
        #expect(changed == [isRedacted ? "0" : "8"])
        #expect(!FileManager.default.fileExists(atPath: scene.store + "-pages"))
    }

    @Test func aSignalLeavesThePagesBefore() throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...20), size: 4))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        source.faults = [4: .kill(at: 0.5, SIGINT)]
        let running = try Program.start(["run", "books.yaml"], in: scene.path)
        source.aim(at: running.process.processIdentifier)
        let stopped = try running.wait()
        source.hasStopped.open()
        #expect(stopped.code == 130, "\(stopped.output)")
        #expect(stopped.errors.contains("the pages before are kept"), "\(stopped.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store + "-wal"))
        let kept = try #require(try scene.query("SELECT count(*) FROM books").first.flatMap { Int($0) })
        #expect(kept == 8 || kept == 12)
        #expect(try scene.query("SELECT status FROM _sluice_runs") == ["interrupted"])
        let status = try Program.run("status", "--store", "sqlite:shop.db", in: scene.path).output
        #expect(
            status.contains("\(kept / 4) pages are kept; the next run continues at page \(kept / 4 + 1)."), "\(status)")
        source.faults = [:]
        let next = try Program.run("run", "books.yaml", in: scene.path)
        #expect(next.output.contains("continues at page \(kept / 4 + 1), where run 1 was broken off"), "\(next.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
    }

    /// What makes the next run begin anew, and what does not.
    @Test(
        "A scan goes on where its requests are the same",
        arguments: [
            ("nothing", "", "", [String](), true),
            ("a description", "version: 1", "version: 1\ndescription: x", [], true),
            ("a rule of the merge", "max_delete: 100%", "max_delete: 90%", [], true),
            ("a parameter", "path: /books", "path: /books\n    params: {a: b}", [], false),
            ("a filter", "path: /books", "path: /books\n    filter: .id > 0", [], false),
            ("--full", "", "", ["--full"], false), ("commit: run", "commit: page", "commit: run", [], false),
        ])
    func definitions(_ name: String, _ old: String, _ new: String, _ arguments: [String], _ goesOn: Bool) throws {
        let source = PagedSource(.cursor, pages: PagedSource.pages(Array(1...20), size: 4))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        source.faults = [4: .status(404)]
        #expect(try Self.run(scene).code == 1)
        source.faults = [:]
        _ = source.takeAsked()
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        if !old.isEmpty { try scene.write("books.yaml", pipeline.replacing(old, with: new)) }
        let run = try Program.start(["run", "books.yaml"] + arguments, in: scene.path).wait()
        #expect(run.code == 0, "\(run.errors)")
        #expect(source.takeAsked() == Array((goesOn ? 4 : 1)...5), "\(name)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_scans") == ["0"])
    }

    @Test func aPlaceThatIsGoneMakesTheScanBeginAnew() throws {
        let source = PagedSource(.cursor, pages: PagedSource.pages(Array(1...20), size: 4))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        source.faults = [4: .cut(at: 0.5)]
        #expect(try Self.run(scene).code == 1)
        source.faults = [4: .status(410)]
        let run = try Self.run(scene)
        // The page is not there the second time either, but those before are read from the first one.
        #expect(run.code == 1)
        #expect(run.output.contains("resume_refused") && run.output.contains("status 410"), "\(run.output)")
        source.faults = [:]
        #expect(try Self.run(scene).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
    }

    @Test func undoTakesBackAllPagesOfARun() throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...20), size: 4))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        source.faults = [4: .cut(at: 0.5)]
        #expect(try Self.run(scene).code == 1)
        #expect(try scene.query("SELECT count(*) FROM books") == ["12"])
        #expect(try Program.run("undo", "1", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["0"])
        source.faults = [:]
        _ = source.takeAsked()
        #expect(try Self.run(scene).code == 0)
        #expect(source.takeAsked() == [1, 2, 3, 4, 5], "what was taken back is read again")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
        #expect(try Program.run("undo", "3", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["0"])
    }
}
