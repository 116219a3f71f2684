import SluiceSQLite
import SluiceSystem
import Testing

/// Commands on a store take a pipeline file in the place of `--store`.
@Suite struct StorePathTests {
    /// Two pipelines in one folder, each with one conflict and a record in quarantine in the same store.
    private func shops(secondStore: String = "shop.db") throws -> Workshop {
        let shop = try Workshop()
        for (name, store) in [("one", "shop.db"), ("two", secondStore)] {
            try shop.write(
                """
                version: 1
                name: \(name)
                store: sqlite:\(store)
                source: {base_url: "file:.", headers: {X-Token: "${env:NOT_SET_HERE}"}}
                entities:
                  Book: {table: \(name), primary_key: [id], fields: {id: int, title: {type: string, required: true}}}
                streams:
                  - {name: books, entity: Book, path: \(name).json}
                """, to: "\(name).yaml")
        }
        shop.environment["NOT_SET_HERE"] = "secret"
        for edition in ["a", "c"] {
            for name in ["one", "two"] {
                try shop.write(#"[{"id":1,"title":"\#(edition)"},{"id":2,"title":null}]"#, to: "\(name).json")
                let run = shop.run(["run", "\(shop.folder)/\(name).yaml", "-q"])
                #expect(run.code == 0, "\(run.errors)")
            }
            if edition == "a" {
                try shop.sql("UPDATE one SET title = 'b'")
                if secondStore == "shop.db" { try shop.sql("UPDATE two SET title = 'b'") }
            }
        }
        // What a source needs no command on a store asks for.
        shop.environment = [:]
        return shop
    }

    @Test func aPipelineFileNamesTheStoreAndWhatIsItsOwn() throws {
        let shop = try shops()
        let file = "\(shop.folder)/two.yaml"
        let cases: [(arguments: [String], has: String, lacks: String)] = [
            (["status"], "two  run", "one"), (["history"], "two  run", "one"),
            (["history", "4"], "Run 4 of two", "one"),
            (["edits"], "two: 1 value edited in 1 row", "one"), (["conflicts", "list"], "two/books", "one/books"),
            (["conflicts", "show", "2"], "Conflict 2: Book 1", "one/books"),
            (["conflicts", "export"], ",two,books,", ",one,"), (["quarantine", "list"], "two/books", "one/books"),
            (["quarantine", "show", "2"], "two/books", "one/books"),
            (["inspect", "record", "Book", "1"], "two/books", "one/books"),
            (["undo", "4", "--plan"], "run 4 of two", "one"),
        ]
        for (arguments, has, lacks) in cases {
            for words in [arguments + [file], [arguments[0]] + arguments.dropFirst() + [file, "--format", "text"]]
            where !words.contains("--format") || arguments != ["conflicts", "export"] {
                let outcome = shop.run(words)
                #expect(outcome.code == 0, "\(words): \(outcome.errors)")
                #expect(outcome.output.contains(has) && !outcome.output.contains(lacks), "\(words): \(outcome.output)")
            }
        }
        for arguments in [["history", "3"], ["undo", "3"]] {
            let outcome = shop.run(arguments + [file])
            #expect(
                outcome.code == 1 && outcome.errors.contains("has no run 3 of the pipeline `two`"), "\(outcome.errors)")
        }
        let folder = shop.run(["status", shop.folder])
        #expect(folder.output.contains("one  run 3") && folder.output.contains("two  run 4"), "\(folder)")
    }

    @Test func whatIsDecidedAtOnceIsThePipelinesAlone() throws {
        let shop = try shops()
        let file = "\(shop.folder)/two.yaml"
        let resolved = shop.run(["conflicts", "resolve", "--all", "--take", "remote", file])
        #expect(resolved.code == 0 && resolved.output.hasSuffix("1 resolved.\n"), "\(resolved)")
        #expect(shop.run(["quarantine", "drop", "--all", file]).output == "1 record dropped from quarantine.\n")
        #expect(try shop.value("SELECT title FROM one WHERE id = 1") == .text(Array("b".utf8)))
        #expect(try shop.value("SELECT title FROM two WHERE id = 1") == .text(Array("c".utf8)))
        #expect(shop.run(["conflicts", "list", "\(shop.folder)/one.yaml"]).output.contains("one/books"))
    }

