import SluiceSQLite
import Testing

@Suite struct InspectDriftTests {
    /// A shop whose books were read once.
    private func makeShop(_ book: String = #"{"id":1,"title":"One","price":"1"}"#) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write("[\(book)]", to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        return shop
    }

    private func drift(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.sluice(["inspect", "drift", shop.pipeline, "--detailed-exitcode"] + options)
    }

    @Test func whereNothingDriftsThatIsSaid() throws {
        let shop = try makeShop()
        for options in [[], ["--offline"]] {
            let outcome = shop.sluice(["inspect", "drift", shop.pipeline, "--detailed-exitcode"] + options)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.hasSuffix("\n  Nothing drifts.\n"), "\(outcome.output)")
        }
    }

    /// A run refuses a record for the first of its fields that does not fit.
    @Test func eachFieldThatDoesNotFitIsTold() throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, n: int, m: int, e: {type: enum, values: [a]}}")
        try shop.write(
            #"[{"id":1,"n":"x","m":"y","e":"a"},{"id":2,"n":"z","m":4,"e":"b"},{"id":3,"n":5,"m":6,"e":"a"}]"#,
            to: "books.json")
        let outcome = drift(shop)
        for (field, count) in [("n", 2), ("m", 1), ("e", 1)] {
            let line = outcome.output.split(separator: "\n").first { $0.contains(" /\(field) ") }
            #expect(line?.contains("\(count) record") == true, "\(field): \(outcome.output)\(outcome.errors)")
        }
    }

    @Test func columnsOfPeopleAreListedAndAreNoDrift() throws {
        let shop = try makeShop()
        try shop.sql("ALTER TABLE books ADD COLUMN note TEXT")
        let outcome = drift(shop)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("  Your own columns:\n    books.note  TEXT\n"), "\(outcome.output)")
    }

    @Test(arguments: [
        (
            "fields: {id: int, title: int, price: decimal}",
            "books.title  TEXT  1 value cannot become INTEGER, so the next run refuses the type"
        ),
        ("fields: {id: int, title: string, price: int}", "books.price  TEXT  becomes INTEGER in the next run"),
        (
            "fields: {id: int, title: string}",
            "books.price  TEXT  left by the field `price`, which the pipeline no longer has"
        ),
        (
            "fields: {id: int, title: string, price: decimal, isbn: string}",
            "books.isbn  not there; the next run adds it for the field `isbn` if that is new"
        ),
        (
            "fields: {id: int, title: string, cost: {from: price, type: decimal, renamed_from: price}}",
            "books.price  TEXT  the next run renames it to `cost`"
        ),
        (
            "fields: {id: int, title: string, price: {type: decimal, column: cost}}",
            "books.price  TEXT  the next run renames it to `cost`"
        ),
    ])
    func columnsThatDifferFromThePipelineAreTold(_ fields: String, _ line: String) throws {
        let shop = try makeShop()
        try shop.writePipeline(book: fields)
        let outcome = drift(shop, "--offline")
        #expect(outcome.code == 2, "\(outcome.errors)")
        #expect(outcome.output.contains("    \(line)\n"), "\(outcome.output)")
    }

    @Test func aKeyThatADroppedFieldTookIsNotNew() throws {
        let shop = try makeShop(#"{"id":1,"title":"One","price":"1"}"#)
        try shop.writePipeline(book: "fields: {id: int, title: string}")
        try shop.write(#"[{"id":1,"title":"One","price":"1","isbn":"9"}]"#, to: "books.json")
        let lines = drift(shop).output.split(separator: "\n").filter { $0.contains(" in 1 of 1 record") }
        let words = Set(lines.map { $0.split(separator: " ").prefix(2).last.map(String.init) ?? "" })
        #expect(words == ["price", "isbn"], "\(lines)")
        for line in lines { #expect(line.contains("  new  ") == line.contains("isbn"), "\(line)") }
        let json = drift(shop, "--format", "json").output
        #expect(json.matches(of: #/"remembered":true/#).count == 1, "\(json)")
    }

    /// What people write into a table is looked at by the rules of each type.
    @Test(arguments: [
        ("decimal", "1.5", ["'n/a'", "'1,5'", "'007'", "''"]), ("decimal", "-1e-7", []),
        (
            "uuid", "550e8400-e29b-41d4-a716-446655440000",
            ["'z'", "'550E8400-E29B-41D4-A716-446655440000'", "'550e8400e29b41d4a716446655440000'"]
        ),
        ("url", "https://example.com/a?b=c", ["'not a url'", "'example.com'", "'https://example.com/a b'"]),
        ("url", "mailto:ada@example.com", []), ("datetime", "2026-01-01T00:00:00Z", ["'y'"]),
    ])
    func valuesThatPeopleWroteAndThatDoNotFitAreTold(_ type: String, _ good: String, _ wrong: [String]) throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, it: \(type)}")
        try shop.write(#"[{"id":1,"it":"\#(good)"},{"id":2,"it":null}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(drift(shop).code == 0, "\(drift(shop).output)")
        for value in wrong {
            try shop.sql("UPDATE books SET it = \(value) WHERE id = 1")
            let outcome = drift(shop)
            #expect(outcome.code == 2 && outcome.output.contains("1 row"), "\(value): \(outcome.output)")
        }
    }

    @Test func aColumnThatTakesNoNullAndNothingFillsIsDrift() throws {
        let shop = try makeShop()
        try shop.sql("ALTER TABLE books ADD COLUMN shelf INTEGER NOT NULL DEFAULT 0")
        #expect(drift(shop).code == 0)
        try shop.sql(
            """
            DROP VIEW IF EXISTS conflicts_books; ALTER TABLE books RENAME TO old;
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, price TEXT, shelf INTEGER NOT NULL);
            INSERT INTO books SELECT * FROM old; DROP TABLE old
            """)
        let outcome = drift(shop)
        #expect(outcome.code == 2)
        #expect(outcome.output.contains("books.shelf  INTEGER  not null, and no field fills it"), "\(outcome.output)")
    }

    @Test func aTableThatIsGoneIsDriftAndOneThatWasNeverMadeIsNone() throws {
        let shop = try makeShop()
        try shop.sql("DROP VIEW IF EXISTS conflicts_books; DROP TABLE books")
        #expect(drift(shop).output.contains("    books  the table is not there\n"), "\(drift(shop).output)")
        let other = try Workshop()
        try other.writePipeline()
        try other.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let outcome = drift(other)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("no run has written to the store yet"), "\(outcome.output)")
        #expect(!other.files.contains("shop.db"))
    }

    @Test func keysThatAFieldTakesByNowAreNotRemembered() throws {
        let shop = try makeShop(#"{"id":1,"title":"One","price":"1","isbn":"978"}"#)
        #expect(drift(shop, "--offline").output.contains("books  isbn  met by earlier runs"))
        try shop.writePipeline(book: "fields: {id: int, title: string, price: decimal, isbn: string}")
        #expect(!drift(shop, "--offline").output.contains("Keys"))
    }

    @Test func streamsThatIgnoreKeysAreLeftAlone() throws {
        let shop = try makeShop(#"{"id":1,"title":"One","price":"1","isbn":"978"}"#)
        let text = try shop.read("shop.yaml")
            .replacing("path: books.json", with: "path: books.json, schema_contract: {fields: ignore}")
        try shop.write(text, to: "shop.yaml")
        let outcome = drift(shop)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("keys ignored"), "\(outcome.output)")
    }

    @Test func aContractThatForbidsKeysDoesNotEndTheReading() throws {
        let shop = try makeShop()
        let text = try shop.read("shop.yaml")
            .replacing("path: books.json", with: "path: books.json, schema_contract: {fields: freeze, types: fail}")
        try shop.write(text, to: "shop.yaml")
        try shop.write(#"[{"id":1,"isbn":1,"title":true},{"id":2,"isbn":null,"ean":[]}]"#, to: "books.json")
        let outcome = drift(shop)
        #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
        for line in ["isbn", "ean", "/title"] { #expect(outcome.output.contains(line), "\(outcome.output)") }
    }

    @Test func aSourceThatCannotBeReadHidesNothingElse() throws {
        let shop = try makeShop()
        try shop.write("[{", to: "books.json")
        try shop.sql("ALTER TABLE books ADD COLUMN note TEXT")
        let outcome = drift(shop)
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("error: books:"), "\(outcome.output)")
        #expect(outcome.output.contains("books.note"), "\(outcome.output)")
        let json = drift(shop, "--format", "json")
        #expect(json.output.contains(#""read":"failed""#), "\(json.output)")
    }

    @Test func hostileNamesAndValuesAreHarmless() throws {
        let shop = try makeShop()
        try shop.sql(#"ALTER TABLE books ADD COLUMN "a""b; DROP TABLE books; --" TEXT"#)
        try shop.write(#"[{"id":1,"title":"One","a\u001b[31m\"'b":"\u001b[2J"}]"#, to: "books.json")
        let outcome = drift(shop)
        #expect(outcome.code == 2, "\(outcome.errors)")
        #expect(!outcome.output.contains("\u{1B}"), "\(outcome.output)")
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(1))
    }
}
