import Foundation
import TestSupport
import Testing

/// Sources of CSV and TSV, by `run`, `import` and `probe`.
@Suite struct RowSourceTests {
    private static let books =
        "\u{FEFF}id,title,price,sold,day,note\r\n1,\"Dune, part 1\",9.50,true,2024-05-17,\"two\r\nlines\"\r\n2,Emma,10,FALSE,,\r\n"

    private func scene(
        _ text: String, format: String = "csv", source: String = "{base_url: \"file:.\"}", path: String? = nil
    )
        throws -> Scene
    {
        let scene = try Scene(records: 1)
        try scene.write("books.\(format)", text)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: \(source)
            entities:
              Book:
                primary_key: [id]
                fields: {id: int, title: string, price: decimal, sold: bool, day: date, note: string}
            streams:
              - {name: books, entity: Book, path: \(path ?? "books.\(format)"), format: \(format), delete_missing: {mode: hard, max_delete: 100%}}
            """)
        return scene
    }

    @Test func rowsAreRecordsOfTheFieldsTypes() throws {
        let scene = try scene(Self.books)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        let rows = try scene.query("SELECT id, title, price, sold, day, note FROM book ORDER BY id")
        #expect(rows == ["1|Dune, part 1|9.50|1|2024-05-17|two\r\nlines", "2|Emma|10|0|null|null"])
        #expect(try Program.run("run", "books.yaml", in: scene.path).output.contains("nothing changed, 2 unchanged"))
        // An emptied cell empties the column, and a row that is gone is gone.
        try scene.write("books.csv", "id,title,price,sold,day,note\n1,Dune,,true,2024-05-17,\n")
        let second = try Program.run("run", "books.yaml", in: scene.path)
        #expect(second.code == 0, "\(second.output)\(second.errors)")
        #expect(try scene.query("SELECT id, title, price, note FROM book") == ["1|Dune|null|null"])
    }

    @Test func aRowThatDoesNotFitIsQuarantinedWithItsLine() throws {
        let scene = try scene(
            "id,title,price,sold,day,note\n1,\"a\nb\",1,true,,\n2,Emma\n3,\"x\"y,1,true,,\n4,Dune,cheap,true,,\n5,Ulysses,1,true,,\n"
        )
        let result = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id FROM book") == ["1", "5"])
        let kept = try scene.query(
            "SELECT reason, message, CAST(record AS TEXT) FROM _sluice_quarantine ORDER BY id")
        #expect(kept.count == 3)
        #expect(kept[0] == "invalid_row|The row in line 4 has 2 cells, and the header has 6.|2,Emma")
        #expect(kept[1].hasPrefix("invalid_row|The row in line 5 has text behind the closing quote of a cell."))
        #expect(kept[2].hasPrefix("type_mismatch|"))
        let list = try Program.run("quarantine", "list", "--store", "sqlite:shop.db", in: scene.path)
        #expect(list.output.contains("The row in line 4 has 2 cells"), "\(list.output)")
        // Mended, they leave it.
        try scene.write(
            "books.csv",
            "id,title,price,sold,day,note\n1,\"a\nb\",1,true,,\n2,Emma,,,,\n3,x,1,true,,\n4,Dune,1,true,,\n5,Ulysses,1,true,,\n"
        )
        let mended = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(mended.code == 0, "\(mended.output)\(mended.errors)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == ["0"])
    }

    @Test func aPageThatIsCutWithinQuotesFails() throws {
        let scene = try scene("id,title,price,sold,day,note\n1,Dune,1,true,,\n2,\"Em")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("line 3 has a quote that is never closed"), "\(result.errors)")
    }

    @Test func aLongRowNamesTheLimit() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let scene = try scene(
            "id,title,price,sold,day,note\n1,\(long),1,true,,\n", source: "{base_url: \"file:.\", max_record: 1MiB}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("max_record"), "\(result.errors)")
        #expect(result.errors.contains("line 2"), "\(result.errors)")
    }

    @Test func tabsAndFoldersAndPackedFiles() throws {
        let scene = try scene("id\ttitle\n1\tDune, part 1\n", format: "tsv", path: ".")
        try scene.write("more.tsv.gz", bytes: Gzip.stored(Array("title\tid\nEmma\t2\n".utf8)))
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id, title FROM book ORDER BY id") == ["1|Dune, part 1", "2|Emma"])
    }

    @Test func keysThatLeadIntoJSONAreRefused() throws {
        let scene = try scene(Self.books)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        for (key, word) in [
            ("records: \"$.items[*]\"", "`records` leads into JSON"), ("entries: name", "`entries` leads into JSON"),
            ("paginator: {type: json_link, path: next}", "but a `csv` page has rows"),
        ] {
            try scene.write("wrong.yaml", text.replacing("format: csv", with: "format: csv, \(key)"))
            let result = try Program.run("validate", "wrong.yaml", in: scene.path)
            #expect(
                result.code == 78 && (result.output + result.errors).contains(word), "\(result.output)\(result.errors)")
        }
    }

    @Test func pagesOverHTTPHaveAHeaderEach() throws {
        let server = try LoopbackServer { request in
            let isFirst = request.query?.contains("page=2") != true
            let text = isFirst ? "id,title\n1,Dune\n2,Emma\n" : "title,id\nUlysses,3\n"
            let link = ("Link", "</stock.csv?page=2>; rel=\"next\"")
            return .text(text, headers: [("Content-Type", "text/csv; charset=utf-8")] + (isFirst ? [link] : []))
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        for target in ["/stock.csv", "/stock"] {
            let result = try Program.run(
                "import", server.url + target, "--store", "sqlite:\(target.dropFirst()).db", "--write-pipeline",
                "\(target.dropFirst()).yaml", in: scene.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(
                result.output.contains("Records: each row") && result.output.contains("3 inserted"), "\(result.output)")
            let text = try String(contentsOfFile: scene.folder.file("\(target.dropFirst()).yaml"), encoding: .utf8)
            #expect(text.contains("    format: csv\n"), "\(text)")
            let again = try Program.run("run", "\(target.dropFirst()).yaml", in: scene.path)
            #expect(again.output.contains("nothing changed, 3 unchanged"), "\(again.output)\(again.errors)")
        }
        let probe = try Program.run("probe", server.url + "/stock", "--write-pipeline", "probed.yaml", in: scene.path)
        #expect(probe.code == 0 && probe.output.contains("each row"), "\(probe.output)\(probe.errors)")
        let plan = try Program.run("plan", "probed.yaml", "--store", "sqlite:new.db", in: scene.path)
        #expect(plan.output.contains("3 to insert"), "\(plan.output)\(plan.errors)")
    }

    // MARK: What stands between cells

    @Test(arguments: [";", "|", "tab"])
    func whatStandsBetweenCellsIsFoundSaidAndWritten(delimiter: String) throws {
        let mark = delimiter == "tab" ? "\t" : delimiter
        let scene = try Scene(records: 1)
        let text = "id;\"name, first\";price\n1;Dune, part 1;2,50\n2;Emma;3,10\n"
        try scene.write("stock.csv", text.replacing(";", with: mark))
        let result = try Program.run(
            "import", "stock.csv", "--store", "sqlite:shop.db", "--write-pipeline", "stock.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(
            result.output.contains("the name says so; the header has `\(delimiter)` between its names, and no comma"),
            "\(result.output)")
        #expect(try scene.query("SELECT * FROM stock ORDER BY id") == ["1|Dune, part 1|2,50", "2|Emma|3,10"])
        let yaml = try String(contentsOfFile: scene.folder.file("stock.yaml"), encoding: .utf8)
        #expect(yaml.contains("    format: csv\n    delimiter: \"\(delimiter)\"\n"), "\(yaml)")
        #expect(try Program.run("validate", "stock.yaml", "--strict", in: scene.path).code == 0)
        let again = try Program.run("run", "stock.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed, 2 unchanged"), "\(again.output)\(again.errors)")
    }

    @Test func aSourceWithoutANameIsKnownByItsHeaderToo() throws {
        let server = try LoopbackServer { _ in
            .text("id;title\n1;Dune\n2;Emma\n", headers: [("Content-Type", "text/plain")])
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let probe = try Program.run("probe", server.url + "/stock", "--write-pipeline", "stock.yaml", in: scene.path)
        #expect(probe.code == 0, "\(probe.output)\(probe.errors)")
        let plan = try Program.run("plan", "stock.yaml", in: scene.path)
        #expect(plan.output.contains("2 to insert"), "\(plan.output)\(plan.errors)")
    }

    @Test func whatAPersonSaysOfTheFormHolds() throws {
        let scene = try Scene(records: 1)
        try scene.write("odd.txt", "1st|a;b\nx|1\ny|2\n")
        func columns(_ arguments: String...) throws -> [String] {
            let result = try Program.start(
                [
                    "import", "odd.txt", "--key", "content", "--store",
                    "sqlite:\(arguments.count)\(arguments[1].count).db",
                ]
                    + arguments, in: scene.path
            ).wait()
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return result.output.split(separator: "\n").filter { $0.contains(" $") }.map {
                String($0.split(separator: " ")[0])
            }
        }
        #expect(try columns("--delimiter", "|") == ["_1st", "a_b"])
        #expect(try columns("--input-format", "tsv") == ["_1st_a_b"])
        let wrong = try Program.run(
            "import", "odd.txt", "--input-format", "tsv", "--delimiter", ";", in: scene.path)
        #expect(wrong.code == 64 && wrong.errors.contains("`--delimiter` belongs to CSV"), "\(wrong.errors)")
    }

    @Test func rowsComeThroughStandardInput() throws {
        let scene = try Scene(records: 1)
        func pipe(_ text: String, _ more: String) throws -> Program.Result {
            try scene.write("input", text)
            let sluice = Program.products.appending(path: "sluice").path
            return try Running(
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", "'\(sluice)' import - --table stock --store sqlite:shop.db \(more) < input"],
                folder: scene.path, environment: [:]
            ).wait()
        }
        let plain = try pipe("id;title\n1;Dune\n", "")
        #expect(plain.code == 0 && plain.output.contains("1 inserted"), "\(plain.output)\(plain.errors)")
        // A column alone looks like nothing.
        let column = try pipe("id\n2\n3\n", "--input-format csv")
        #expect(column.code == 0 && column.output.contains("2 inserted"), "\(column.output)\(column.errors)")
        // That is the form of the report.
        let mistaken = try pipe("id\n2\n3\n", "--format csv")
        #expect(mistaken.code == 1 && mistaken.errors.contains("`--input-format csv`"), "\(mistaken.errors)")
        let jsonl = try pipe("{\"id\": 9}\n", "--format jsonl")
        #expect(jsonl.code == 64 && jsonl.errors.contains("`--input-format jsonl`"), "\(jsonl.errors)")
        let lines = try pipe("{\"id\": 4}\n", "--input-format jsonl")
        #expect(lines.code == 0 && lines.output.contains("as asked for"), "\(lines.output)\(lines.errors)")
    }

    @Test func aPipelineThatForgetsTheDelimiterIsTold() throws {
        let scene = try scene("id;title;price;sold;day;note\n1;Dune;2;true;;\n")
        let refused = try Program.run("run", "books.yaml", in: scene.path)
        #expect(refused.code == 1 && refused.errors.contains("Set `delimiter: \";\"`"), "\(refused.errors)")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("format: csv", with: "format: csv, delimiter: \";\""))
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT title, price FROM book") == ["Dune|2"])
        try scene.write("books.yaml", text.replacing("format: csv", with: "format: json, delimiter: \";\""))
        let wrong = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(wrong.code == 78 && (wrong.output + wrong.errors).contains("`delimiter` belongs to `format: csv`"))
    }

    @Test func importInfersTypes() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "orders.csv",
            "orderNumber,customer_id,zip,amount,paid,created,note\nA-1,7,01234,10.50,true,2024-05-17T08:00:00Z,\nA-2,8,98765,3,false,2024-05-18T08:00:00Z,\n"
        )
        let result = try Program.run(
            "import", "orders.csv", "--store", "sqlite:shop.db", "--write-pipeline", "orders.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Key: order_number"), "\(result.output)")
        let text = try String(contentsOfFile: scene.folder.file("orders.yaml"), encoding: .utf8)
        for line in [
            "order_number: {from: \"$.orderNumber\", type: string}", "customer_id: int", "zip: string",
            "amount: decimal",
            "paid: bool", "created: datetime", "note: string",
        ] { #expect(text.contains("      \(line)\n"), "\(line)\n\(text)") }
        #expect(try scene.query("SELECT zip, amount, paid FROM orders ORDER BY zip") == ["01234|10.50|1", "98765|3|0"])
        let again = try Program.run("run", "orders.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed, 2 unchanged"), "\(again.output)\(again.errors)")
        let wrong = try Program.run(
            "import", "orders.csv", "--records", "a", "--store", "sqlite:shop.db", in: scene.path)
        #expect(wrong.code == 64 && wrong.errors.contains("`--records` leads into JSON"), "\(wrong.errors)")
    }
}
