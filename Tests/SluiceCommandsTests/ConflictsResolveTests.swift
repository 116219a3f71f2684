import SluiceSQLite
import Testing

@Suite struct ConflictsResolveTests {
    /// What is decided about a conflict, what the row holds then, and what the source's old value would do.
    struct Case: Sendable, CustomTestStringConvertible {
        let record: Int
        let field: String?
        let decision: [String]
        /// The field's value, or nil for no row.
        let holds: SQLiteValue?
        let told: String
        var testDescription: String { "\(record) \(field ?? "whole record"): \(decision.joined(separator: " "))" }
    }

    static let local = ["--take", "local"]
    static let remote = ["--take", "remote"]
    static let base = ["--take", "base"]
    static let cases = [
        Case(record: 1, field: "title", decision: local, holds: SQLiteValue("Eins"), told: "\"Eins\" stays"),
        Case(record: 1, field: "title", decision: remote, holds: SQLiteValue("Uno"), told: "\"Uno\" is taken"),
        Case(record: 1, field: "title", decision: base, holds: SQLiteValue("One"), told: "\"One\" is back"),
        Case(
            record: 1, field: "title", decision: ["--set", "title=x=y"], holds: SQLiteValue("x=y"), told: "x=y is set"),
        Case(record: 1, field: "title", decision: ["--set", "title=null"], holds: .null, told: "null is set"),
        Case(
            record: 1, field: "title", decision: ["--set", "title=\"null\""], holds: SQLiteValue("null"),
            told: "\"null\" is set"),
        Case(record: 1, field: "seen", decision: local, holds: .integer(0), told: "false stays"),
        Case(record: 1, field: "seen", decision: remote, holds: .null, told: "null is taken"),
        Case(record: 1, field: "seen", decision: base, holds: .integer(1), told: "true is back"),
        Case(record: 1, field: "seen", decision: ["--set", "seen=true"], holds: .integer(1), told: "true is set"),
        Case(record: 2, field: "title", decision: local, holds: SQLiteValue(Dispute.longHere), told: "…\" stays"),
        Case(record: 2, field: "title", decision: remote, holds: SQLiteValue(Dispute.longThere), told: "…\" is taken"),
        Case(record: 4, field: "title", decision: local, holds: .null, told: "null stays"),
        Case(record: 4, field: "title", decision: remote, holds: SQLiteValue("Quattro"), told: "is taken"),
        Case(record: 4, field: "title", decision: base, holds: SQLiteValue("Four"), told: "is back"),
        Case(record: 5, field: "title", decision: local, holds: SQLiteValue("Fünf"), told: "\"Fünf\" stays"),
        Case(record: 5, field: "title", decision: remote, holds: SQLiteValue("Cinque"), told: "is taken"),
        Case(record: 3, field: nil, decision: local, holds: SQLiteValue("Drei"), told: "the row stays"),
        Case(record: 3, field: nil, decision: remote, holds: nil, told: "the row is deleted"),
        Case(record: 6, field: nil, decision: local, holds: nil, told: "it stays deleted"),
        Case(record: 6, field: nil, decision: remote, holds: SQLiteValue("Sei"), told: "the row is back"),
    ]

