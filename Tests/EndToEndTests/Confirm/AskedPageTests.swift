import Foundation
import Synchronization
import TestSupport
import Testing

/// Records that are missing from several pages are asked for one by one, also where that is broken off.
@Suite struct AskedPageTests {
    /// A paged list without some of its records, of which one is still there.
    private final class Shop: Sendable {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...9), size: 3))
        /// The process that is killed where the next record is asked for.
        let target = Mutex<Int32?>(nil)
        let isAimed = Gate()
        let asked = Mutex<[String]>([])

        func answer(_ request: ServerRequest) -> ServerResponse {
            let parts = request.path.split(separator: "/")
            guard parts.count == 2 else { return source.answer(request) }
            asked.withLock { $0.append(String(parts[1])) }
            if target.withLock({ $0 }) != nil {
                isAimed.wait()
                if let process = target.withLock({ $0.take() }) { kill(process, SIGKILL) }
                return .hangUp
            }
            return parts[1] == "8" ? .text(#"{"id": 8}"#) : .text("", status: 404)
        }

        func takeAsked() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
        }
    }

    private func scene(_ shop: Shop, _ url: String, commit: String) throws -> Scene {
        let scene = try Scene(shop.source, url: url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        let confirmed = "max_delete: 100%, confirm: {path: \"/books/{{ key.id }}\"}"
        try scene.write(
            "books.yaml",
            pipeline.replacing("max_delete: 100%", with: confirmed)
                .replacing("commit: page", with: "commit: \(commit)"))
        return scene
    }

    @Test(arguments: ["run", "page"])
    func whatIsMissingFromAllPagesIsAskedFor(commit: String) throws {
        let shop = Shop()
        let server = try LoopbackServer { shop.answer($0) }
        defer { server.stop() }
        let scene = try scene(shop, server.url, commit: commit)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.source.pages = PagedSource.pages([1, 3, 4, 6, 7, 9], size: 2)
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        #expect(shop.takeAsked().sorted() == ["2", "5", "8"])
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(shop.takeAsked().sorted() == ["2", "5", "8"])
        for result in [plan, run] {
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains(#""delete":2"#), "\(result.output)")
            #expect(result.output.contains(#""missing":1"#), "\(result.output)")
        }
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "3", "4", "6", "7", "8", "9"])
    }

    @Test(arguments: ["run", "page"])
    func aRunThatIsKilledWhileItAsksIsTakenUp(commit: String) throws {
        let shop = Shop()
        let server = try LoopbackServer { shop.answer($0) }
        defer { server.stop() }
        let (scene, calm) = (
            try scene(shop, server.url, commit: commit), try scene(shop, server.url, commit: commit)
        )
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try Program.run("run", "books.yaml", in: calm.path).code == 0)
        shop.source.pages = PagedSource.pages([1, 3, 4, 6, 7, 9], size: 2)
        #expect(try Program.run("run", "books.yaml", in: calm.path).code == 0)
        let before = try scene.query("SELECT id FROM books")
        _ = (shop.takeAsked(), shop.source.takeAsked())

        shop.target.withLock { $0 = 0 }
        let running = try Program.start(["run", "books.yaml"], in: scene.path)
        shop.target.withLock { $0 = running.process.processIdentifier }
        shop.isAimed.open()
        #expect(try running.wait().code == 137)
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        #expect(try scene.query("SELECT id FROM books") == before, "nothing is deleted before all was asked")
        #expect(shop.source.takeAsked() == [1, 2, 3])
        let resumed = try Program.run("run", "books.yaml", in: scene.path)
        #expect(resumed.code == 0, "\(resumed.output)\(resumed.errors)")
        // All three pages had come; what was not merged of them waits beside the store.
        let again: [Int] = commit == "page" ? [] : [1, 2, 3]
        #expect(shop.source.takeAsked() == again)
        #expect(try scene.contents() == calm.contents())
        #expect(!FileManager.default.fileExists(atPath: scene.store + "-pages"))
    }
}
