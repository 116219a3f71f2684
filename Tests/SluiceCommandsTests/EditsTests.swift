import Testing

@Suite struct EditsTests {
    /// A shop where people corrected two values of one row, cleared one, deleted a row, marked none and added one.
    private func edited() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "ignore")
        try shop.write(
            """
            [{"id":1,"title":"One","price":"1.50"},{"id":2,"title":"Two","price":"2"},{"id":3,"title":"Three"},
             {"id":4,"title":"\(String(repeating: "long ", count: 400))"}]
            """, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql(
            """
            UPDATE books SET title = 'Eins', price = '9.99' WHERE id = 1; UPDATE books SET price = NULL WHERE id = 2;
            DELETE FROM books WHERE id = 3; UPDATE books SET title = 'Short' WHERE id = 4;
            INSERT INTO books (id, title) VALUES (9, '=Nine')
            """)
        return shop
    }

    @Test func everyValueThatPeopleChangedIsListedBesideWhatTheSourceSaid() throws {
        let shop = try edited()
        let outcome = shop.sluice("edits")
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(
            outcome.output == """
                base: the source's value when both sides were last settled; local: the table now
                ~ Book 1  (base of run 1)
                    title  base "One"    local "Eins"
                    price  base "1.50"   local "9.99"
                ~ Book 2  (base of run 1)
                    price  base "2"   local null
                - Book 3  (deleted here; base of run 1)  title "Three"
                ~ Book 4  (base of run 1)
                    title  base not stored (over 1 KiB; keep_base: full)
                           local   "Short"
                + Book 9  (added here)  title "=Nine"

                books: 4 values edited in 3 rows, 1 row deleted, 1 row added

                """, "\(outcome.output)")
    }

    @Test func programsAndSpreadsheetsGetTheSame() throws {
        let shop = try edited()
        let json = shop.sluice("edits", "--format", "json").output
        #expect(json.hasPrefix(#"{"format":"sluice.edits/1","store":"sqlite:"#))
        #expect(
            json.contains(
                """
                ,"edits":[
                {"kind":"edit","entity":"Book","table":"books","key":{"id":1},"field":"title","base":"One","local":"Eins","since_run":1,"pipeline":"shop","stream":"books"},
                {"kind":"edit","entity":"Book","table":"books","key":{"id":1},"field":"price","base":"1.50","local":"9.99","since_run":1,"pipeline":"shop","stream":"books"},
                {"kind":"edit","entity":"Book","table":"books","key":{"id":2},"field":"price","base":"2","local":null,"since_run":1,"pipeline":"shop","stream":"books"},
                {"kind":"delete","entity":"Book","table":"books","key":{"id":3},"field":null,"base":{"id":3,"title":"Three"},"since_run":1,"pipeline":"shop","stream":"books"},
                {"kind":"edit","entity":"Book","table":"books","key":{"id":4},"field":"title","no_base":"too_long","local":"Short","since_run":1,"pipeline":"shop","stream":"books"},
                {"kind":"add","entity":"Book","table":"books","key":{"id":9},"field":null,"local":{"id":9,"title":"=Nine"},"since_run":null,"pipeline":"shop","stream":"books"}
                ],"edits_truncated":false,"counts":[
                {"entity":"Book","table":"books","rows":3,"values":4,"deleted":1,"added":1}
                ]}
                """), "\(json)")
        let csv = shop.sluice("edits", "--format", "csv").output
        let lines = csv.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 7, "\(csv)")
        #expect(lines[0] == "entity,table,key,kind,field,base,local,since_run,pipeline,stream,remote,conflict")
        #expect(lines[1] == #"Book,books,"{""id"":1}",edit,title,One,Eins,1,shop,books,,"#)
        #expect(lines[3] == #"Book,books,"{""id"":2}",edit,price,2,null,1,shop,books,,"#)
        #expect(lines[6] == #"Book,books,"{""id"":9}",add,,,"{""id"":9,""title"":""=Nine""}",,shop,books,,"#)
    }

    /// Numbers stay numbers, and null, the empty text and no value at all are told apart.
    @Test(arguments: [
        ("count: int", "-5", "base", "-7", "-7"), ("count: double", "-0.5", "base", "-1.5", "-1.5"),
        ("count: decimal", "'-2.50'", "base", "'-3'", "-3"), ("count: string", "'-5 C'", "base", "'=x'", "'=x"),
        ("count: string", "''", "base", "'null'", "\"\"\"null\"\"\""),
        ("count: string", "''", "base", "''", "\"\"\"\"\"\""),
        ("count: string", "NULL", "base", "NULL", "null"),
    ])
    func aCellOfASpreadsheetSaysWhatTheTableHolds(
        field: String, other: String, base: String, local: String, cell: String
    ) throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, \(field)}")
        let value = field.hasSuffix("string") ? "\"\(base)\"" : "1"
        try shop.write(#"[{"id":1,"count":\#(value)},{"id":2}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET count = \(local) WHERE id = 1; UPDATE books SET count = \(other) WHERE id = 2")
        let lines = shop.sluice("edits", "--format", "csv").output.split(separator: "\r\n").map(String.init)
        let said = field.hasSuffix("string") ? base : field.hasSuffix("double") ? "1.0" : "1"
        #expect(lines.dropFirst().first == #"Book,books,"{""id"":1}",edit,count,\#(said),\#(cell),1,shop,books,,"#)
        // The source never gave the second one.
        if other != "NULL" {
            #expect(lines.last?.hasPrefix(#"Book,books,"{""id"":2}",edit,count,,"#) == true, "\(lines)")
        }
    }

    @Test func planInEveryFormAndStatusSayHowMuchWasChanged() throws {
        let shop = try edited()
        let words = "4 values edited in 3 rows, 1 row deleted, 1 row added"
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(plan.hasPrefix("Plan for shop: nothing to change"), "\(plan)")
        #expect(
            plan.contains("Changed here: \(words). To see that:\n  sluice edits --store sqlite:\(shop.store)\n"),
            "\(plan)")
        #expect(shop.sluice("status").output.contains("here: \(words)\n"))
        let counts = #""edits":{"rows":3,"values":4,"deleted":1,"added":1}"#
        #expect(shop.sluice("status", "--format", "json").output.contains(counts))
        // Whoever reviews the plan reads one of these.
        let told = [
            "markdown": "\nChanged here: \(words). To see that: `sluice edits --store sqlite:\(shop.store)`\n",
            "html":
                "<p>Changed here: \(words). To see that: <code>sluice edits --store sqlite:\(shop.store)</code></p>\n",
            "json": counts,
        ]
        for (format, text) in told {
            let output = shop.sluice("plan", shop.pipeline, "--format", format).output
            #expect(output.contains(text), "\(output)")
        }
    }

    @Test func nothingIsListedWhereNobodyChangedAnything() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = "Nothing was changed here: the tables hold what the sources said last.\n"
        #expect(shop.sluice("edits").output == text)
        #expect(
            shop.sluice("edits", "--format", "json").output.hasSuffix(
                ",\"edits\":[],\"edits_truncated\":false,\"counts\":[]}\n"))
        for format in ["text", "markdown", "html"] {
            #expect(
                !shop.sluice("plan", shop.pipeline, "--format", format).output.contains("Changed here"), "\(format)")
        }
        let nothing = #""edits":{"rows":0,"values":0,"deleted":0,"added":0}"#
        #expect(shop.sluice("plan", shop.pipeline, "--format", "json").output.contains(nothing))
        #expect(!shop.sluice("run", shop.pipeline, "--format", "json").output.contains(#""edits":"#))
        #expect(!shop.sluice("status").output.contains("here:"))
        try shop.write(#"[{"id":1,"title":"Uno"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(shop.sluice("edits").output == text, "what a run wrote nobody edited")
    }

    @Test func aDecisionForTheSourceEndsAnEditAndOneForTheTableKeepsIt() throws {
        let shop = try edited()
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"1.50"},{"id":2,"title":"Two","price":"3"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        _ = shop.sluice("conflicts", "resolve", "--field", "title", "--take", "remote")
        _ = shop.sluice("conflicts", "resolve", "--field", "price", "--take", "local")
        let text = shop.sluice("edits").output
        #expect(text.contains("~ Book 1  (base of run 3)\n    price  base \"1.50\"   local \"9.99\"\n"), "\(text)")
        #expect(text.contains("price  base \"3\"   local null\n"), "\(text)")
    }

    @Test func aValueInAnOpenConflictIsListedWithWhatTheSourceSaysNow() throws {
        let shop = try edited()
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"1.50"},{"id":2,"title":"Two","price":"3"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("edits").output
        // No later run settled what the first one said.
        #expect(text.contains("~ Book 1  (base of run 1)\n"), "\(text)")
        #expect(
            text.contains(#"title  base "One" "#) && text.contains(#"local "Eins"   remote "Uno"  (conflict 1)"#),
            "\(text)"
        )
        #expect(text.contains(#"price  base "1.50""#) && !text.contains(#"remote "1.50""#), "\(text)")
        let json = shop.sluice("edits", "--format", "json").output
        let title = #""field":"title","base":"One","local":"Eins","remote":"Uno","conflict":1,"since_run":1,"#
        #expect(json.contains(title), "\(json)")
        let csv = shop.sluice("edits", "--format", "csv").output
        #expect(csv.contains(",edit,title,One,Eins,1,shop,books,Uno,1\r\n"), "\(csv)")
        #expect(csv.contains(",edit,price,1.50,9.99,1,shop,books,,\r\n"), "\(csv)")
    }

    @Test func entityAndPipelineAndLimitChoose() throws {
        let shop = try edited()
        #expect(shop.sluice("edits", "--pipeline", "shop", "--entity", "Book").output.contains("~ Book 1"))
        let cut = shop.sluice("edits", "--limit", "1").output
        #expect(cut.contains("~ Book 1") && !cut.contains("Book 2"))
        #expect(cut.contains("… and 4 more records; list more with `--limit N` or `--limit all`\n"), "\(cut)")
        #expect(cut.hasSuffix("books: 4 values edited in 3 rows, 1 row deleted, 1 row added\n"))
        #expect(shop.sluice("edits", "--limit", "1", "--format", "json").output.contains(#""edits_truncated":true"#))
    }

    @Test func redactedValuesStayRedacted() throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, phone: {type: string, redact: mask}}")
        try shop.write(#"[{"id":1,"phone":"00123456789012"},{"id":2,"phone":"55544433332222"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(shop.sluice("edits").output.hasPrefix("Nothing was changed"))
        try shop.sql(
            "UPDATE books SET phone = '99988877766655' WHERE id = 1; INSERT INTO books VALUES (3, '44477700012345')")
        for format in ["text", "json", "csv"] {
            let text = shop.sluice("edits", "--format", format).output
            #expect(text.contains("***9012") && text.contains("***6655") && text.contains("***2345"), "\(text)")
            #expect(!text.contains("99988877766655") && !text.contains("44477700012345"), "\(text)")
        }
    }

    @Test func whatAnotherSourceOfTheTableGaveIsNoEdit() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            merge: {precedence: [first, second]}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
              Offer: {table: books, primary_key: [id], fields: {id: int, title: string, price: decimal}}
            streams:
              - {name: first, entity: Book, path: first.json}
              - {name: second, entity: Offer, path: second.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "first.json")
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"1"},{"id":3,"title":"Tre","price":"3"}]"#, to: "second.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        #expect(run.code == 0, "\(run.errors)")
        #expect(shop.sluice("edits").output.hasPrefix("Nothing was changed"), "\(shop.sluice("edits").output)")
        try shop.sql(
            "UPDATE books SET price = '7' WHERE id = 1; DELETE FROM books WHERE id = 3; INSERT INTO books (id) VALUES (8)"
        )
        let text = shop.sluice("edits").output
        #expect(text.contains("~ Book 1  (base of run 1)\n    price  base \"1\"   local \"7\"\n"), "\(text)")
        #expect(text.contains("- Offer 3  (deleted here; base of run 1)"), "\(text)")
        #expect(text.contains("+ Book 8  (added here)"), "\(text)")
        #expect(
            text.hasSuffix("\nBook in books: 1 value edited in 1 row, 1 row added\nOffer in books: 1 row deleted\n"),
            "\(text)")
        // What the second one said was not there: somebody preferred it.
        try shop.sql("UPDATE books SET title = 'Uno' WHERE id = 1")
        let preferred = shop.sluice("edits").output
        #expect(preferred.contains("    title  base \"One\"   local \"Uno\"\n"), "\(preferred)")
        let record = shop.sluice("inspect", "record", "Book", "1").output
        #expect(record.contains("edited"), "\(record)")
    }

    @Test("A deleted row is told with the value of the source that goes first", arguments: ["bill, crm", "crm, bill"])
    func deletedRowOfTwoSources(order: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            merge: {precedence: [\(order)]}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - {name: bill, entity: Book, path: bill.json}
              - {name: crm, entity: Book, path: crm.json}
            """, to: "shop.yaml")
        for name in ["bill", "crm"] { try shop.write(#"[{"id":1,"title":"\#(name)"}]"#, to: "\(name).json") }
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("DELETE FROM books")
        let (first, second) = order == "bill, crm" ? ("bill", "crm") : ("crm", "bill")
        let text = shop.sluice("edits").output
        #expect(text.contains("title \"\(first)\"") && !text.contains("title \"\(second)\""), "\(text)")
    }

    @Test func sublistsAndLinksAreComparedAsWell() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Tag: {table: tags, primary_key: [name], fields: {name: string}}
              Line: {table: lines, primary_key: [no], fields: {no: int, text: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, tags: {refs: Tag, from: "tags[*]"}}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
            streams:
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(
            #"[{"id":1,"tags":[{"name":"a"},{"name":"b"}],"lines":[{"no":1,"text":"x"},{"no":2,"text":"y"}]}]"#,
            to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        #expect(run.code == 0, "\(run.errors)")
        #expect(shop.sluice("edits").output.hasPrefix("Nothing was changed"), "\(shop.sluice("edits").output)")
        try shop.sql(
            """
            UPDATE lines SET text = 'z' WHERE no = 2; DELETE FROM lines WHERE no = 1;
            INSERT INTO tags VALUES ('c'); INSERT INTO books_tags VALUES (1, 'c')
            """)
        let text = shop.sluice("edits").output
        #expect(text.contains(#"tags  base ["a","b"]   local ["a","b","c"]"#), "\(text)")
        #expect(text.contains(#"text  base "y"   local "z""#) && text.contains("deleted here"), "\(text)")
        #expect(text.contains("+ Tag c  (added here)"), "\(text)")
    }

    @Test(
        arguments: [
            ("defer", "local waits for its record", "waits_for_record"),
            ("set_null", "local went with its record; null for good", "went_with_record"),
        ])
    func aReferenceWithoutItsRecordIsToldApart(_ rule: String, _ words: String, _ member: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, owner: {ref: User, from: owner, upsert: false, on_dangling: \(rule)}}}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: books, entity: Book, path: books.json}
              - {name: users, entity: User, path: users.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"owner":7},{"id":2,"owner":7}]"#, to: "books.json")
        try shop.write(#"[{"id":7},{"id":8}]"#, to: "users.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET owner_id = 8 WHERE id = 1")
        #expect(!shop.sluice("edits").output.contains("waits"))
        try shop.write(#"[{"id":7}]"#, to: "users.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let text = shop.sluice("edits")
        #expect(text.output.contains("local 8") && text.output.contains("(\(words))"), "\(text)")
        let json = shop.sluice("edits", "--format", "json")
        #expect(json.output.contains(#""local":8,"\#(member)":true"#), "\(json)")
        #expect(try shop.rows("SELECT coalesce(CAST(owner_id AS text), 'null') FROM books") == [["null"], ["7"]])
    }

    /// What the source says within the record since is taken in, although no row has it.
    @Test func whatARecordHeldIsToldWhileItsConflictIsOpen() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: id, fields: {id: int, s: string}, children: {ks: {entity: K, key: k}}}
              K: {fields: {k: string, v: int}}
            streams: [{name: a, entity: A, path: a.json}]
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"s":"x","ks":[{"k":"a","v":1}]}]"#, to: "a.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("DELETE FROM k; DELETE FROM a")
        let before = shop.sluice("edits").output
        #expect(before.contains(#"- K a_id=1, k="a"  (deleted here; base of run 1)  v 1"#), "\(before)")
        for value in [2, 3] {
            try shop.write(#"[{"id":1,"s":"y\#(value)","ks":[{"k":"a","v":\#(value)},{"k":"b","v":5}]}]"#, to: "a.json")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
            let edits = shop.sluice("edits").output
            #expect(edits.contains(#"- A 1  (deleted here; base of run 1; conflict 1"#), "\(edits)")
            #expect(edits.contains(#"- K a_id=1, k="a"  (deleted here; base of run 1)  v 1"#), "\(edits)")
            #expect(!edits.contains(#"k="b""#) && edits.contains("k: 1 row deleted"), "\(edits)")
        }
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        #expect(shop.sluice("edits").output.hasPrefix("Nothing was changed"), "\(shop.sluice("edits").output)")
        #expect(try shop.rows("SELECT k, CAST(v AS text) FROM k ORDER BY 1") == [["a", "3"], ["b", "5"]])
    }

    /// The source that goes first said last what the row held.
    @Test func theRunOfADeletedRowsBaseIsThatOfItsValues() throws {
        let shop = try Workshop()
        func run(_ name: String, _ text: String) throws {
            try shop.write(
                """
                version: 1
                name: \(name)
                source: {base_url: "file:."}
                entities: {B: {table: b, primary_key: id, fields: {id: int, t: string}}}
                streams: [{name: s, entity: B, path: \(name).json}]
                merge: {precedence: [crm/s, bill/s]}
                """, to: "\(name).yaml")
            try shop.write(#"[{"id":1,"t":"\#(text)"}]"#, to: "\(name).json")
            let outcome = shop.sluice("run", "\(shop.folder)/\(name).yaml", "-q")
            #expect(outcome.code == 0, "\(outcome)")
        }
        try run("crm", "one")
        try run("bill", "two")
        try run("crm", "three")
        try shop.sql("DELETE FROM b")
        for command in [["edits"], ["edits", "\(shop.folder)/crm.yaml"], ["edits", "\(shop.folder)/bill.yaml"]] {
            let outcome = shop.sluice(command)
            #expect(outcome.output.contains(#"- B 1  (deleted here; base of run 3)  t "three""#), "\(outcome)")
        }
    }

    /// A decision that was taken back settled nothing: the base is of the run that it was of before, however often that is done.
    @Test func anUndoneDecisionIsNoBase() throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, title: string}")
        try shop.write(#"[{"id":1,"title":"a"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.sql("UPDATE books SET title = 'mine'")
        try shop.write(#"[{"id":1,"title":"b"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let before = shop.sluice("edits").output
        #expect(before.contains("~ Book 1  (base of run 1)\n    title  base \"a\""), "\(before)")
        for round in 0..<2 {
            let decided = shop.sluice("conflicts", "resolve", "1", "--take", "local")
            #expect(decided.code == 0, "\(decided.errors)")
            #expect(shop.sluice("edits").output.contains("base of run \(3 + 2 * round)"))
            #expect(shop.sluice("undo", "\(3 + 2 * round)").code == 0)
            #expect(shop.sluice("edits").output == before)
        }
        // Where the source goes on meanwhile, the conflict stays that of the run that opened it.
        try shop.write(#"[{"id":1,"title":"c"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(shop.sluice("edits").output.contains("base of run 1"))
    }
}
