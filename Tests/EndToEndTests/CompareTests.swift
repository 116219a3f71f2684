import Foundation
import TestSupport
import Testing

/// Fields that compare in another way, from the pipeline's file to the decision about a conflict.
@Suite struct CompareTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// What the field `x` is.
        let field: String
        /// JSON of the source, before and after.
        let base: String
        let remote: String
        /// What a person writes into the table.
        let local: String
        /// What `--set` gives, and what the table holds then.
        let given: String
        let set: String
        /// The paths that the conflict names.
        var paths: [String] = []
        /// Whether the base is known.
        var knowsBase = true
        var testDescription: String { name }
    }

    private static let long = String(repeating: " that goes on", count: 100)

    static let cases = [
        Case(
            name: "ci", field: "{type: string, compare: ci}", base: #""Dune""#, remote: #""Ulysses""#, local: "EMMA",
            given: "x=Ilias", set: "Ilias"),
        Case(
            name: "ci, a base too long to be kept", field: "{type: string, compare: ci}",
            base: "\"A title\(long)\"", remote: #""Ulysses""#, local: "EMMA",
            given: "x=Ilias", set: "Ilias", knowsBase: false),
        Case(
            name: "a base of 1 KiB", field: "string", base: "\"\(String(repeating: "a", count: 1024))\"",
            remote: #""Ulysses""#, local: "EMMA", given: "x=Ilias", set: "Ilias"),
        Case(
            name: "a base of 1 KiB and a byte", field: "string",
            base: "\"\(String(repeating: "a", count: 1025))\"", remote: #""Ulysses""#, local: "EMMA",
            given: "x=Ilias", set: "Ilias", knowsBase: false),
        Case(
            name: "keep_base: digest", field: "{type: string, keep_base: digest}",
            base: #""A title of ordinary length""#, remote: #""Ulysses""#, local: "EMMA",
            given: "x=Ilias", set: "Ilias", knowsBase: false),
        Case(
            name: "keep_base: full", field: "{type: string, keep_base: full}",
            base: "\"A title\(long)\"", remote: #""Ulysses""#, local: "EMMA",
            given: "x=Ilias", set: "Ilias"),
        Case(
            name: "set", field: "{type: json, compare: set}", base: "[1]", remote: "[2]", local: #"{"no":"array"}"#,
            given: "x=[3]", set: "[3]"),
        Case(
            name: "json", field: "{type: json, compare: json}",
            base: #"{"a/b":{"title":"a title that is much too long to be kept"},"y":1}"#,
            remote: #"{"a/b":{"title":"another"},"y":1}"#, local: #"{"a/b":{"title":"mine"},"y":2}"#,
            given: #"x={"y":3}"#, set: #"{"y":3}"#, paths: ["/a~1b/title"]),
    ]

    private static func scene(_ example: Case) throws -> Scene {
        let scene = try Scene(document: "", fields: "id: int, x: \(example.field)")
        try scene.write("books.json", "[{\"id\":1,\"x\":\(example.base)}]")
        return scene
    }

    private static func divergent(_ example: Case) throws -> Scene {
        let scene = try scene(example)
        try run(scene)
        try scene.execute("UPDATE books SET x = '\(example.local)'")
        try scene.write("books.json", "[{\"id\":1,\"x\":\(example.remote)}]")
        try run(scene)
        return scene
    }

    private static func run(_ scene: Scene) throws {
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    private static func text(_ json: String) -> String {
        json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
    }

    @Test(arguments: Seeds.pairs(cases, in: ["set", "local", "remote", "base"]))
    func aConflictIsShownAndDecided(example: Case, decision: String) throws {
        let scene = try Self.divergent(example)
        let store = ["--store", "sqlite:shop.db"]
        let listed = try Program.start(["conflicts", "list", "--format", "json"] + store, in: scene.path).wait()
        #expect(listed.output.contains(#""kind":"edit_edit""#) && listed.output.contains(#""field":"x""#))
        let paths = "\"paths\":[" + example.paths.map { "\"\($0)\"" }.joined() + "]"
        #expect(listed.output.contains(paths) == !example.paths.isEmpty)
        let shown = try Program.start(["conflicts", "show", "1"] + store, in: scene.path).wait()
        #expect(shown.output.contains("base not stored (") == !example.knowsBase)
        for path in example.paths { #expect(shown.output.contains("at      \(path)  (changed on both sides)")) }

        let what = decision == "set" ? ["--set", example.given] : ["--take", decision]
        let resolved = try Program.start(["conflicts", "resolve", "1"] + what + store, in: scene.path).wait()
        let isPossible = decision != "base" || example.knowsBase
        #expect(resolved.code == (isPossible ? 0 : 1), "\(resolved.output)\(resolved.errors)")
        if !isPossible { #expect(resolved.output.contains("only a digest is")) }
        let results = [
            "local": example.local, "remote": Self.text(example.remote), "set": example.set,
            "base": isPossible ? Self.text(example.base) : example.local,
        ]
        #expect(try scene.query("SELECT x FROM books") == [results[decision]])
        // The next run has nothing to do and nothing to ask.
        let before = try scene.contents()
        try Self.run(scene)
        #expect(try scene.contents() == before)
        #expect(
            try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == [isPossible ? "0" : "1"])
    }

    @Test func aDecisionHoldsWhereOnlyTheSpellingChangedSinceItWasShown() throws {
        for (name, local, isSame) in [
            ("ci", "emma", true), ("ci", "Emma!", false), ("set", #"{"no": "array"}"#, true),
        ] {
            let scene = try Self.divergent(#require(Self.cases.first { $0.name == name }))
            try scene.execute("UPDATE books SET x = '\(local)'")
            let resolved = try Program.run(
                "conflicts", "resolve", "1", "--take", "local", "--store", "sqlite:shop.db", in: scene.path)
            #expect(resolved.code == (isSame ? 0 : 1), "\(resolved.output)")
            #expect(resolved.output.contains("reopened") == !isSame)
            #expect(try scene.query("SELECT x FROM books") == [local])
        }
    }

    @Test(arguments: [
        ("compare: set", "[1,2]", "[2,3]", "[1,2,4]", "[2,4,3]"),
        ("compare: json", #"{"a":1,"b":1}"#, #"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#, #"{"a":2,"b":2}"#),
    ])
    func changesOfBothSidesAreMergedShownAndKept(
        _ rule: String, _ base: String, _ remote: String, _ local: String, _ result: String
    ) throws {
        let scene = try Scene(document: "[{\"id\":1,\"x\":\(base)}]", fields: "id: int, x: {type: json, \(rule)}")
        try Self.run(scene)
        try scene.execute("UPDATE books SET x = '\(local)'")
        try scene.write("books.json", "[{\"id\":1,\"x\":\(remote)}]")
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        let sides = #""class":"merged","base":\#(base),"local":\#(local),"remote":\#(remote),"result":\#(result)"#
        #expect(plan.output.contains(sides), "\(plan.output)")
        #expect(plan.output.contains(#""update":1"#))
        let text = try Program.run("plan", "books.yaml", in: scene.path)
        #expect(text.output.contains("both sides changed it: merged; the source says"), "\(text.output)")
        try Self.run(scene)
        #expect(try scene.query("SELECT x FROM books") == [result])
        let before = try scene.contents()
        try Self.run(scene)
        #expect(try scene.contents() == before)
    }
}
