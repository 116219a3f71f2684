import SluiceSQLite
import Testing

@Suite struct ConflictViewTests {
    private func view(_ shop: Workshop, _ columns: String) throws -> [[SQLiteValue]] {
        try Connection(path: shop.store, mode: .existing).rows("SELECT \(columns) FROM conflicts_books ORDER BY id")
    }

    @Test func itShowsTheSidesOfEachRecordAsTheTableHoldsThem() throws {
        let dispute = try Dispute()
        let rows = try view(
            dispute.shop, "id, base_title, local_title, remote_title, base_seen, local_seen, remote_seen")
        #expect(rows.map { $0[0] } == [1, 2, 3, 4, 5, 6].map { .integer($0) })
        #expect(
            rows[0] == [
                .integer(1), SQLiteValue("One"), SQLiteValue("Eins"), SQLiteValue("Uno"), .integer(1), .integer(0),
                .null,
            ])
        #expect(rows[1][1] == .null && rows[1][3] == SQLiteValue(Dispute.longThere))
        #expect(rows[2][2] == SQLiteValue("Drei") && rows[2][3] == .null)
        #expect(rows[5][2] == .null && rows[5][3] == SQLiteValue("Sei"))
        let ids = try "\(dispute.id(1, "seen")) \(dispute.id(1, "title"))".split(separator: " ").sorted()
        #expect(try view(dispute.shop, "conflict_ids")[0] == [SQLiteValue(ids.joined(separator: " "))])
        _ = dispute.shop.sluice("conflicts", "resolve", "--all", "--take", "local")
        #expect(try view(dispute.shop, "id").isEmpty)
    }

    @Test func aFieldThatComesIsShownToo() throws {
        let dispute = try Dispute()
        try dispute.writePipeline(fields: "seen: bool, price: decimal, tags: json, pages: int")
        _ = dispute.shop.sluice("run", dispute.shop.pipeline)
        #expect(try view(dispute.shop, "base_pages, local_pages, remote_pages").count == 6)
    }

    @Test func aNameThatIsTakenIsLeftAloneAndToldOnce() throws {
        let shop = try Workshop()
        try Connection(path: shop.store, mode: .create).execute("CREATE TABLE Conflicts_Books (mine)")
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let list = "`sluice conflicts list --store sqlite:\(shop.store)`"
        let told = "! view conflicts_books  (left out: something else has its name; see \(list))\n"
        #expect(shop.sluice("plan", shop.pipeline).output.contains(told))
        #expect(shop.sluice("run", shop.pipeline).output.contains(told))
        #expect(shop.sluice("run", shop.pipeline).output.contains("nothing changed"))
        try shop.sql("DROP TABLE conflicts_books")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(try shop.value("SELECT count(*) FROM conflicts_books") == .integer(0))
    }

    @Test func anEntityMayHaveItsName() throws {
        let shop = try Dispute().shop
        try shop.write(
            try shop.read("shop.yaml").replacing("name: shop", with: "name: second")
                .replacing("table: books", with: "table: conflicts_books"), to: "second.yaml")
        // Asked first whether it is the other one under a new name, since it has the same source.
        #expect(shop.sluice("run", "\(shop.folder)/second.yaml").code == 4)
        let run = shop.sluice("run", "\(shop.folder)/second.yaml", "--allow-schema", "drop")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try shop.value("SELECT count(*) FROM conflicts_books") == .integer(6))
        #expect(shop.sluice("run", shop.pipeline).code == 0)
    }
}
