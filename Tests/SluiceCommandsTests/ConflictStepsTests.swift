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
            #expect(output.contains("keeps what the table holds, in these \(share) conflicts"), "\(output)")
        }
    }

    @Test func thoseThatAreNotListedAreNotCalledOlder() throws {
        let output = try run(records: 2, "--summary-only")
        #expect(output.contains("2 records are in conflict"), "\(output)")
        #expect(output.contains("# all that are open\n"), "\(output)")
        #expect(!output.contains("earlier run"), "\(output)")
    }
}