    @Test(arguments: cases) func aDecisionIsWrittenAndTheNextRunIsQuiet(_ item: Case) throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let id = try dispute.id(item.record, item.field)
        let outcome = shop.run(
            ["conflicts", "resolve", id, "--note", "checked", "--store", "sqlite:\(shop.store)"] + item.decision)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(item.told) && outcome.output.hasSuffix("\n1 resolved.\n"))
        try expect(item, in: dispute)

        let kept =
            "SELECT status || ' ' || who || ' ' || note || ' ' || resolution FROM _sluice_conflicts WHERE id = \(id)"
        let word = item.decision[0] == "--set" ? "set" : item.decision[1]
        #expect(try shop.value(kept) == SQLiteValue("resolved ada checked \(word)"))

        // Of what was decided the next run finds nothing to do, whatever else is open.
        let before = try dispute.contents()
        let run = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(run.code == 0)
        #expect(try dispute.contents() == before, "\(run.output)")
        try expect(item, in: dispute)
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 0)
    }

    private func expect(_ item: Case, in dispute: Dispute) throws {
        let rows = try Connection(path: dispute.shop.store, mode: .existing)
            .rows("SELECT \(item.field ?? "title") FROM books WHERE id = \(item.record)")
        #expect(rows.first?.first == item.holds)
    }

    @Test(arguments: ["local", "remote"]) func afterAllIsResolvedTheBaseIsWhatTheSourceSays(_ side: String) throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let outcome = shop.sluice("conflicts", "resolve", "--all", "--take", side)
        #expect(outcome.code == 0)
        #expect(outcome.output.hasSuffix("\n7 resolved.\n"))
        #expect(shop.sluice("conflicts", "list").output == "No open conflicts.\n")
        #expect(shop.sluice("run", shop.pipeline).output.hasPrefix("Run 4 of shop: nothing changed, 6 unchanged"))

        // When the source goes back, that is a change of its own, and what was edited here is asked again.
        try shop.write(Dispute.before, to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "--format", "json").output
        if side == "remote" {
            #expect(run.contains(#""summary":{"insert":1,"update":4,"delete":0,"unchanged":2,"#))
            #expect(try shop.value("SELECT title FROM books WHERE id = 6") == SQLiteValue("Six"))
        } else {
            // Record 5 has no key there, which says nothing; record 3 has a row of its own.
            #expect(run.contains(#""conflict":4,"#))
            #expect(try shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("Eins"))
        }
    }

    @Test func whatWasEditedSinceIsReopenedWithItsNewValue() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let ids = try [dispute.id(1, "title"), dispute.id(3), dispute.id(6), dispute.id(4, "title")]
        try shop.sql(
            """
            UPDATE books SET title = 'EINS' WHERE id = 1; UPDATE books SET title = 'DREI' WHERE id = 3;
            INSERT INTO books (id, title) VALUES (6, 'Sechs'); DELETE FROM books WHERE id = 4
            """)
        let outcome = shop.run(["conflicts", "resolve", "--take", "remote", "--store", "sqlite:\(shop.store)"] + ids)
        #expect(outcome.code == 1)
        // A row that is there again is for the next run: to look at it once more would settle nothing.
        #expect(outcome.output.contains("3 reopened") && outcome.output.contains("1 refused"), "\(outcome.output)")
        #expect(outcome.output.contains("A row with its key is there again; the next run settles that."))
        #expect(outcome.output.contains("`sluice conflicts show \(ids[0]) --store sqlite:\(shop.store)`"))
        #expect(shop.sluice("conflicts", "show", ids[0]).output.contains("local   \"EINS\"  (in the table)"))
        #expect(shop.sluice("conflicts", "show", ids[1]).output.contains("\"title\": \"DREI\""))
        #expect(try shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("EINS"))

        let second = shop.run(["conflicts", "resolve", "--take", "remote", "--store", "sqlite:\(shop.store)"] + ids)
        #expect(second.code == 1)
        #expect(second.output.contains("\n2 resolved, 2 refused.\n"))
        #expect(second.output.contains("A row with its key is there again; the next run settles that."))
        #expect(second.output.contains("Its row was deleted here; the next run settles that."))
        #expect(try shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("Uno"))
        #expect(try shop.value("SELECT count(*) FROM books WHERE id = 3") == .integer(0))
        #expect(shop.sluice("run", shop.pipeline).code == 0)
    }

    @Test func fieldsInAnotherOrderAreNoEdit() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        try dispute.writePipeline(fields: "tags: json, seen: bool, price: decimal")
        _ = shop.sluice("run", shop.pipeline)
        #expect(shop.sluice("conflicts", "resolve", try dispute.id(3), "--take", "remote").code == 0)
    }

    @Test func whatCannotBeDoneIsRefusedWithTheReasonAndTheRestIsDone() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let (long, add, whole) = try (dispute.id(2, "title"), dispute.id(5, "title"), dispute.id(3))
        let (title, seen) = try (dispute.id(1, "title"), dispute.id(1, "seen"))
        let outcome = shop.sluice("conflicts", "resolve", long, add, whole, title, "99", title, "--take", "base")
        #expect(outcome.code == 1)
        #expect(
            outcome.output == """
                \(long)  Book 2, title  refused: Its base is not stored, only a digest is. Give the value with \
                `--set`; `keep_base: full` keeps it from now on.
                \(add)  Book 5, title  refused: It has no base: the source never gave a value before.
                \(whole)  Book 3  refused: It is about the whole record, which takes `--take local` or `--take remote`.
                \(title)  Book 1, title  resolved: "One" is back
                99  refused: The store `\(shop.store)` has no conflict 99. List them with `sluice conflicts list --all --store sqlite:\(shop.store)`.

                1 resolved, 4 refused.

                """)
        let again = shop.sluice("conflicts", "resolve", title, seen, "--set", "seen=perhaps")
        #expect(again.output.contains("refused: It was resolved in run "))
        #expect(
            again.output.contains("refused: `perhaps` is not a valid bool, which `seen` needs; for example `true`."))
        let wrong = shop.sluice("conflicts", "resolve", seen, "--set", "title=x")
        #expect(wrong.output.contains("refused: It is about `seen`, and the value is for `title`."))
        #expect(try shop.value("SELECT seen FROM books WHERE id = 1") == .integer(0))
    }

    @Test func conflictsAreChosenByEntityFieldAndKind() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let kinds = shop.sluice("conflicts", "resolve", "--kind", "edit_delete", "--take", "local")
        #expect(kinds.output.hasSuffix("\n1 resolved.\n"))
        let none = shop.sluice("conflicts", "resolve", "--kind", "disagreement", "--take", "local")
        #expect(none.code == 0 && none.output == "No such conflict is open.\n")
        let json = shop.sluice(
            "conflicts", "resolve", "--entity", "Book", "--field", "title", "--kind", "edit_edit", "--take", "remote",
            "--format", "json")
        #expect(
            json.output.hasPrefix(#"{"format":"sluice.resolution/1","resolved":2,"reopened":0,"refused":0,"results":["#)
        )
        #expect(json.output.contains(#""outcome":"resolved","conflict":{"id":"#))
        #expect(json.output.contains(#""status":"resolved""#) && json.output.contains(#""who":"ada""#))
        // A value of its own is for the conflicts of its field.
        let set = shop.sluice("conflicts", "resolve", "--all", "--set", "seen=false")
        #expect(set.code == 0 && set.output.hasSuffix("\n1 resolved.\n"))
    }

    /// What nobody decided about is lost for good, or loses its reference.
    @Test func whatGoesAlongWithADeletedRowIsToldAndKeptInTheHistory() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Person: {table: people, primary_key: [id], fields: {id: int, name: string}}
              Book: {table: books, primary_key: [id], fields: {id: int, owner: {ref: Person, from: owner}}}
            streams:
              - {name: people, entity: Person, path: people.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"One"},{"id":2,"name":"Two"},{"id":3}]"#, to: "people.json")
        try shop.write(#"[{"id":7,"owner":2}]"#, to: "books.json")
        try #require(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql(
            """
            CREATE TABLE mine (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id) ON DELETE CASCADE);
            INSERT INTO mine VALUES (1, 1), (2, 2); UPDATE people SET name = 'edited' WHERE id < 3
            """)
        try shop.write(#"[{"id":3}]"#, to: "people.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        // The first one has no book.
        let first = shop.sluice("conflicts", "resolve", "1", "--take", "remote", "--format", "json")
        #expect(first.output.contains(#""code":"deleted_along""#) && !first.output.contains("dangling"), "\(first)")
        let second = shop.sluice("conflicts", "resolve", "2", "--take", "remote")
        let along = "warning: 1 row of `mine` goes along with rows that are deleted"
        let dangling =
            "warning: 1 reference of `books.owner` loses its record: it led to `2`, and is null until its record arrives."
        #expect(second.code == 0 && second.output.hasSuffix("\n1 resolved.\n"), "\(second)")
        #expect(second.output.contains(along) && second.output.contains(dangling), "\(second.output)")
        #expect(try shop.value("SELECT count(*) FROM mine") == .integer(0))
        let history = shop.sluice("history", "4").output
        #expect(history.contains(along) && history.contains(dangling), "\(history)")
    }

    /// A decision may name a record that is not there, as a typing error does.
    @Test func aReferenceThatLeadsNowhereIsTold() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Person: {table: people, primary_key: [id], fields: {id: int}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, owner: {ref: Person, from: owner}, fans: {refs: Person, from: "fans[*]"}}
            streams:
              - {name: people, entity: Person, path: people.json}
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1},{"id":2},{"id":3}]"#, to: "people.json")
        try shop.write(#"[{"id":7,"owner":1},{"id":8,"owner":1}]"#, to: "books.json")
        try #require(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET owner_id = 2")
        try shop.write(#"[{"id":7,"owner":3},{"id":8,"owner":3}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let set = shop.sluice("conflicts", "resolve", "1", "--set", "owner=4711")
        #expect(set.code == 0, "\(set.errors)")
        let words = "resolved: 4711 is set; `people` has no 4711, so `owner_id` is null until it comes\n"
        #expect(set.output.contains(words), "\(set.output)")
        #expect(try shop.value("SELECT owner_id FROM books WHERE id = 7") == .null)
        let there = shop.sluice("conflicts", "resolve", "2", "--set", "owner=1", "--format", "json")
        #expect(there.code == 0 && !there.output.contains("waits_for"), "\(there.output)")
        // In a file of decisions, and for programs.
        try shop.sql("UPDATE books SET owner_id = 2 WHERE id = 8")
        try shop.write(#"[{"id":7,"owner":3},{"id":8,"owner":9}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write("id,take,value\n3,,4712\n", to: "decisions.csv")
        let imported = shop.sluice("conflicts", "import", "\(shop.folder)/decisions.csv", "--format", "json")
        #expect(
            imported.output.contains(#""waits_for":[\#n{"table":"people","keys":[[4712]],"columns":["owner_id"]}\#n]"#),
            "\(imported.output)")
    }

    @Test func aReferenceThatIsNullForGoodIsToldWithTheDecision() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Person: {table: people, primary_key: [id], fields: {id: int}}
              Book: {table: books, primary_key: [id], fields: {id: int, owner: {ref: Person, from: owner, on_dangling: set_null}}}
            streams:
              - {name: people, entity: Person, path: people.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1},{"id":2},{"id":3}]"#, to: "people.json")
        try shop.write(#"[{"id":7,"owner":1},{"id":8,"owner":1}]"#, to: "books.json")
        try #require(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET owner_id = 2")
        try shop.write(#"[{"id":2},{"id":3}]"#, to: "people.json")
        try shop.write(#"[{"id":7,"owner":3},{"id":8,"owner":3}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let words = "`people` has no 1, so `owner_id` is null for good (`on_dangling: set_null`)"
        let shown = shop.sluice("conflicts", "show", "1")
        #expect(shown.output.contains(words), "\(shown.output)")
        let taken = shop.sluice("conflicts", "resolve", "1", "--take", "base")
        #expect(taken.output.contains("resolved: 1 is back; \(words)\n"), "\(taken.output)")
        #expect(try shop.value("SELECT owner_id FROM books WHERE id = 7") == .null)
        let json = shop.sluice("conflicts", "resolve", "2", "--take", "base", "--format", "json")
        let target = #"{"table":"people","keys":[[1]],"columns":["owner_id"],"for_good":true}"#
        #expect(json.output.contains(target), "\(json.output)")
    }

    @Test(arguments: [
        (["1"], "either `--take"), (["1", "--take", "local", "--set", "a=b"], "either `--take"),
        (["--take", "local"], "`--entity`"), (["1", "--all", "--take", "local"], "one by one"),
        (["x", "--take", "local"], "`x` is not"), (["1", "--take", "both"], "knows `local`"),
    ])
    func aCommandLineThatIsUnclearIsRefused(_ arguments: [String], _ message: String) throws {
        let shop = try Dispute().shop
        let outcome = shop.run(["conflicts", "resolve", "--store", "sqlite:\(shop.store)"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(message))
    }

    @Test func uniqueValuesMaySwapAndAreRefusedWhereTheyAreTaken() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        _ = shop.sluice("conflicts", "resolve", "--all", "--take", "remote")
        try dispute.writePipeline(unique: "unique: [[title]]")
        _ = shop.sluice("run", shop.pipeline)
        try shop.sql("UPDATE books SET title = 'x' WHERE id = 1; UPDATE books SET title = 'y' WHERE id = 4")
        let swapped = Dispute.after.replacing("Uno", with: "y").replacing("Quattro", with: "x")
        try shop.write(swapped.replacing("\"Seven\"", with: "\"S\""), to: "books.json")
        try shop.sql("UPDATE books SET title = 'z' WHERE id = 7")
        _ = shop.sluice("run", shop.pipeline)
        let taken = shop.sluice("conflicts", "resolve", try dispute.id(7, "title"), "--set", "title=y")
        #expect(taken.code == 1)
        #expect(taken.output.contains(#"refused: The values of `title`, which must be unique, are taken by {"id":4}."#))
        #expect(try shop.value("SELECT title FROM books WHERE id = 7") == SQLiteValue("z"))
        let swap = shop.sluice("conflicts", "resolve", "--all", "--take", "remote")
        #expect(swap.code == 0, "\(swap.output)")
        #expect(try shop.value("SELECT group_concat(title) FROM books WHERE id IN (1, 4)") == SQLiteValue("y,x"))
        #expect(shop.sluice("run", shop.pipeline).output.contains("nothing changed, 6 unchanged"))
    }

    @Test func aValueThatTheTableRefusesLeavesItsConflictOpen() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        try shop.sql(
            """
            CREATE TRIGGER strict BEFORE UPDATE OF title ON books WHEN new.title = 'Uno'
            BEGIN SELECT raise(ABORT, 'no Uno here'); END
            """)
        let outcome = shop.sluice(
            "conflicts", "resolve", try dispute.id(1, "title"), try dispute.id(4, "title"), "--take", "remote")
        #expect(outcome.code == 1)
        #expect(
            outcome.output.contains("refused: A trigger of `books` refused it: no Uno here."))
        #expect(try dispute.id(1, "title") != "?")
        #expect(try shop.value("SELECT title FROM books WHERE id = 4") == SQLiteValue("Quattro"))
    }

    @Test func aStoreThatIsWrittenToIsWaitedForThenTold() throws {
        let shop = try Dispute().shop
        let other = try Connection(path: shop.store, mode: .existing)
        try other.execute("BEGIN IMMEDIATE")
        let outcome = shop.sluice("conflicts", "resolve", "--all", "--take", "local")
        #expect(outcome.code == 6)
        #expect(outcome.errors.contains("is locked"))
    }

    @Test(arguments: [
        (["conflicts", "resolve", "--all", "--take", "local"], true), (["conflicts", "list"], false),
    ])
    func aLockedStoreNamesWaitWhereThereIsIt(_ arguments: [String], canWait: Bool) throws {
        let shop = try Dispute().shop
        let other = try Connection(path: shop.store, mode: .existing)
        try other.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
        let outcome = shop.sluice(arguments + (canWait ? ["--wait", "0s"] : []))
        #expect(outcome.code == 6, "\(outcome)")
        let text = outcome.errors + outcome.output
        #expect(text.contains("is locked by another program. Try again later"), "\(text)")
        #expect(text.contains("--wait 10m") == canWait, "\(text)")
    }

    @Test func aFieldThatThePipelineGaveUpIsNoMatter() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        try dispute.writePipeline(fields: "seen: bool, tags: json")
        _ = shop.sluice("run", shop.pipeline)
        try shop.sql("ALTER TABLE books DROP COLUMN price")
        #expect(shop.sluice("conflicts", "resolve", "--all", "--take", "remote").code == 0)
        #expect(shop.sluice("run", shop.pipeline).output.contains("nothing changed, 6 unchanged"))
    }
}
