import Foundation
import Synchronization
import TestSupport
import Testing

/// Lists that go on, of pages that are kept one by one.
@Suite struct KeptPageTests {
    /// Three pages with an invoice each, whose lists go on.
    private static func forge() -> Forge {
        let lines = Invoices.lines("a1", more: true)
        return Forge([
            "/invoices?page=1": .body("[\(Invoices.invoice("i1", lines))]"),
            "/invoices?page=2": .body("[\(Invoices.invoice("i2", lines))]"),
            "/invoices?page=3": .body("[\(Invoices.invoice("i3", lines))]"),
            "/invoices?page=4": "[]",
            "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3")),
            "/invoices/i2/lines?after=a1": .body(Invoices.lines("a2", "a3")),
            "/invoices/i3/lines?after=a1": .body(Invoices.lines("a2", "a3")),
        ])
    }

    private static let all = ["i1", "i2", "i3"].flatMap { invoice in ["a1", "a2", "a3"].map { "\(invoice)|\($0)" } }

    private func scene(_ server: LoopbackServer) throws -> Scene {
        try Scene(
            forge: Invoices.pipeline(server.url, stream: "paginator: {type: page_number}", top: "commit: page"))
    }

    @Test func eachPageIsKeptWithItsWholeLists() throws {
        let forge = Self.forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try scene(server)
        let plan = try scene.forge("plan")
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        for result in [plan, run] {
            #expect(
                result.output.contains(
                    #""continued_lists":{"count":3,"failed":0},"rests":{"count":3,"failed":0},"requests":7"#),
                "\(result.output)")
        }
        #expect(try scene.lines() == Self.all)
        #expect(try scene.forge("plan", "--detailed-exitcode").code == 0)
        forge["/invoices/i2/lines?after=a1"] = .body(Invoices.lines("a3"))
        #expect(try scene.forge().code == 0)
        #expect(try scene.lines() == Self.all.filter { $0 != "i2|a2" })
    }

    @Test func aRestThatFailsLeavesTheOtherPagesAlone() throws {
        let forge = Self.forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try scene(server)
        #expect(try scene.forge().code == 0)
        forge["/invoices/i1/lines?after=a1"] = .status(500)
        forge["/invoices/i3/lines?after=a1"] = .body(Invoices.lines("a2"))
        let plan = try scene.forge("plan")
        let run = try scene.forge()
        #expect(plan.code == 5 && run.code == 5, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(#""continued_lists":{"count":3,"failed":1},"rests":{"count":3,"failed":1}"#),
            "\(run.output)")
        #expect(run.output.split(separator: "rest_failed").count == 2, "it is told once\(run.output)")
        #expect(try scene.lines() == Self.all.filter { $0 != "i3|a3" })
        #expect(try scene.query("SELECT status FROM _sluice_runs ORDER BY id DESC LIMIT 1") == ["partial"])
    }

    @Test func aRunThatIsKilledGoesOnAtThePageWhoseListsItRead() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let isHeld = Mutex(true)
        let forge = Self.forge()
        let server = try LoopbackServer { request in
            if request.target.hasPrefix("/invoices/i2"), isHeld.withLock({ $0 }) {
                isAsked.open()
                mayAnswer.wait()
            }
            guard case .body(let text)? = forge[request.target] else { return .text("", status: 404) }
            return .text(text)
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try scene(server)
        let running = try Program.start(["run", "forge.yaml"], in: scene.path)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i1|a3"])
        isHeld.withLock { $0 = false }
        mayAnswer.open()
        let before = server.requests.count
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains(#""resumed_at_page":2"#), "\(run.output)\(run.errors)")
        #expect(server.requests.dropFirst(before).allSatisfy { !$0.target.contains("i1") })
        #expect(try scene.lines() == Self.all)
        #expect(try scene.forge("plan", "--detailed-exitcode").code == 0)
    }
}