    @Test func theStoreOfSeveralFilesIsOneOrAUsageError() throws {
        let shop = try shops(secondStore: "other.db")
        let outcome = shop.run(["history", "2", shop.folder])
        #expect(
            outcome.code == 64 && outcome.errors.contains("fill several stores") && outcome.errors.contains("other.db"))
        #expect(shop.run(["status", shop.folder, "--store", "sqlite:\(shop.store)"]).code == 0)
        let missing = shop.run(["status", "\(shop.folder)/none.yaml"])
        #expect(missing.code == 78 && missing.errors.contains("none.yaml"), "\(missing.errors)")
        try shop.write("version: 1\nname: [", to: "broken.yaml")
        #expect(shop.run(["conflicts", "show", "1", "\(shop.folder)/broken.yaml"]).code == 78)
    }

    @Test func historyTellsOfEachStoreThatFilesFill() throws {
        let shop = try shops(secondStore: "other.db")
        func history(_ options: String...) -> String {
            let outcome = shop.run(["history", shop.folder] + options)
            #expect(outcome.code == 0, "\(outcome.errors)")
            return outcome.output
        }
        let text = history()
        #expect(text.contains("shop.db`:\n2  one  run") && text.contains("\n\nIn the store `"), "\(text)")
        #expect(text.contains("other.db`:\n2  two  run"), "\(text)")
        let none = history("--failed", "--since", "2000-01-01")
        #expect(none.ranges(of: "There is no such run.").count == 2, "\(none)")
        let trends = history("--trends")
        #expect(trends.contains("\none       2 ") && trends.contains("\ntwo       2 "), "\(trends)")
        let json = history("--format", "json", "--limit", "1")
        #expect(json.contains(#""format":"sluice.history/1","store":null,"runs":["#), "\(json)")
        #expect(json.contains(#""runs_truncated":true"#) && json.contains(#""pipeline":"two","store":""#), "\(json)")
        #expect(history("--trends", "--format", "json").contains(#"{"pipeline":"two","store":""#))
        // One pipeline is of one store, and a store that is not there yet hides none.
        let two = history("--pipeline", "two")
        #expect(two.hasPrefix("2  two  run") && !two.contains("one"), "\(two)")
        FileSystem.remove("\(shop.folder)/other.db")
        #expect(history().contains("other.db`:\nNothing has run yet.\n"))
        let unknown = shop.run(["history", shop.folder, "--pipeline", "three"])
        #expect(unknown.code == 1 && unknown.errors.contains("no pipeline `three`"), "\(unknown.errors)")
    }

    @Test func statusTellsOfEachStoreThatFilesFill() throws {
        let shop = try shops(secondStore: "other.db")
        let status = shop.run(["status", shop.folder])
        #expect(status.code == 0, "\(status.errors)")
        let text = status.output
        #expect(text.contains("shop.db`:\none  run 2 ") && text.contains("other.db`:\ntwo  run 2 "), "\(text)")
        #expect(shop.run(["status", "--check", shop.folder]).code == 0)
        let json = shop.run(["status", shop.folder, "--format", "json"]).output
        #expect(json.contains(#""format":"sluice.status/1","store":null,"pipelines":["#), "\(json)")
        #expect(json.contains(#"{"pipeline":"two","store":"sqlite:"#), "\(json)")
        let three = try shop.read("two.yaml").replacing("name: two", with: "name: three")
        try shop.write(three.replacing("other.db", with: "third.db"), to: "three.yaml")
        let check = shop.run(["status", "--check", shop.folder])
        #expect(check.code == 1 && check.output.contains("third.db`:\nthree  has not run\n"), "\(check)")
    }

    @Test func aSecretStoreIsNeverTold() throws {
        let shop = try shops()
        let text = try shop.read("one.yaml").replacing("sqlite:shop.db", with: "\"${env:STORE}\"")
        try shop.write(text, to: "one.yaml")
        shop.environment["STORE"] = "sqlite:\(shop.store)"
        let file = "\(shop.folder)/one.yaml"
        for arguments in [
            ["status"], ["history"], ["edits"], ["history", "99"], ["undo", "3", "--plan"], ["conflicts", "show", "1"],
            ["status", "--format", "json"], ["history", "--format", "json"], ["edits", "--format", "json"],
        ] {
            let outcome = shop.run(arguments + [file])
            #expect(!(outcome.output + outcome.errors).contains("shop.db"), "\(arguments): \(outcome)")
            #expect(outcome.code == (arguments.contains("99") ? 1 : 0), "\(arguments): \(outcome)")
        }
        shop.environment["STORE"] = "sqlite:\(shop.folder)/none.db"
        let outcome = shop.run(["status", file])
        #expect(outcome.code == 1 && !outcome.errors.contains("none.db"), "\(outcome)")
    }

    @Test func statusChecks() throws {
        let shop = try shops()
        let file = "\(shop.folder)/two.yaml"
        #expect(shop.run(["status", "--check", file]).code == 0)
        try shop.write("[", to: "two.json")
        shop.environment["NOT_SET_HERE"] = "secret"
        let failed = shop.run(["run", file, "--format", "json"])
        #expect(failed.code == 1 && failed.output.contains(#""status":"failed","run":5,"#), "\(failed.output)")
        #expect(shop.run(["run", file]).output.hasPrefix("Run 6 of two: failed, the store is as before\n"))
        #expect(shop.run(["status", file]).code == 0)
        let checked = shop.run(["status", "--check", file])
        #expect(checked.code == 1 && checked.output.hasPrefix("two  run 6 failed"))
        #expect(shop.run(["status", "--check", "\(shop.folder)/one.yaml"]).code == 0)
        #expect(shop.run(["status", "--check", shop.folder, "--format", "json"]).code == 1)
    }
}
