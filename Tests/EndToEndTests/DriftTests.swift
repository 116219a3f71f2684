import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// What `inspect drift` tells of a source that began to send other records, and of a store that people changed: see
/// `fixtures/drift`.
@Suite struct DriftTests {
    private static let fixtures = Program.project.appending(path: "fixtures/drift")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.fixtures.appending(path: name), encoding: .utf8)
    }

    private func makeShop() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for (name, copy) in [
            ("shop.yaml", "shop.yaml"), ("users.json", "users.json"), ("books-before.json", "books.json"),
        ] {
            try text(name).write(toFile: folder.file(copy), atomically: true, encoding: .utf8)
        }
        try Connection(path: folder.file("shop.db"), mode: .create).execute(text("before.sql"))
        let run = try Program.run("run", "shop.yaml", "--store", "sqlite:shop.db", in: folder.path)
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        try Connection(path: folder.file("shop.db"), mode: .existing).execute(text("own.sql"))
        try text("books.json").write(toFile: folder.file("books.json"), atomically: true, encoding: .utf8)
        return folder
    }

    @Test(arguments: [
        ([String](), "drift.txt"), (["--format", "json"], "drift.json"), (["--offline"], "offline.txt"),
        (["--stream", "users"], "users.txt"),
    ])
    func whatDriftsIsShown(_ options: [String], _ file: String) throws {
        let folder = try makeShop()
        let before = try Data(contentsOf: URL(filePath: folder.file("shop.db")))
        let outcome = try Program.start(
            ["inspect", "drift", "shop.yaml", "--store", "sqlite:shop.db", "--detailed-exitcode"] + options,
            in: folder.path
        ).wait()
        #expect(outcome.code == 2 && outcome.errors.isEmpty, "\(outcome.code) \(outcome.errors)")
        try ExpectedText(file: Self.fixtures.appending(path: file)).check(outcome.output)
        #expect(!outcome.output.contains("7946"), "a value of a record with redacted fields")
        #expect(try Data(contentsOf: URL(filePath: folder.file("shop.db"))) == before)
    }

    struct Missing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The records that a run has read, and those of today.
        var before = #"[{"id": 1, "title": "Dune", "note": "a"}, {"id": 2, "title": "Emma"}]"#
        let now: String
        /// The fields besides the number.
        var fields = "title: string, note: string"
        var stream = ""
        /// What is told, as field, records that had it before, and candidate.
        let missing: [String]
    }

    static let missing = [
        Missing(
            testDescription: "a key with another name",
            now: #"[{"id": 1, "titel": "Dune", "note": "a"}, {"id": 2, "titel": "E"}]"#,
            missing: ["title 2 titel"]),
        Missing(
            testDescription: "a key with quite another name",
            now: #"[{"id": 1, "label": "Dune", "note": "a"}, {"id": 2, "label": "E"}]"#, missing: ["title 2 label"]),
        Missing(
            testDescription: "a required key with another name, so that no record is taken",
            now: #"[{"id": 1, "titel": "Dune", "note": "a"}, {"id": 2, "titel": "E"}]"#,
            fields: "title: {type: string, required: true}, note: string", missing: ["title 2 titel"]),
        Missing(
            testDescription: "keys that are gone", now: #"[{"id": 1}, {"id": 2}]"#, missing: ["title 2 -", "note 1 -"]),
        Missing(
            testDescription: "a key that one record still has", now: #"[{"id": 1}, {"id": 2, "title": "E"}]"#,
            missing: ["note 1 -"]),
        Missing(testDescription: "a key that is null", now: #"[{"id": 1, "title": null, "note": null}]"#, missing: []),
        Missing(testDescription: "other records", now: #"[{"id": 7, "title": "Ulysses"}]"#, missing: []),
        Missing(testDescription: "no records", now: "[]", missing: []),
        Missing(
            testDescription: "a key that no record ever had", before: #"[{"id": 1, "title": "Dune"}]"#,
            now: #"[{"id": 1, "title": "Dune"}]"#, missing: []),
        Missing(
            testDescription: "a default in its place", now: #"[{"id": 1, "title": "Dune"}]"#,
            fields: "title: string, note: {type: string, default: none}", missing: []),
        Missing(
            testDescription: "a record that is deleted", now: #"[{"id": 1, "gone": true}]"#,
            stream: "deleted_when: .gone",
            missing: []),
    ]

    /// An absent key says nothing, so that a run changes nothing: only this tells that a field gets no value any more.
    @Test(arguments: missing) func fieldsWithoutAKeyAreTold(_ test: Missing) throws {
        let scene = try Scene(document: test.before, fields: "id: int, \(test.fields)", stream: test.stream)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.json", test.now)
        let json = try Program.run("inspect", "drift", "books.yaml", "--format", "json", in: scene.path).output
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let pipeline = try #require((document["pipelines"] as? [[String: Any]])?.first)
        let stream = try #require((pipeline["streams"] as? [[String: Any]])?.first)
        let fields = stream["missing_fields"] as? [[String: Any]] ?? []
        let told = fields.map { "\($0["field"] ?? "") \($0["before"] ?? "") \($0["candidate"] ?? "-")" }
        #expect(told == test.missing, "\(json)")
        let text = try Program.run("inspect", "drift", "books.yaml", "--detailed-exitcode", in: scene.path)
        #expect(text.output.contains("Fields that no record gives any more:") == !test.missing.isEmpty, "\(text)")
        if !test.missing.isEmpty { #expect(text.code == 2 && pipeline["drifts"] as? Bool == true) }
        // A run changes nothing of it, today as later; a source that is empty has it end with 4.
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == (test.now == "[]" ? 4 : 0))
        let again = try Program.run("inspect", "drift", "books.yaml", in: scene.path).output
        #expect(again.contains("Fields that no record gives any more:") == !test.missing.isEmpty, "\(again)")
    }

    struct TypeChange: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The values of the field, as JSON, and its type before and now.
        let values: [String]
        var before = "string"
        let now: String
        /// What is said of the column; nil for nothing.
        let column: String?
        /// Whether a run takes it.
        var passes = true
    }

    static let typeChanges = [
        TypeChange(
            testDescription: "all pass", values: ["\"7\"", "\"8\"", "null"], now: "int",
            column: "books.n  TEXT  becomes INTEGER in the next run"),
        TypeChange(
            testDescription: "one does not", values: ["\"7\"", "\"x\"", "\"8\""], now: "int",
            column: "books.n  TEXT  1 value cannot become INTEGER, so the next run refuses the type",
            passes: false),
        TypeChange(
            testDescription: "the column stays, and the values", values: ["\"2026-01-02\""], now: "date", column: nil),
        TypeChange(
            testDescription: "to a text", values: ["7", "8"], before: "int", now: "string",
            column: "books.n  INTEGER  becomes TEXT in the next run"),
    ]

    @Test(arguments: typeChanges) func aTypeThatChangesIsForeseen(_ test: TypeChange) throws {
        let records = test.values.enumerated().map { #"{"id": \#($0 + 1), "n": \#($1)}"# }
        let scene = try Scene(document: "[\(records.joined(separator: ","))]", fields: "id: int, n: \(test.before)")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", yaml.replacing("n: \(test.before)", with: "n: \(test.now)"))
        let before = try scene.query("SELECT * FROM books")
        let drift = try Program.run("inspect", "drift", "books.yaml", "--offline", in: scene.path)
        #expect(drift.output.contains(test.column ?? "Nothing drifts."), "\(drift.output)\(drift.errors)")
        #expect(drift.output.contains("Values that do not fit") == !test.passes, "\(drift.output)")
        if !test.passes { #expect(drift.output.contains("1 row  \"x\""), "\(drift.output)") }
        let json = try Program.run("inspect", "drift", "books.yaml", "--offline", "--format", "json", in: scene.path)
        #expect(json.output.contains(#""kind":"type_change""#) == (test.column != nil), "\(json.output)")
        #expect(json.output.contains(#""refused":1"#) == !test.passes, "\(json.output)")
        // Nothing was changed by it, and a run does as is said.
        #expect(try scene.query("SELECT * FROM books") == before)
        #expect(try (Program.run("run", "books.yaml", in: scene.path).code == 0) == test.passes)
        if test.passes {
            let after = try Program.run("inspect", "drift", "books.yaml", "--offline", in: scene.path)
            #expect(after.output.contains("Nothing drifts."), "\(after.output)")
        }
    }

    /// Keys of what stands within records are told by their way, by a run as well, and no longer once a field takes them.
    @Test func keysWithinChildrenAreTold() throws {
        func pipeline(_ sku: String = "", contract: String = "") -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: id
                fields: {id: int}
                children:
                  lines: {entity: Line, from: "data.lines[*]", key: [no]}
                  notes: {entity: Note, from: notes, entries: lang}
              Line:
                table: lines
                fields: {no: int\(sku)}
                children: {taxes: {entity: Tax, from: "taxes[*]", key: [code]}}
              Tax: {table: taxes, fields: {code: string}}
              Note: {table: notes, fields: {lang: string, text: string}}
            streams: [{name: orders, entity: Order, path: orders.json\(contract)}]
            """
        }
        func orders(_ line: String, _ tax: String, _ note: String, _ order: String) -> String {
            """
            [{"id": 1, "data": {"lines": [{"no": 1}, {"no": 2\(line), "taxes": [{"code": "a"\(tax)}]}]},
              "notes": {"en": {"text": "t"\(note)}}\(order)}]
            """
        }
        let scene = try Scene()
        try scene.write("shop.yaml", pipeline())
        try scene.write("orders.json", orders("", "", "", ""))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        let before = try Program.run("inspect", "drift", "shop.yaml", in: scene.path)
        #expect(!before.output.contains("[*]"), "\(before)")
        try scene.write(
            "orders.json", orders(#", "sku": "x""#, #", "rate": 7"#, #", "by": "me""#, #", "total": 3"#))
        let paths = ["total", "data.lines[*].sku", "data.lines[*].taxes[*].rate", "notes[*].by"]
        let drift = try Program.run("inspect", "drift", "shop.yaml", "--detailed-exitcode", in: scene.path)
        #expect(drift.code == 2, "\(drift)")
        for path in paths { #expect(drift.output.contains(path), "\(path)\n\(drift)") }
        let run = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0 && run.output.contains(#""unmapped_keys":4"#), "\(run)")
        for path in paths { #expect(run.output.contains("\"\(path)\""), "\(path)\n\(run)") }
        // What a field takes by now is no longer told, also where no source is asked.
        try scene.write("shop.yaml", pipeline(", sku: string"))
        for option in [[], ["--offline"]] {
            let later = try Program.start(["inspect", "drift", "shop.yaml"] + option, in: scene.path).wait()
            #expect(!later.output.contains("data.lines[*].sku"), "\(later)")
            #expect(option != [] || later.output.contains("notes[*].by"), "\(later)")
        }
        // A rule that looks at no keys looks at none of these.
        try scene.write("shop.yaml", pipeline(contract: ", schema_contract: {fields: ignore}"))
        let ignored = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(!ignored.output.contains("[*]"), "\(ignored)")
        // And one that freezes them is about the records of the stream.
        let frozen = pipeline(contract: ", schema_contract: {fields: freeze}")
        try scene.write("shop.yaml", frozen)
        try scene.write("orders.json", orders(#", "sku": "y""#, "", "", ""))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
    }
}
