import FoundationEssentials
import SluiceCommands
import SluiceSQLite
import Testing

/// `sluice import`, in this process.
@Suite struct ImportCommandTests {
    private static let books = #"{"count": 2, "books": [{"id": 1, "title": "Dune"}, {"id": 2, "title": "Emma"}]}"#

    private func shop(_ text: String = books, name: String = "bookList.json") throws -> Workshop {
        let shop = try Workshop()
        try shop.write(text, to: name)
        return shop
    }

    @Test func findsRecordsTypesAndKeyAndSaysSo() throws {
        let shop = try shop()
        let result = shop.sluice("import", "\(shop.folder)/bookList.json")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("Records: $.books[*]  the one array of objects"))
        #expect(result.output.contains("Key: id"))
        #expect(result.output.contains("  title  $.title  string     0       0  \"Dune\""))
        #expect(result.output.contains("2 inserted"))
        #expect(try shop.value("SELECT group_concat(title) FROM book_list") == SQLiteValue("Dune,Emma"))
    }

    @Test func aPlanWritesNothing() throws {
        let shop = try shop()
        let result = shop.sluice("import", "\(shop.folder)/bookList.json", "--plan")
        #expect(result.code == 0)
        #expect(result.output.contains("Plan for book-list: 2 to insert"))
        #expect(shop.files == ["bookList.json"])
    }

    @Test func theWrittenPipelineRepeatsIt() throws {
        let shop = try shop()
        let yaml = "\(shop.folder)/books.yaml"
        let command = ["import", "\(shop.folder)/bookList.json", "--write-pipeline", yaml]
        #expect(shop.run(command + ["--store", "sqlite:\(shop.store)"]).code == 0)
        #expect(shop.run(["validate", yaml, "--strict"]).code == 0)
        let again = shop.run(["run", yaml])
        #expect(again.code == 0, "\(again.errors)")
        #expect(again.output.contains("nothing changed, 2 unchanged"))
        #expect(
            shop.run(command + ["--store", "sqlite:\(shop.store)"]).output.contains("nothing changed, 2 unchanged"))
        // Edited by hand, it is not overwritten.
        try shop.write(try shop.read("books.yaml") + "# mine\n", to: "books.yaml")
        let refused = shop.run(command + ["--store", "sqlite:\(shop.store)"])
        #expect(refused.code == 1)
        #expect(refused.errors.contains("holds something else"))
        #expect(try shop.read("books.yaml").hasSuffix("# mine\n"))
    }

    @Test func withoutACertainKeyThereAreSuggestions() throws {
        let shop = try shop(#"[{"mark": "a1", "title": "Dune 1"}, {"mark": "b2", "title": "Emma 1"}]"#, name: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json")
        #expect(result.code == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--key mark "))
        #expect(result.errors.contains("present and unique in all 2 records"))
        #expect(shop.files == ["a.json"])
        #expect(shop.sluice("import", "\(shop.folder)/a.json", "--key", "mark").code == 0)
    }

    @Test func withoutAKeyAHashOfAllValuesIsOffered() throws {
        let shop = try shop(#"[{"a": "x", "n": 1}, {"a": "x", "n": 2}, {"a": "x", "n": 1}]"#, name: "log.json")
        let file = "\(shop.folder)/log.json"
        let none = shop.sluice("import", file)
        #expect(none.code == 64)
        #expect(none.errors.contains("  --key content  a hash of all values; a changed record is then a new one\n"))
        let yaml = "\(shop.folder)/log.yaml"
        let result = shop.sluice("import", file, "--key", "content", "--write-pipeline", yaml)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("Key: _key  a hash of all values, as asked for\n"))
        #expect(result.output.contains("2 inserted"))
        // They are alike, so nothing is lost that somebody would have to know of.
        #expect(!result.output.contains("warning"))
        #expect(try shop.read("log.yaml").contains("    primary_key: content\n    fields:\n      a: string\n"))
        let again = shop.sluice("run", yaml)
        #expect(again.code == 0, "\(again.errors)")
        #expect(again.output.contains("nothing changed, 2 unchanged"))
        guard case .text(let bytes) = try shop.value("SELECT _key FROM log WHERE n = 2") else {
            Issue.record("no key")
            return
        }
        let key = String(decoding: bytes, as: UTF8.self)
        let record = shop.sluice("inspect", "record", "Log", key)
        #expect(record.code == 0, "\(record.errors)")
        #expect(record.output.hasPrefix("Log \(key)  (table log, from log/log)\n"))
        let history = shop.sluice("history", "1")
        #expect(history.output.contains(key), "\(history.output)")
    }

    @Test func keysThatASampleMissedAreTold() throws {
        let shop = try shop(#"[{"id": 1, "a": "x"}, {"id": 2, "a": "y", "late": 1}]"#, name: "a.json")
        let sampled = shop.sluice("import", "\(shop.folder)/a.json", "--sample", "1", "--key", "id")
        #expect(sampled.code == 0, "\(sampled.errors)")
        #expect(sampled.output.contains("note: 1 key is not mapped: `late`. The sampled records do not have it."))
        #expect(!shop.sluice("import", "\(shop.folder)/a.json").output.contains("note:"))
    }

    @Test func aFieldOfThatNameIsTheKey() throws {
        let shop = try shop(#"[{"content": "x"}, {"content": "y"}]"#, name: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json", "--key", "content")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("Key: content  as asked for"))
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        let code: Int32
        let words: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Wrong(name: "an unknown key", arguments: ["--key", "titel"], code: 64, words: ["Did you mean `title`?"]),
        Wrong(
            name: "content that is a field", arguments: ["--key", "content,id"], code: 64, words: ["no field `content`"]
        ),
        Wrong(name: "a key twice", arguments: ["--key", "id,id"], code: 64, words: ["twice"]),
        Wrong(name: "a key that is a list", arguments: ["--key", "tags"], code: 64, words: ["json"]),
        Wrong(name: "no path", arguments: ["--records", "a b"], code: 64, words: ["--records", "a b"]),
        Wrong(
            name: "a path to nothing", arguments: ["--records", "[0].nothing[*]"], code: 1,
            words: ["nothing at", "[0].nothing[*]"]),
        Wrong(name: "a reserved table", arguments: ["--table", "_sluice_x"], code: 64, words: ["_sluice_x"]),
        Wrong(name: "a sample that is no number", arguments: ["--sample", "x"], code: 64, words: ["--sample"]),
        Wrong(name: "a header for a file", arguments: ["--header", "A: s3cr3t"], code: 64, words: ["URL"]),
        Wrong(name: "no header", arguments: ["--header", "s3cr3t"], code: 64, words: ["--header"]),
    ])
    func wrongArgumentsAreNamed(_ test: Wrong) throws {
        let shop = try shop(#"[{"id": 1, "title": "Dune", "tags": []}]"#, name: "a.json")
        let result = shop.run(
            ["import", "\(shop.folder)/a.json", "--store", "sqlite:\(shop.store)"] + test.arguments)
        #expect(result.code == test.code)
        for word in test.words { #expect(result.errors.contains(word), "\(result.errors)") }
        #expect(!result.errors.contains("s3cr3t"))
        #expect(shop.files == ["a.json"])
    }

    @Test func aMissingFileAndAFolderAreNamed() throws {
        let shop = try Workshop()
        #expect(shop.sluice("import", "\(shop.folder)/none.json").errors.contains("does not exist"))
        #expect(shop.sluice("import", shop.folder).errors.contains("folder"))
        #expect(shop.sluice("import", "-").errors.contains("--table"))
        #expect(shop.files.isEmpty)
    }

    // MARK: Whose table it is

    @Test func twoSourcesOfOneNameDoNotShareATableByAccident() throws {
        let shop = try shop(#"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]"#, name: "items.json")
        let other = try Workshop()
        try other.write(#"[{"id": 1, "n": "z"}]"#, to: "items.json")
        #expect(shop.sluice("import", "\(shop.folder)/items.json").code == 0)
        for more in [[], ["--plan"]] {
            let refused = shop.sluice(["import", "\(other.folder)/items.json"] + more)
            #expect(refused.code == 64 && refused.output.isEmpty, "\(refused.output)")
            #expect(
                refused.errors.contains(
                    "The table `items` in `sqlite:\(shop.store)` holds what was imported from \(shop.folder)/items.json; this import reads \(other.folder)/items.json. Give it a table of its own with `--table NAME`, or say with `--table items` that both belong in this one."
                ), "\(refused.errors)")
        }
        #expect(try shop.value("SELECT group_concat(n) FROM items") == SQLiteValue("a,b"))
        // The same again is an update, and so is the same file by another way.
        try shop.write(#"[{"id": 1, "n": "c"}]"#, to: "items.json")
        #expect(shop.sluice("import", "\(shop.folder)/./items.json").output.contains("1 updated"))
        let apart = shop.sluice("import", "\(other.folder)/items.json", "--table", "others")
        #expect(apart.code == 0, "\(apart.errors)")
        #expect(try shop.value("SELECT n FROM others") == SQLiteValue("z"))
        // Who names the table means it, from then on.
        #expect(shop.sluice("import", "\(other.folder)/items.json", "--table", "items").code == 0)
        #expect(shop.sluice("import", "\(other.folder)/items.json").code == 0)
        #expect(shop.sluice("import", "\(shop.folder)/items.json").code == 0)
    }

    @Test func otherRecordsOfOneFileAreAnotherSource() throws {
        let shop = try shop(#"{"a": [{"id": 1}, {"id": 2}], "b": [{"id": 1, "x": 1}]}"#, name: "all.json")
        let file = "\(shop.folder)/all.json"
        #expect(shop.sluice("import", file, "--records", "a").code == 0)
        let refused = shop.sluice("import", file, "--records", "b")
        #expect(refused.code == 64 && refused.errors.contains("\(file) at $.a[*]; this import reads \(file) at $.b[*]"))
        #expect(shop.sluice("import", file, "--records", "a").code == 0)
    }

    @Test func theTableOfAPipelineIsNotFilledByAccident() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id": 1, "title": "Dune", "price": "1"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let refused = shop.sluice("import", "\(shop.folder)/books.json")
        #expect(refused.code == 64, "\(refused.output)")
        #expect(
            refused.errors.contains("The table `books` in `sqlite:\(shop.store)` is filled by the pipeline `shop`;"))
    }

    @Test func anEmptyTableIsNobodys() throws {
        let shop = try shop(#"[{"id": 1}]"#, name: "items.json")
        #expect(shop.sluice("import", "\(shop.folder)/items.json").code == 0)
        #expect(shop.sluice("undo", "1").code == 0)
        let other = try Workshop()
        try other.write(#"[{"id": 7}]"#, to: "items.json")
        let result = shop.sluice("import", "\(other.folder)/items.json")
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test func tablesWithNamesThatPipelinesCannotHaveKeepApart() throws {
        let shop = try shop(#"[{"id": 1, "n": 1}]"#, name: "a.json")
        for table in ["größe", "grüße", "my table", "my_table"] {
            let result = shop.sluice("import", "\(shop.folder)/a.json", "--table", table)
            #expect(result.code == 0 && result.output.contains("1 inserted"), "\(result.output)\(result.errors)")
        }
        // What people changed in one of them is remembered, whatever came into the others.
        try shop.sql("UPDATE \"größe\" SET n = 9")
        for table in ["grüße", "größe", "my table", "my_table"] {
            let result = shop.sluice("import", "\(shop.folder)/a.json", "--table", table)
            #expect(result.output.contains("nothing changed"), "\(table): \(result.output)\(result.errors)")
        }
        #expect(try shop.value("SELECT n FROM \"größe\"") == SQLiteValue(9))
    }

    @Test func whatDoesNotFitGoesToQuarantineWithAHint() throws {
        let shop = try shop(#"[{"id": 1, "n": 1}, {"id": 2, "n": "x"}, {"id": 3, "n": 3}]"#, name: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json", "--sample", "1")
        #expect(result.code == 0)
        #expect(result.output.contains("1 not written"))
        let head = "Fields, from the first 1 record; keys that only later records have are left out:"
        #expect(result.output.contains(head), "\(result.output)")
        #expect(result.errors.contains("1 record could not be taken: 1 whose `n` is no `int`."))
        #expect(result.errors.contains("Types were inferred from the first 1 record; without `--sample`"))
        #expect(shop.sluice("import", "\(shop.folder)/a.json", "--sample", "1", "--strict").code == 3)
        #expect(try shop.value("SELECT count(*) FROM a") == SQLiteValue(2))
    }

    @Test func allRecordsAreLookedAt() throws {
        let records = (0..<1500).map { #"{"id": \#($0), "n": \#($0)}"# } + [#"{"id": "x", "n": "y", "late": [1]}"#]
        let shop = try shop("[" + records.joined(separator: ",") + "]", name: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json", "--changes", "0")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("1,501 inserted"))
        #expect(try shop.value("SELECT n || late FROM a WHERE id = 'x'") == SQLiteValue("y[1]"))
    }

    @Test func whyRecordsCouldNotBeTakenIsSaid() throws {
        let shop = try shop(
            #"[{"sku": "a"}, {"sku": null}, {}, 5, {"sku": "b"}, [], null, {"sku": "a"}]"#, name: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json", "--key", "sku", "--format", "json")
        #expect(result.code == 0, "\(result.errors)")
        let sentence = "5 records could not be taken: 3 that are no objects, 2 without the identifier `sku`."
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.errors.contains("`sluice quarantine list` shows them."))
        #expect(result.output.contains("import_quarantine"))
        #expect(!result.errors.contains("--sample"))
        let plan = shop.sluice("import", "\(shop.folder)/a.json", "--key", "sku", "--plan")
        #expect(plan.errors.contains(sentence))
        #expect(!plan.errors.contains("quarantine list"))
        try shop.write("{\"id\": 1}\n{\"id\": 2\n{\"id\": 3}\n", to: "b.ndjson")
        #expect(shop.sluice("import", "\(shop.folder)/b.ndjson").errors.contains("1 that is no JSON"))
    }

    @Test func recordsThatShareAnIdentifierAreToldOf() throws {
        // More than are looked at for whether values repeat.
        let lines = (0..<10_100).map { #"{"id": \#(min($0, 10_050)), "n": \#($0)}"# }.joined(separator: "\n")
        let shop = try shop(lines, name: "a.ndjson")
        let guessed = shop.sluice("import", "\(shop.folder)/a.ndjson", "--changes", "0")
        #expect(guessed.code == 0)
        #expect(guessed.errors.contains("50 of 10100 records share an id; the last is kept. Name what identifies"))
        #expect(guessed.errors.contains("--key FIELD"))
        let asked = shop.sluice("import", "\(shop.folder)/a.ndjson", "--changes", "0", "--key", "id")
        #expect(asked.errors.contains("50 of 10100 records share an id; the last is kept."))
        #expect(!asked.errors.contains("--key FIELD"))
        try shop.write(#"[{"id": 1, "n": 1}, {"id": 1, "n": 2}, {"id": 1, "n": 3}, {"id": 2, "n": 4}]"#, to: "b.json")
        let command = ["import", "\(shop.folder)/b.json", "--key", "id"]
        let told = shop.sluice(command + ["--strict"])
        #expect(told.code == 3)
        #expect(told.output.contains("2 inserted"))
        #expect(told.errors.contains("3 of 4 records share an id; the last is kept."))
        #expect(shop.sluice(command + ["--plan", "--strict"]).code == 3)
        #expect(shop.sluice(command).code == 0)
        let json = shop.sluice(command + ["--format", "json"])
        #expect(json.output.contains(#""code":"differing_duplicates","severity":"warning","message":"3 of 4"#))
        #expect(json.output.contains(#"{"id":1}"#), "\(json.output)")
        let status = shop.sluice("status")
        #expect(status.output.contains("warning: 3 of 4 records of `b` share a key and differ; the last is kept."))
        #expect(shop.sluice("status", "--format", "json").output.contains(#""code":"differing_duplicates""#))
        // Others that are alike share theirs too.
        try shop.write(
            #"[{"id": 1, "n": 1}, {"id": 1, "n": 2}, {"id": 1, "n": 3}, {"id": 2, "n": 4}, {"id": 2, "n": 4}]"#,
            to: "b.json")
        let mixed = shop.sluice(command)
        #expect(mixed.errors.contains("3 of 5 records share an id and differ; the last is kept."), "\(mixed)")
        try shop.write(#"[{"id": 1, "n": 3}, {"id": 1, "n": 3}, {"id": 2, "n": 4}]"#, to: "b.json")
        #expect(shop.sluice(command + ["--strict"]).code == 0)
        #expect(!shop.sluice("status").output.contains("3 of 4"))
    }

    @Test func aTableOfAnotherTypeIsRefusedWithARemedy() throws {
        let shop = try shop(#"[{"id": 1, "n": 1}]"#, name: "a.json")
        #expect(shop.sluice("import", "\(shop.folder)/a.json").code == 0)
        try shop.write(#"[{"id": 1, "n": [1]}]"#, to: "a.json")
        let result = shop.sluice("import", "\(shop.folder)/a.json")
        #expect(result.code == 4)
        #expect(result.errors.contains("`n` is INTEGER"))
        #expect(result.errors.contains("--write-pipeline"))
        #expect(try shop.value("SELECT n FROM a") == SQLiteValue(1))
    }

    @Test func keysThatAreNoNamesComeThroughAPipelineToo() throws {
        let shop = try shop(##"{"list": [{"id": 1, "$${x}": "a", "a 'b'": {"#c": 1.5}}]}"##, name: "odd name.json")
        let yaml = "\(shop.folder)/odd.yaml"
        let first = shop.sluice("import", "\(shop.folder)/odd name.json", "--write-pipeline", yaml)
        #expect(first.code == 0, "\(first.errors)")
        #expect(try shop.value("SELECT x || a_b_c FROM odd_name") == SQLiteValue("a1.5"))
        let again = shop.run(["run", yaml])
        #expect(again.output.contains("nothing changed, 1 unchanged"), "\(again.errors)")
    }

    @Test func jsonHasWhatWasFoundBesideTheReport() throws {
        let shop = try shop(#"{"x": {"n": 1.5}, "y": {"n": 2}}"#, name: "map.json")
        let result = shop.sluice("import", "\(shop.folder)/map.json", "--format", "json")
        struct Report: Decodable {
            struct Finding: Decodable {
                struct Field: Decodable {
                    let field: String
                    let from: String
                    let type: String
                    let empty: Int
                    let example: String?
                }
                let records: String
                let entries: String?
                let sample: Int
                let key: [String]
                let fields: [Field]
            }
            struct Pipeline: Decodable {
                let pipeline: String
                let status: String
            }
            let format: String
            let `import`: Finding
            let pipelines: [Pipeline]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.format == "sluice.report/1")
        #expect(report.import.records == "$")
        #expect(report.import.entries == "key")
        #expect(report.import.key == ["key"])
        #expect(report.import.sample == 2)
        #expect(report.import.fields.map(\.type) == ["string", "double"])
        #expect(report.pipelines.map(\.status) == ["succeeded"])
        #expect(try shop.value("SELECT group_concat(key) FROM map") == SQLiteValue("x,y"))
    }

    @Test func aKeyMayBeNamedByItsPath() throws {
        let shop = try shop(#"[{"ref": {"theId": "a"}}, {"ref": {"theId": "b"}}]"#, name: "a.json")
        #expect(shop.sluice("import", "\(shop.folder)/a.json", "--key", "ref.theId").code == 0)
        #expect(try shop.value("SELECT group_concat(ref_the_id) FROM a") == SQLiteValue("a,b"))
    }
}
