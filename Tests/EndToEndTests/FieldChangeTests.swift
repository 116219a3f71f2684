import Foundation
import TestSupport
import Testing

/// A field that gets another name, type or other values: what the table holds passes, or it is told what does not.
@Suite("A field that changes") struct FieldChangeTests {
    private static func scene(_ fields: String, _ records: String) throws -> Scene {
        let scene = try Scene(document: records, fields: fields)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        return scene
    }

    private static func text(_ scene: Scene) throws -> String {
        try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
    }

    private static func change(_ scene: Scene, _ old: String, _ new: String) throws {
        let yaml = try Self.text(scene)
        try scene.write("books.yaml", yaml.replacing(old, with: new))
    }

    @Test("A name and a type at once: edits, conflicts and the quarantine go with both")
    func renamedAndOfAnotherType() throws {
        let scene = try Self.scene(
            "id: int, n: string, title: string",
            #"[{"id": 1, "n": "41"}, {"id": 2, "n": "n/a"}, {"id": 3, "n": "7"}, {"id": 4, "n": "5"}]"#)
        try scene.execute("UPDATE books SET n = '8' WHERE id = 3")
        try scene.execute("UPDATE books SET n = '6' WHERE id = 4")
        try scene.write(
            "books.json", #"[{"id": 1, "n": "41"}, {"id": 2, "n": "n/a"}, {"id": 3, "n": "9"}, {"id": 4, "n": "5"}]"#)
        let conflict = try Program.run("run", "books.yaml", in: scene.path)
        #expect(conflict.output.contains("conflict"), "\(conflict.output)")
        try Self.change(scene, "n: string", "age: {from: n, type: int, renamed_from: n}")
        let refused = try Program.run("run", "books.yaml", in: scene.path)
        #expect(refused.code == 4 && refused.errors.contains(#""n/a" in {"id":2}"#), "\(refused.errors)")
        #expect(refused.errors.contains("`age` of `Book` is now int"), "\(refused.errors)")
        #expect(try scene.query("SELECT n FROM books WHERE id = 1") == ["41"])
        let run = try Program.run("run", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.output.contains(#"RENAME COLUMN "n" TO "age""#), "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""age" from TEXT to INTEGER"#), "\(run.output)")
        #expect(
            try scene.query("SELECT id, quote(age) FROM books") == [
                "1|41", "2|NULL", "3|8", "4|6",
            ])
        let conflicts = try Program.run("conflicts", "list", "--store", "sqlite:shop.db", in: scene.path)
        #expect(conflicts.output.contains("age  base 7   local 8   remote 9"), "\(conflicts.output)")
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("age"), "\(edits.output)")
        let undo = try Program.run("undo", "4", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(
            try scene.query("SELECT id, quote(age) FROM books") == [
                "1|'41'", "2|'n/a'", "3|'8'", "4|'6'",
            ])
    }

    @Test("A conflict that is open while the type changes offers no side that is no value any more")
    func sidesOfAnEarlierType() throws {
        let scene = try Self.scene("id: int, n: string", #"[{"id": 1, "n": "x"}]"#)
        try scene.execute("UPDATE books SET n = '5'")
        try scene.write("books.json", #"[{"id": 1, "n": "y"}]"#)
        _ = try Program.run("run", "books.yaml", in: scene.path)
        try Self.change(scene, "n: string", "n: int")
        _ = try Program.run("run", "books.yaml", in: scene.path)
        let shown = try Program.run("conflicts", "show", "1", "--store", "sqlite:shop.db", in: scene.path)
        #expect(shown.output.contains("--take local") && shown.output.contains("--set n=VALUE"), "\(shown)")
        #expect(!shown.output.contains("--take remote") && !shown.output.contains("--take base"), "\(shown.output)")
        for (side, value) in [("remote", #""y""#), ("base", #""x""#)] {
            let refused = try Program.run(
                "conflicts", "resolve", "1", "--take", side, "--store", "sqlite:shop.db", in: scene.path)
            let words = refused.output + refused.errors
            #expect(refused.code != 0 && words.contains("\(value) is no value of `n`, which is int now"), "\(words)")
        }
        let taken = try Program.run(
            "conflicts", "resolve", "1", "--take", "local", "--store", "sqlite:shop.db", in: scene.path)
        #expect(taken.code == 0, "\(taken)")
        #expect(try scene.query("SELECT n FROM books") == ["5"])
    }

    @Test("A value that an enum loses: rows that hold it are told, or go to the quarantine and come back")
    func valuesOfAnEnum() throws {
        let scene = try Self.scene(
            "id: int, state: {type: enum, values: [new, paid, \"on hold\"]}",
            #"[{"id": 1, "state": "new"}, {"id": 2, "state": "on hold"}, {"id": 3, "state": "on hold"}]"#)
        try scene.write(
            "books.json", #"[{"id": 1, "state": "new"}, {"id": 2}, {"id": 3}]"#)
        try Self.change(scene, #"values: [new, paid, "on hold"]"#, "values: [new, paid]")
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "books.yaml", in: scene.path)
            #expect(refused.code == 4, "\(refused.output)\(refused.errors)")
            #expect(
                refused.errors.contains(#"2 rows of `books` hold what is no value now: "on hold" in {"id":2}"#),
                "\(refused.errors)")
        }
        let checked = try Program.run("validate", "books.yaml", "--store", "sqlite:shop.db", in: scene.path)
        #expect((checked.output + checked.errors).contains("hold what is no value now"), "\(checked.output)")
        let plan = try Program.run("plan", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(
            plan.output.contains(#"~ column of books, 2 values  "state" without "on hold" (UPDATE)"#), "\(plan.output)")
        #expect(plan.output.contains("! values of books, 2 rows  state: to the quarantine, and null"), "\(plan.output)")
        let run = try Program.run("run", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, state FROM books") == ["1|new", "2|null", "3|null"])
        let kept = try Program.run("quarantine", "list", "--store", "sqlite:shop.db", in: scene.path)
        #expect(kept.output.contains("type_changed:state") && kept.output.contains("on hold"), "\(kept.output)")
        // The records were read; what waits is values of theirs.
        let words = "2 values that a change of type left are in quarantine"
        let quiet = try Program.run("plan", "books.yaml", "--strict", in: scene.path)
        #expect(quiet.code == 3 && quiet.output.contains("\n\(words):\n"), "\(quiet.output)\(quiet.errors)")
        #expect(!quiet.output.contains("did not read"), "\(quiet.output)")
        let silent = try Program.run("plan", "books.yaml", "--strict", "--quiet", in: scene.path)
        #expect(silent.code == 3 && silent.errors.contains(words), "\(silent.errors)")
        let json = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path).output
        #expect(json.contains(#""open_besides":{"conflict":0,"quarantined":0,"type_changed":2}"#), "\(json)")
        let undo = try Program.run("undo", "3", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(try scene.query("SELECT id, state FROM books") == ["1|new", "2|on hold", "3|on hold"])
    }

    /// A type that takes the place of `string`, and one more value that is of both.
    static let texts = [
        ("decimal", "5"), ("date", "2026-01-02"), ("datetime", "2026-01-02T03:04:05Z"),
        ("uuid", "00000001-0000-4000-8000-000000000000"), ("{type: enum, values: [red, blue]}", "blue"), ("int", "5"),
    ]

    @Test(
        "An edit that a new type cannot hold comes back by undo and with the old type", arguments: texts, [true, false])
    func editsComeBack(_ type: (name: String, value: String), _ isUndone: Bool) throws {
        let value = type.name.hasPrefix("{") ? "red" : type.value
        let scene = try Self.scene("id: int, n: string", #"[{"id": 1, "n": "\#(value)"}]"#)
        try scene.execute("UPDATE books SET n = 'call us'")
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path).output
        try #require(edits.contains("call us"), "\(edits)")
        try Self.change(scene, "n: string", "n: \(type.name)")
        let run = try Program.run("run", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT n FROM books") == ["null"])
        try Self.change(scene, "n: \(type.name)", "n: string")
        let back =
            isUndone
            ? try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
            : try Program.run("run", "books.yaml", in: scene.path)
        #expect(back.code == 0, "\(back.output)\(back.errors)")
        #expect(back.output.contains("~ values of books, 1 row  n: back from the quarantine"), "\(back.output)")
        if isUndone { #expect(back.output.contains("1 value back from the quarantine"), "\(back.output)") }
        #expect(try scene.query("SELECT n FROM books") == ["call us"])
        #expect(try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path).output == edits)
        let kept = try Program.run("quarantine", "list", "--store", "sqlite:shop.db", in: scene.path)
        #expect(!kept.output.contains("type_changed"), "\(kept.output)")
    }

    @Test("An undo leaves what it cannot give back in the quarantine, and says so", arguments: ["decimal", "int"])
    func undoKeepsWhatHasNoPlace(_ type: String) throws {
        let scene = try Self.scene("id: int, n: string", #"[{"id": 1, "n": "4"}]"#)
        try scene.execute("UPDATE books SET n = 'call us'")
        try Self.change(scene, "n: string", "n: \(type)")
        let run = try Program.run("run", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        try scene.execute("UPDATE books SET n = \(type == "int" ? "7" : "'7'")")
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.output.contains(#"The quarantine keeps "call us" of `n` of Book {"id":1}"#), "\(undo)")
        #expect(undo.code == 1 && undo.output.contains("What was changed since stays."), "\(undo)")
        #expect(try scene.query("SELECT n, typeof(n) FROM books") == ["7|text"])
        #expect(try scene.query("SELECT status, value FROM _sluice_quarantine") == [#"open|"call us""#])
    }

    @Test("Values that come, and values that no row holds, are no news")
    func valuesWithoutRows() throws {
        let scene = try Self.scene(
            "id: int, state: {type: enum, values: [new, paid]}", #"[{"id": 1, "state": "new"}]"#)
        for values in ["new, paid, gone", "new, gone", "gone, new"] {
            let yaml = try Self.text(scene)
            try scene.write("books.yaml", yaml.replacing(/values: \[.*?\]/, with: "values: [\(values)]"))
            let run = try Program.run("run", "books.yaml", in: scene.path)
            #expect(run.code == 0 && run.output.contains("1 unchanged"), "\(run.output)\(run.errors)")
            #expect(!run.output.contains("column of"), "\(run.output)")
        }
    }

    @Test("history RUN tells how tables followed", arguments: ["text", "json", "markdown", "html"])
    func history(_ form: String) throws {
        let scene = try Self.scene(
            "id: int, age: string, mail: string, state: {type: enum, values: [new, old]}",
            #"[{"id": 1, "age": "41", "mail": "a@x", "state": "new"}, {"id": 2, "age": "n/a", "mail": "b@x"}]"#)
        try scene.write("books.json", #"[{"id": 1, "age": 41, "mail": "a@x"}, {"id": 2, "age": 5, "mail": "b@x"}]"#)
        try Self.change(scene, "age: string", "age: int")
        try Self.change(scene, "[new, old]", "[old]")
        try Self.change(scene, "primary_key: [id]", "primary_key: [mail]")
        let run = try Program.run("run", "books.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let told = try Program.run("history", "2", "--store", "sqlite:shop.db", "--format", form, in: scene.path)
        #expect(told.code == 0, "\(told.errors)")
        let text = told.output.replacing("&quot;", with: "\"").replacing("\\\"", with: "\"")
        for words in [
            #""id" int to "mail" string"#, #""age" from string to int"#, #""state" without "new""#,
        ] { #expect(text.contains(words), "\(words)\n\(text)") }
        if form == "text" { #expect(text.contains("! values of books, 1 row  age: to the quarantine"), "\(text)") }
        if form == "json" { #expect(text.contains(#""change":"quarantine_values""#), "\(text)") }
        if form == "markdown" { #expect(!text.contains("not written"), "\(text)") }
    }
}
