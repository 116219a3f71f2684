import Testing

/// What is told of records that two streams of a pipeline give.
@Suite struct SharedTableReportTests {
    private func people() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: people
            source: {base_url: "file:."}
            merge: {precedence: [crm, billing]}
            entities:
              Person: {table: people, primary_key: [id], fields: {id: int, name: string, email: string, iban: string}}
            streams:
              - {name: crm, entity: Person, path: crm.json}
              - {name: billing, entity: Person, path: billing.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"Ada","email":"a1@x"},{"id":2,"name":"Bo","email":"b1@x"}]"#, to: "crm.json")
        try shop.write(#"[{"id":1,"email":"a1@bill","iban":"DE1"}]"#, to: "billing.json")
        return shop
    }

    @Test func aDisagreementThatTheOrderSettlesWasNeverOpen() throws {
        let shop = try people()
        let text = shop.sluice("run", shop.pipeline).output
        #expect(text.contains("2 inserted into people, which had no rows; 1 updated after that\n"), "\(text)")
        #expect(text.contains("1 disagreement of people settled by precedence: the first source's value stands\n"))
        #expect(!text.contains("no longer open"), "\(text)")
    }

    @Test func aValueThatTheOtherSourceGaveIsNotCalledEdited() throws {
        let shop = try people()
        _ = shop.sluice("run", shop.pipeline, "-q")
        let fresh = shop.sluice("inspect", "record", "Person", "1").output
        #expect(!fresh.contains("edited here") && !fresh.contains("not kept"), "\(fresh)")
        try shop.sql("UPDATE people SET name = 'Ada L.' WHERE id = 1")
        try shop.write(#"[{"id":1,"name":"Ada","email":"a2@x"},{"id":2,"name":"Bo","email":"b1@x"}]"#, to: "crm.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let text = shop.sluice("inspect", "record", "Person", "1").output
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("email") && $0.contains("run 2") && !$0.contains("from") }, "\(text)")
        #expect(
            lines.contains {
                $0.contains("email") && $0.hasSuffix(", from people/crm; this source says \"a1@bill\"")
            }, "\(text)")
        #expect(lines.filter { $0.contains("edited here") }.allSatisfy { $0.contains("name") }, "\(text)")
        #expect(text.contains("edited here; the source said \"Ada\"") && !text.contains("not kept"), "\(text)")
        let json = shop.sluice("inspect", "record", "Person", "1", "--format", "json").output
        #expect(
            json.contains(
                #"{"field":"email","value":"a2@x","base":"a1@bill","edited":false,"from":"people/crm","run":2}"#),
            "\(json)")
    }

    @Test func aHeadingSaysWhatTheConflictsAreAbout() throws {
        let shop = try people()
        try shop.make("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, email TEXT, iban TEXT)")
        try shop.sql("INSERT INTO people (id, name) VALUES (1, 'Adele')")
        let text = shop.sluice("run", shop.pipeline).output
        #expect(
            text.contains(
                "1 record in conflict in people: the table holds another value than the first that is known of the source\n"
            ),
            "\(text)")
    }

    @Test func aRowThatIsRestoredDidNotComeBackAtTheSource() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - {name: books, entity: Book, path: books.json, write_mode: replace}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("DELETE FROM books WHERE id = 2")
        let text = shop.sluice("run", shop.pipeline).output
        #expect(text.contains("+ Book 2  (gone from the table, restored: `write_mode: replace`)"), "\(text)")
    }

    @Test func aKindOfChangeThatIsNotListedIsCounted() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(
            #"[{"id":1,"title":"Eins"},{"id":2,"title":"Zwei"},{"id":3,"title":"Drei"},{"id":4,"title":null}]"#,
            to: "books.json")
        let text = shop.sluice("plan", shop.pipeline, "--changes", "2").output
        let parts = [
            "\n1 to insert into books, not listed\n", "\n2 to update in books\n", "… and 1 more change;",
            "\n1 not written",
        ]
        var rest = text[...]
        for part in parts {
            let found = rest.firstRange(of: part)
            #expect(found != nil, "\(part) in \(text)")
            rest = found.map { rest[$0.upperBound...] } ?? rest
        }
    }
}
