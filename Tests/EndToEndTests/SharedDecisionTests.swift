import Foundation
import TestSupport
import Testing

/// Decisions about a field that two sources ask about: one of them is about the field, and the other one goes along.
@Suite struct SharedDecisionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Whether the sources are streams of two pipelines.
        let areApart: Bool
        /// What is decided, in words of the command.
        let take: String
        /// The value of the row since.
        let value: String
        /// Whether the numbers are given in reverse.
        var isReversed = false

        var testDescription: String {
            "\(areApart ? "two pipelines" : "two streams"), \(take)\(isReversed ? ", reversed" : "")"
        }
    }

    static let cases =
        [false, true].flatMap { areApart in
            [
                Case(areApart: areApart, take: "remote", value: "a2"),
                Case(areApart: areApart, take: "base", value: "a"),
                Case(areApart: areApart, take: "local", value: "mine"),
            ]
        } + [Case(areApart: false, take: "remote", value: "a2", isReversed: true)]

    private static func pipeline(_ name: String, _ streams: [String], precedence: String) -> String {
        let lines = streams.map { "  - {name: \($0), entity: Customer, path: \($0).json}" }.joined(separator: "\n")
        return """
            version: 1
            name: \(name)
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: \(precedence)}
            entities:
              Customer: {table: customers, primary_key: [id], fields: {id: int, name: string}}
            streams:
            \(lines)
            """
    }

    /// A row that somebody edited, and both sources have changed since.
    private func scene(_ test: Case) throws -> Scene {
        let scene = try Scene()
        if test.areApart {
            let order = "[one/crm, two/bill]"
            try scene.write("one.yaml", Self.pipeline("one", ["crm"], precedence: order))
            try scene.write("two.yaml", Self.pipeline("two", ["bill"], precedence: order))
        } else {
            try scene.write("one.yaml", Self.pipeline("one", ["crm", "bill"], precedence: "[crm, bill]"))
        }
        try put(scene, "a", "A")
        try run(scene, test)
        try scene.execute("UPDATE customers SET name = 'mine'")
        try put(scene, "a2", "A2")
        try run(scene, test)
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["2"])
        return scene
    }

    private func put(_ scene: Scene, _ crm: String, _ bill: String) throws {
        try scene.write("crm.json", #"[{"id": 1, "name": "\#(crm)"}]"#)
        try scene.write("bill.json", #"[{"id": 1, "name": "\#(bill)"}]"#)
    }

    @discardableResult private func run(_ scene: Scene, _ test: Case) throws -> Program.Result {
        let files = ["one.yaml"] + (test.areApart ? ["two.yaml"] : [])
        let result = try Program.start(["run"] + files + ["--format", "json"], in: scene.path).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        return result
    }

    @Test(arguments: cases) func oneCommandDecidesBoth(_ test: Case) throws {
        let scene = try scene(test)
        var ids = try scene.query("SELECT id FROM _sluice_conflicts WHERE status = 'open' ORDER BY id")
        if test.isReversed { ids.reverse() }
        let resolved = try Program.start(
            ["conflicts", "resolve"] + ids + ["--take", test.take, "--store", "sqlite:shop.db"], in: scene.path
        ).wait()
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        if test.take != "local" {
            #expect(resolved.output.contains("decided with conflict"), "\(resolved.output)")
            #expect(resolved.output.contains("1 resolved, 1 decided with it."), "\(resolved.output)")
        }
        #expect(try scene.query("SELECT name FROM customers") == [test.value])
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
        // What was decided stands.
        try run(scene, test)
        #expect(try scene.query("SELECT name FROM customers") == [test.value])
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
    }

    @Test("A CSV file that decides both, and programs are told")
    func aFileDecidesBoth() throws {
        let test = Case(areApart: false, take: "remote", value: "a2")
        let scene = try scene(test)
        let store = ["--store", "sqlite:shop.db"]
        let exported = try Program.start(["conflicts", "export"] + store, in: scene.path).wait()
        // The last two columns are those for a decision.
        let filled = exported.output.replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: ",,\n", with: ",remote,\n")
        try scene.write("decided.csv", filled)
        let imported = try Program.start(
            ["conflicts", "import", "decided.csv", "--format", "json"] + store, in: scene.path
        ).wait()
        #expect(imported.code == 0, "\(imported.output)\(imported.errors)")
        for word in [#""outcome":"answered""#, #""decided_with":"#, #""answered":1"#] {
            #expect(imported.output.contains(word), "\(imported.output)")
        }
        #expect(try scene.query("SELECT name FROM customers") == ["a2"])
    }

    /// Of decisions about a deleted row that of the stream which goes first is carried out, and each of them is made once.
    @Test(
        arguments: [["local", "remote"], ["remote", "remote"], ["remote", "local"], ["local", "local"]], [false, true])
    func aFileDecidesAboutARow(_ takes: [String], areApart: Bool) throws {
        let test = Case(areApart: areApart, take: "", value: "")
        let scene = try Scene()
        if areApart {
            let order = "[one/crm, two/bill]"
            try scene.write("one.yaml", Self.pipeline("one", ["crm"], precedence: order))
            try scene.write("two.yaml", Self.pipeline("two", ["bill"], precedence: order))
        } else {
            try scene.write("one.yaml", Self.pipeline("one", ["crm", "bill"], precedence: "[crm, bill]"))
        }
        try put(scene, "a", "A")
        try run(scene, test)
        try scene.execute("DELETE FROM customers")
        try put(scene, "a2", "A2")
        try run(scene, test)
        let ids = try scene.query(
            "SELECT id FROM _sluice_conflicts WHERE status = 'open' ORDER BY stream = 'bill', id")
        #expect(ids.count == 2)
        let store = ["--store", "sqlite:shop.db"]
        try scene.write("decided.csv", "id,take,value\n\(ids[0]),\(takes[0]),\n\(ids[1]),\(takes[1]),\n")
        for _ in 1...2 {
            let imported = try Program.start(["conflicts", "import", "decided.csv"] + store, in: scene.path).wait()
            #expect(imported.code == 0, "\(imported.output)\(imported.errors)")
            let rows = try scene.query("SELECT name FROM customers")
            #expect(rows == (takes[0] == "local" ? [] : ["a2"]))
            #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
        }
        try run(scene, test)
        #expect(try scene.query("SELECT name FROM customers") == (takes[0] == "local" ? [] : ["a2"]))
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
    }
}
