import Foundation
import SluiceSQLite
import Testing

@Suite struct InspectRecordTests {
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(
            #"[{"id":1,"title":"One","price":"1.5"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json"
        )
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        try shop.write(#"[{"id":1,"title":"Uno","price":"2.5"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    @Test func eachValueIsShownWithWhereItCameFrom() throws {
        let shop = try shop()
        let outcome = shop.sluice("inspect", "record", "Book", "1")
        #expect(outcome.code == 0)
        let text = outcome.output
        #expect(text.hasPrefix("Book 1  (table books, from shop/books)\n"))
        #expect(text.contains("In the table, from the source; first in run 1, last changed in run 2.\n"))
        #expect(text.contains("    id     1       run 1, 2"), "\(text)")
        #expect(
            text.contains(
                "    title  \"Eins\"  edited here; the source said \"One\", and says \"Uno\" now (conflict 1)\n"))
        #expect(text.contains("    price  \"2.5\"   run 2, 2"))
        #expect(text.contains("  updated, from \(shop.folder)/books.json\n    price  \"1.5\" → \"2.5\"\n"), "\(text)")
        #expect(text.contains("  inserted\n"))
        #expect(text.contains("\nConflicts\n1  Book 1  (shop/books; edit_edit; since run 2)\n"))
    }

    @Test func aRunThatOnlyNotesWhatTheSourceSaysChangesNothing() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        try shop.write(#"[{"id":1,"title":"Uno"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains("In the table, from the source since run 1.\n"), "\(text)")
        #expect(text.contains("noted what the source says"), "\(text)")
    }

    @Test func aDecisionIsToldInFullWithItsNote() throws {
        let shop = try shop()
        #expect(shop.sluice("conflicts", "resolve", "1", "--set", "title=Ein", "--note", "mail by HR").code == 0)
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains(" in run 3: another value was given, which the history shows)\n"), "\(text)")
        #expect(text.contains("\n    Note: mail by HR\n"), "\(text)")
        let run = shop.sluice("history", "3").output
        #expect(run.contains("conflict 1 closed  (edit_edit)\n    Note: mail by HR\n"), "\(run)")
        #expect(shop.sluice("history", "3", "--format", "json").output.contains(#""note":"mail by HR"}"#))
    }

    /// A value that a decision wrote was given by that decision, until somebody edits it in the table.
    @Test func aValueOfADecisionIsThatOfItsRun() throws {
        let shop = try shop()
        func expect(_ origin: String, isDecided: Bool, _ json: String, _ comment: Comment) {
            let text = shop.sluice("inspect", "record", "Book", "1").output
            let line = text.split(separator: "\n").first { $0.hasPrefix("    title  ") } ?? ""
            #expect(line.contains(origin) && line.hasSuffix("; the source said \"Uno\""), comment)
            #expect(line.contains("edited here") != isDecided, comment)
            #expect(shop.sluice("inspect", "record", "Book", "1", "--format", "json").output.contains(json), comment)
        }
        #expect(shop.sluice("conflicts", "resolve", "1", "--set", "title=Ein").code == 0)
        let decided = #""value":"Ein","base":"Uno","edited":true,"run":3}"#
        expect("\"Ein\"  run 3, resolve ", isDecided: true, decided, "decided")
        try shop.sql("UPDATE books SET title = 'Zwei' WHERE id = 1")
        expect("\"Zwei\"", isDecided: false, #""value":"Zwei","base":"Uno","edited":true,"run":null}"#, "edited since")
        try shop.sql("UPDATE books SET title = 'Ein' WHERE id = 1")
        expect("\"Ein\"  run 3, resolve ", isDecided: true, decided, "as decided")
    }

    /// What the source said in between, while a conflict is open, is told with the run that read it.
    @Test func whatTheSourceSaidInBetweenIsTold() throws {
        let shop = try shop()
        for title in ["Ein", "Un"] {
            try shop.write(#"[{"id":1,"title":"\#(title)","price":"2.5"},{"id":3,"title":"Three"}]"#, to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
        }
        let history = shop.sluice("history", "4").output
        #expect(
            history.contains(#"! Book 1, title: conflict 1 changed: the source said "Ein" → "Un"  (edit_edit)"#),
            "\(history)")
        let json = shop.sluice("history", "3", "--format", "json").output
        #expect(json.contains(#""remote_before":"Uno","remote":"Ein"}"#), "\(json)")
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains(#"the source said "One", and says "Un" now (conflict 1)"#), "\(text)")
        let told = text.split(separator: "\n").filter { $0.contains("conflict 1, title: ") }
        #expect(told.count == 2 && told[0].hasPrefix("  run 4  ") && told[1].hasPrefix("  run 3  "), "\(text)")
        #expect(told.last?.hasSuffix(#"the source said "Uno" → "Ein""#) == true, "\(text)")
        let life = shop.sluice("inspect", "record", "Book", "1", "--format", "json").output
        #expect(life.contains(#""said":["#) && life.contains(#"{"run":4,"conflict":1,"action":"changed","#), "\(life)")
    }

    /// A decision that leaves the table as it is wrote nothing.
    @Test func aValueThatADecisionLeftIsEditedHere() throws {
        let shop = try shop()
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "local").code == 0)
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains("    title  \"Eins\"  edited here; the source said \"Uno\"\n"), "\(text)")
    }

    @Test func theSameIsThereForPrograms() throws {
        let shop = try shop()
        let json = shop.sluice("inspect", "record", "Book", "id=1", "--format", "json").output
        #expect(json.hasPrefix(#"{"format":"sluice.record/1","store":"sqlite:"#))
        #expect(
            json.contains(
                #""key":{"id":1},"row":true,"state":"live","first_run":1,"last_run":2,"fields":["#), "\(json)")
        #expect(json.contains(#"{"field":"title","value":"Eins","base":"One","edited":true,"run":null}"#))
        #expect(json.contains(#"{"field":"price","value":"2.5","base":"2.5","edited":false,"run":2}"#))
        #expect(
            json.contains(
                #""action":"update","kind":"merge","fields":[{"field":"price","class":"remote_update","old":"1.5","new":"2.5"}],"page":"\#(shop.folder)/books.json"}"#
            ))
    }

    @Test func aRecordThatIsGoneIsKnown() throws {
        let shop = try shop()
        let text = shop.sluice("inspect", "record", "Book", "2").output
        #expect(text.contains("Gone from the source and from the table; first in run 1, last changed in run 2.\n"))
        #expect(text.contains("  deleted\n    id     2\n    title  \"Two\"\n"))
        try shop.sql("DELETE FROM books WHERE id = 3; INSERT INTO books VALUES (9, 'mine', NULL)")
        #expect(
            shop.sluice("inspect", "record", "Book", "3").output.contains(
                "Deleted here; the source has it since run 1.\n"))
        let own = shop.sluice("inspect", "record", "Book", "9").output
        #expect(own.hasPrefix("Book 9  (table books)\nIn the table; no source gave it.\n"), "\(own)")
        #expect(own.contains("    title  \"mine\"  added here\n") && !own.contains("a run"), "\(own)")
        let none = shop.sluice("inspect", "record", "Book", "99")
        #expect(none.code == 1 && none.errors.contains("knows no Book `99`."), "\(none.errors)")
    }

    /// A row may stay although its source does not have it any more: until further scans confirm that, or somebody decides.
    @Test func aRecordThatTheSourceLacksIsToldSo() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%, confirm: 3}")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        try shop.write(#"[{"id":3,"title":"Three"}]"#, to: "books.json")
        func expect(_ state: String, _ absence: String, of key: String) {
            let text = shop.sluice("inspect", "record", "Book", key).output
            #expect(text.contains("\n\(state).\n"), "\(text)")
            let json = shop.sluice("inspect", "record", "Book", key, "--format", "json").output
            #expect(json.contains(#""state":"live","first_run":1"#) == absence.isEmpty, "\(json)")
            #expect(json.contains(#""absence":{"kind":"\#(absence)}"#) != absence.isEmpty, "\(json)")
        }
        for _ in 2...3 {
            _ = shop.sluice("run", shop.pipeline, "-q")
            for key in ["1", "2"] {
                expect("In the table; missing from the source since run 2", #"missing","since_run":2"#, of: key)
            }
        }
        expect("In the table, from the source since run 1", "", of: "3")
        _ = shop.sluice("run", shop.pipeline, "-q")
        _ = shop.sluice("run", shop.pipeline, "-q")
        expect("In the table; gone from the source since run 5", #"gone","since_run":5"#, of: "1")
        // Its source lists it again.
        try shop.write(#"[{"id":1,"title":"One"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains("\nIn the table, from the source"), "\(text)")
    }

    /// What was in the table before was written by no run.
    @Test func aRowThatWasThereBeforeIsToldSo() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.make(
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price TEXT);
            INSERT INTO books VALUES (1, 'One', '1.5'), (2, 'Two', NULL)
            """)
        try shop.write(#"[{"id":1,"title":"One","price":"1.5"},{"id":3,"title":"Three"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        try #require(run.code == 0, "\(run.errors)")
        let text = shop.sluice("inspect", "record", "Book", "1").output
        #expect(text.contains("    title  \"One\"  was here before run 1\n"), "\(text)")
        #expect(!text.contains("not kept"), "\(text)")
        let json = shop.sluice("inspect", "record", "Book", "1", "--format", "json").output
        #expect(
            json.contains(#"{"field":"title","value":"One","base":"One","edited":false,"run":null,"before_run":1}"#),
            "\(json)")
        // What a run writes into such a row is the run's; what a run inserts was not there.
        try shop.write(#"[{"id":1,"title":"One","price":"2"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let later = shop.sluice("inspect", "record", "Book", "1").output
        #expect(later.contains("was here before run 1\n") && later.contains("    price  \"2\"    run 2, "), "\(later)")
        #expect(!shop.sluice("inspect", "record", "Book", "3").output.contains("was here before"))
    }

    /// Streams may give records of a table and yet never have given this one: those that refer to it, or state deletions.
    @Test func aRecordIsToldOnceBySourcesThatGaveIt() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
              Note: {table: notes, primary_key: [id], fields: {id: int, book: {ref: Book}}}
            streams:
              - {name: books, entity: Book, path: books.json}
              - {name: gone, entity: Book, path: gone.json, deleted_when: "true"}
              - {name: notes, entity: Note, path: notes.json}
            merge: {precedence: [books, gone]}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        try shop.write("[]", to: "gone.json")
        try shop.write(#"[{"id":7,"book":1}]"#, to: "notes.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        try #require(run.code == 0, "\(run.errors)")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1; INSERT INTO books (id, title) VALUES (9, 'mine')")
        func blocks(_ key: String) -> String {
            let text = shop.sluice("inspect", "record", "Book", key).output
            let json = shop.sluice("inspect", "record", "Book", key, "--format", "json").output
            #expect(text.ranges(of: "Book \(key)  (table books").count == 1, "\(text)")
            #expect(json.ranges(of: #""key":{"id":\#(key)},"row""#).count == 1, "\(json)")
            return text
        }
        let edited = blocks("1")
        #expect(edited.contains("from shop/books") && !edited.contains("no source gave it"), "\(edited)")
        #expect(edited.contains("edited here; the source said \"One\""), "\(edited)")
        let own = blocks("9")
        #expect(own.contains("no source gave it") && own.contains("\"mine\"  added here"), "\(own)")
        // A stream that states the deletion of a record speaks of it.
        try shop.write(#"[{"id":2}]"#, to: "gone.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let gone = shop.sluice("inspect", "record", "Book", "2").output
        #expect(gone.contains("from shop/books") && gone.contains("from shop/gone"), "\(gone)")
    }

    /// A record that is not there may be awaited: the store knows by whom.
    @Test func aRecordThatOthersWaitForIsToldSo() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Member: {table: members, primary_key: [id], fields: {id: int, name: string}}
              Project:
                table: projects
                primary_key: [id]
                fields: {id: int, owner: {ref: Member, upsert: false}}
            streams:
              - {name: members, entity: Member, path: members.json}
              - {name: others, entity: Member, path: members.json}
              - {name: projects, entity: Project, path: projects.json}
            merge: {precedence: [members, others]}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"Ann"}]"#, to: "members.json")
        try shop.write(
            "[" + (1...7).map { #"{"id":\#($0),"owner":\#($0 == 7 ? 1 : 4711)}"# }.joined(separator: ",") + "]",
            to: "projects.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        #expect(run.code == 0, "\(run.errors)")
        let life = shop.sluice("inspect", "record", "Member", "4711")
        #expect(
            life.code == 0
                && life.output == """
                    Member 4711  (table members)
                    Not in the table, and nothing is kept of what a source said of it.
                    6 references wait for it: Project 1, owner; Project 2, owner; Project 3, owner; Project 4, owner; Project 5, owner; and 1 more.

                    """,
            "\(life.output)\(life.errors)")
        let json = shop.sluice("inspect", "record", "Member", "4711", "--format", "json").output
        let reference = #"{"pipeline":"shop","stream":"projects","entity":"Project","key":{"id":1},"field":"owner"}"#
        #expect(json.contains(#""awaited_by":["#) && json.contains(reference), "\(json)")
        #expect(!shop.sluice("inspect", "record", "Member", "1").output.contains("wait"))
        #expect(shop.sluice("inspect", "record", "Member", "4712").code == 1)
    }

    @Test func aRowThatIsMarkedAsDeletedShowsWhatItHolds() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: soft, max_delete: 100%}")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("inspect", "record", "Book", "2").output
        #expect(text.contains("Marked as deleted at ") && text.contains("    title  \"Two\"  run 1, 2"), "\(text)")
    }

    @Test func aRecordInQuarantineIsKnown() throws {
        let shop = try shop()
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"2.5"},{"id":3,"title":"Three"},{"id":4,"title":null,"price":"x"}]"#,
            to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("inspect", "record", "Book", "4").output
        #expect(text.contains("Not in the table: what the source says of it is in quarantine.\n"), "\(text)")
        #expect(text.contains("\nQuarantine\n1  Book 4  (shop/books; "))
    }

    @Test(arguments: [
        ("round=1,team=A", "1"), ("team=A,round=1", "1"), (#"round=2,team="A, the \"first\"""#, "2"),
        ("round=3,team=x=y", "3"), ("round=1, team=A", "1"), (#"round=2,  team="A, the \"first\"""#, "2"),
    ])
    func aKeyOfSeveralFieldsIsNamedFieldByField(_ key: String, _ place: String) throws {
        let shop = try matches()
        let outcome = shop.sluice("inspect", "record", "Match", key, "--pipeline", "cup")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("    place  \(place)"))
    }

    @Test func aKeyWithoutQuotesIsTold() throws {
        let outcome = try matches().sluice("inspect", "record", "Match", "round=1,", "team=A")
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains(
                "A key with blanks is put in quotes: `sluice inspect record Match 'round=1, team=A'`."),
            "\(outcome.errors)")
    }

    @Test func aKeyOfSeveralWordsIsToldFromAFile() throws {
        let shop = try matches()
        let outcome = shop.sluice("inspect", "record", "Match", "1", "A")
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains(
                "There is no pipeline file `A`. A key of several fields is one word, as in `FIELD=VALUE,FIELD=VALUE`: `sluice inspect record Match 1` says its fields."
            ), "\(outcome.errors)")
        let missing = shop.sluice("inspect", "record", "Match", "1", "missing.yaml")
        #expect(missing.code != 64 && missing.errors.contains("missing.yaml"), "\(missing.errors)")
    }

    private func matches() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: cup
            source: {base_url: "file:."}
            entities:
              Match: {primary_key: [round, team], fields: {round: int, team: string, place: int}}
            streams:
              - {name: matches, entity: Match, path: matches.json}
            """, to: "shop.yaml")
        try shop.write(
            #"[{"round":1,"team":"A","place":1},{"round":2,"team":"A, the \"first\"","place":2},{"round":3,"team":"x=y","place":3}]"#,
            to: "matches.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    @Test func eachChangeIsToldWithThePageThatSaysIt() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: orders
            source: {base_url: "file:."}
            entities:
              Order:
                primary_key: [id]
                fields: {id: int, note: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {fields: {no: int, text: string}}
            streams:
              - {name: orders, entity: Order, path: "orders-*.json", delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
        func write(_ note: String, _ others: String) throws {
            try shop.write(#"[{"id":1,"note":"\#(note)","lines":[]}\#(others)]"#, to: "orders-a.json")
            try shop.write(
                #"[{"id":2,"note":"\#(note)","lines":[{"no":1,"text":"\#(note)"}]}]"#, to: "orders-b.json")
        }
        try write("one", #",{"id":3,"lines":[]}"#)
        _ = shop.sluice("run", shop.pipeline, "-q")
        try write("two", "")
        _ = shop.sluice("run", shop.pipeline, "-q")
        func pages(_ entity: String, _ key: String) throws -> [String?] {
            let json = shop.sluice("inspect", "record", entity, key, "--format", "json").output
            let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            let life = try #require((document?["records"] as? [[String: Any]])?.first, "\(json)")
            return (life["changes"] as? [[String: Any]] ?? []).map { change in
                (change["page"] as? String).map { $0.replacing("\(shop.folder)/", with: "") }
            }
        }
        #expect(try pages("Order", "1") == ["orders-a.json"])
        #expect(try pages("Order", "2") == ["orders-b.json"])
        #expect(try pages("Line", "order_id=2,no=1") == ["orders-b.json"])
        // No page says that it is gone.
        #expect(try pages("Order", "3") == [nil])
        #expect(
            shop.sluice("inspect", "record", "Order", "2").output.contains(
                "updated, from \(shop.folder)/orders-b.json\n"))
    }

    @Test(
        arguments: [
            ("Match", "1", 64, "given as `round=VALUE,team=VALUE`, for example `round=1,team=A`; `1` does not fit"),
            ("Match", "round=x,team=A", 64, "given as"), ("Match", "round=1", 64, "given as"),
            ("Match", "2", 64, "for example `round=1,team=A`"),
            ("Match", "round=9,team=A", 1, "knows no Match `round=9,team=A`"),
            ("Mtch", "1", 1, "has no entity `Mtch`. Did you mean `Match`? It has `Match`."),
        ] as [(String, String, Int32, String)])
    func whatIsNotKnownIsTold(_ entity: String, _ key: String, _ code: Int32, _ message: String) throws {
        let outcome = try matches().sluice("inspect", "record", entity, key)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
