import Foundation
import Synchronization
import TestSupport
import Testing

/// What `status --check` says to whoever runs it from a timer.
@Suite struct StatusCheckTests {
    /// Runs that ask for changes alone succeed, and say nothing of what is gone.
    @Test func refusedDeletesAreNotMadeUpForByChanges() throws {
        let isShort = Atomic(false)
        let server = try LoopbackServer { request in
            let isWhole = request.query?.contains("since") != true
            let ids = !isWhole ? [] : isShort.load(ordering: .sequentiallyConsistent) ? [1] : [1, 2, 3]
            let records = ids.map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
            return .text(#"{"items":[\#(records)],"next":"n"}"#)
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, extra: "records: $.items[*]\n    incremental: {token: next, token_param: since}")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("max_delete: 100%", with: "max_delete: 1"))
        func run(_ arguments: String...) throws -> Int {
            Int(try Program.start(["run", "books.yaml", "-q"] + arguments, in: scene.path).wait().code)
        }
        func status() throws -> (code: Int, isNamed: Bool) {
            let result = try Program.run(
                "status", "--store", "sqlite:shop.db", "--check", "--format", "json", in: scene.path)
            let isAdvised = result.output.contains("`--full --allow-deletes 2`")
            return (Int(result.code), result.output.contains(#""unfinished_run":{"run":2"#) && isAdvised)
        }
        #expect(try run() == 0)
        isShort.store(true, ordering: .sequentiallyConsistent)
        #expect(try run("--full") == 4)
        #expect(try run() == 0)
        #expect(try status() == (1, true))
        #expect(try run("--full", "--allow-deletes", "2") == 0)
        #expect(try status() == (0, false))
        #expect(try scene.query("SELECT id FROM books") == ["1"])
    }

    /// What further scans have to confirm is no refusal, however much it is.
    @Test func aRefusalThatWasMadeUpForIsNotNamedAgain() throws {
        let isShort = Atomic(false)
        let server = try LoopbackServer { _ in
            let ids = isShort.load(ordering: .sequentiallyConsistent) ? [1] : [1, 2, 3]
            return .text("[\(ids.map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ","))]")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("max_delete: 100%", with: "max_delete: 1, confirm: 1"))
        func run(short: Bool) throws -> Int {
            isShort.store(short, ordering: .sequentiallyConsistent)
            return Int(try Program.start(["run", "books.yaml", "-q"], in: scene.path).wait().code)
        }
        func status() throws -> Int {
            Int(try Program.run("status", "--store", "sqlite:shop.db", "--check", in: scene.path).code)
        }
        #expect(try [run(short: false), run(short: true), status(), run(short: true), status()] == [0, 0, 0, 4, 1])
        #expect(try [run(short: false), status(), run(short: true), status()] == [0, 0, 0, 0])
    }
}
