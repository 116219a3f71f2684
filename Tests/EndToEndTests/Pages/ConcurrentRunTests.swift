import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs that ask for several pages at a time.
@Suite struct ConcurrentRunTests {
    private static let pages = 6

    /// A list in counted pages of two, one of which may be broken.
    private final class List: Sendable {
        let broken = Mutex<Int?>(nil)

        func answer(_ request: ServerRequest) -> ServerResponse {
            let page = Int((request.query ?? "").split(separator: "=").last ?? "") ?? 1
            let records = [page * 2 - 1, page * 2].map { #"{"id":\#($0),"title":"t\#($0)","price":"1.50"}"# }
            let text = #"{"pages":\#(pages),"data":[\#(records.joined(separator: ","))]}"#
            if broken.withLock({ $0 }) == page { return .text(String(text.dropLast(12))) }
            return .text(text)
        }
    }

    private func scene(_ url: String, commit: String) throws -> Scene {
        let paginator = "{type: page_number, total_pages_path: pages}"
        let scene = try Scene(url: url, extra: "records: \"data[*]\"\n    paginator: \(paginator)")
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing("retry: {", with: "rate_limit: {concurrency: 4}, retry: {") + "\ncommit: \(commit)\n")
        return scene
    }

    @Test(arguments: ["run", "page"])
    func whatWasRecordedIsReplayed(commit: String) throws {
        let list = List()
        let server = try LoopbackServer { list.answer($0) }
        let scene = try scene(server.url, commit: commit)
        let recorded = try Program.run("record", "books.yaml", "--to", "kept", in: scene.path)
        #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
        #expect(server.requests.count == Self.pages)
        let live = try self.scene(server.url, commit: commit)
        #expect(try Program.run("run", "books.yaml", in: live.path).code == 0)
        server.stop()
        let replayed = try Program.run("run", "books.yaml", "--replay", "kept", in: scene.path)
        #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["\(Self.pages * 2)"])
        #expect(try scene.contents()["books"] == live.contents()["books"])
        let again = try Program.run("run", "books.yaml", "--replay", "kept", in: scene.path)
        #expect(again.code == 0 && again.output.contains("nothing changed"), "\(again.output)")
    }

    @Test(arguments: [1, 3, 6], ["run", "page"])
    func aBrokenPageIsNamedAndNothingOfItIsTaken(broken: Int, commit: String) throws {
        let list = List()
        let server = try LoopbackServer { list.answer($0) }
        defer { server.stop() }
        let scene = try scene(server.url, commit: commit)
        list.broken.withLock { $0 = broken }
        let failed = try Program.run("run", "books.yaml", in: scene.path)
        #expect(failed.code == 1, "\(failed.output)")
        #expect(failed.errors.contains(broken == 1 ? "/books" : "page=\(broken)"), "\(failed.errors)")
        #expect(failed.errors.contains("cut off"), "\(failed.errors)")
        let kept: Int = commit == "page" ? broken - 1 : 0
        #expect(FileManager.default.fileExists(atPath: scene.store) == (kept > 0))
        if kept > 0 { #expect(try scene.query("SELECT count(*) FROM books") == ["\(kept * 2)"]) }
        #expect(!FileManager.default.fileExists(atPath: scene.store + "-pages"))
        list.broken.withLock { $0 = nil }
        let before = server.requests.count
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(server.requests.count - before == Self.pages - kept)
        #expect(try scene.query("SELECT count(*) FROM books") == ["\(Self.pages * 2)"])
    }
}
