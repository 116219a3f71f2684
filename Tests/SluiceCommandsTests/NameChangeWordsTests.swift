import Testing

/// What is said of names and columns that go: once, however many streams may fill the table.
@Suite struct NameChangeWordsTests {
    private func write(_ shop: Workshop, entity: String, fields: String, more: String = "") throws {
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              \(entity): {table: books, primary_key: [id], fields: {\(fields)}\(more)}
              Note: {table: notes, primary_key: [id], fields: {id: int, book: {ref: \(entity)}}}
              Loan: {table: loans, primary_key: [id], fields: {id: int, book: {ref: \(entity)}}}
            streams:
              - {name: books, entity: \(entity), path: books.json}
              - {name: notes, entity: Note, path: notes.json}
              - {name: loans, entity: Loan, path: notes.json}
            """, to: "shop.yaml")
    }

    @Test func aColumnAndANameAreToldOnce() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"title":"One","shelf":"a"}]"#, to: "books.json")
        try shop.write(#"[{"id":7,"book":1}]"#, to: "notes.json")
        try write(shop, entity: "Book", fields: "id: int, title: string, shelf: string")
        let first = shop.sluice("run", shop.pipeline, "-q")
        try #require(first.code == 0, "\(first.errors)")
        try write(shop, entity: "Book", fields: "id: int, title: string")
        for command in ["plan", "run"] {
            let text = shop.sluice(command, shop.pipeline).output
            #expect(text.ranges(of: "shelf is filled by no field any more").count == 1, "\(text)")
        }
        #expect(shop.sluice("history", "2").output.ranges(of: "shelf is filled by no field").count == 1)
        try write(shop, entity: "Volume", fields: "id: int, title: string", more: ", renamed_from: Book")
        for command in ["plan", "run"] {
            let text = shop.sluice(command, shop.pipeline).output
            #expect(text.ranges(of: "~ entity Volume  was Book  (table books)\n").count == 1, "\(text)")
            #expect(!text.contains("source of books"), "\(text)")
        }
        let history = shop.sluice("history", "3").output
        #expect(history.ranges(of: "~ entity Volume  was Book  (table books)\n").count == 1, "\(history)")
    }
}
