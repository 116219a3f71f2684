import Testing

/// What the end of a report says of conflicts.
@Suite("Next steps of conflicts")
struct ConflictStepsTests {
    /// A run that opened two conflicts in the first record and one in each of the others.
    private func run(records: Int, _ options: String...) throws -> String {
        let shop = try Workshop()
        try shop.writePipeline()
        func put(_ title: String, _ price: String) throws {
            let books = (1...records).map {
                #"{"id":\#($0),"title":"\#(title)","price":"\#($0 == 1 ? price : "1.00")"}"#
            }
            try shop.write("[\(books.joined(separator: ","))]", to: "books.json")
        }
        try put("One", "1.00")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET title = 'Eins', price = CASE id WHEN 1 THEN '2.00' ELSE price END")
        try put("Un", "3.00")
        return shop.run(["run", shop.pipeline, "--store", "sqlite:\(shop.store)"] + options).output
    }

    @Test(arguments: [(4, nil), (5, "5 of 6"), (6, "5 of 7"), (11, "5 of 12")] as [(Int, String?)])
    func theyAreCountedAsConflicts(_ records: Int, _ share: String?) throws {
        let output = try run(records: records)
        let named = output.contains("sluice conflicts resolve 1 2 3 4 5 --take local")
        #expect(named, "\(output)")
        #expect(output.contains("of \(records + 1) conflicts") == (share != nil), "\(output)")
        if let share {
            #expect(output.contains("keeps what the table holds, in the first \(share) conflicts"), "\(output)")
        }
    }

    /// What a run finds open of records that it read is not decided by commands that name its own conflicts alone.
    @Test func thoseOfEarlierRunsAreNotCountedAsDecided() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        func run(_ titles: [String]) throws -> String {
            let books = titles.enumerated().map { #"{"id":\#($0 + 1),"title":"\#($1)","price":"1.00"}"# }
            try shop.write("[\(books.joined(separator: ","))]", to: "books.json")
            return shop.sluice("run", shop.pipeline).output
        }
        _ = try run(["One", "Two", "Three"])
        try shop.sql("UPDATE books SET title = 'mine'")
        let first = try run(["Un", "Two", "Three"])
        #expect(first.contains("resolve 1 --take local") && !first.contains("new conflict"), "\(first)")
        let second = try run(["Un", "Deux", "Three"])
        #expect(second.contains("2 records are in conflict"), "\(second)")
        #expect(second.contains("keeps what the table holds, in the new conflict\n"), "\(second)")
    }

    /// A record that was deleted here with a child, of which the source changes both, is one question.
    @Test func whatTheSourceChangedWithinARecordAsksNothingMore() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int, status: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [sku]}}
              Line: {table: lines, fields: {sku: string, qty: int}}
            streams:
              - {name: orders, entity: Order, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"status":"new","lines":[{"sku":"A","qty":1}]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        try shop.sql("DELETE FROM lines; DELETE FROM orders")
        try shop.write(#"[{"id":1,"status":"paid","lines":[{"sku":"A","qty":2}]}]"#, to: "books.json")
        for command in ["plan", "run"] {
            let output = shop.sluice(command, shop.pipeline).output
            #expect(output.ranges(of: "! Order 1").count == 1 && !output.contains("changed it again"), "\(output)")
            #expect(command == "plan" || output.contains("conflicts resolve 1 --take local"), "\(output)")
        }
        let list = shop.sluice("conflicts", "list").output
        #expect(list.contains("since run 2)") && !list.contains("remote values"), "\(list)")
        // The same of a later run is news.
        try shop.write(#"[{"id":1,"status":"sent","lines":[{"sku":"A","qty":3}]}]"#, to: "books.json")
        let later = shop.sluice("run", shop.pipeline).output
        #expect(later.contains("open since run 2, the source changed it again"), "\(later)")
    }

    @Test func thoseThatAreNotListedAreNotCalledOlder() throws {
        let output = try run(records: 2, "--summary-only")
        #expect(output.contains("2 records are in conflict"), "\(output)")
        #expect(output.contains("# all that are open\n"), "\(output)")
        #expect(!output.contains("earlier run"), "\(output)")
    }
}
