import SluiceCommands
import SluiceJSON
import Testing

/// `inspect schema` and `inspect drift` show what Swift models say.
@Suite struct InspectSwiftTests {
    private static let models = """
        import Foundation
        import Sluice

        @PersistentModel(entity: "Book", table: "books", names: .snakeCase)
        struct Volume {
            let id: Int
            var title: String
            @Attribute(.unique, json: "offer.price") var price: Decimal?
            var look: Look?
            @Attribute(storageMethod: .codable) var settings: Settings?
            @Relationship(inverse: .none, deleteRule: .nullify) var author: Ref<Models.Author>?
            @Relationship(inverse: "books", deleteRule: .deny, via: "books_tags") var tags: Refs<Tag>
            var origin = Origin()
        }

        @PersistentModel struct Author { let id: Int64 }

        @PersistentModel(unique: [["word", "language"]]) struct Tag {
            @Attribute(.identifier) let word: String
            @Attribute(.identifier) let language: String
            var since: Day?
        }

        """

    private func shop(_ models: String = models) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(models, to: "Models.swift")
        return shop
    }

    @Test func theTablesOfModelsAreShown() throws {
        let shop = try shop()
        let outcome = shop.run(["inspect", "schema", "--swift", "\(shop.folder)/Models.swift"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let file = "\(shop.folder)/Models.swift"
        #expect(
            outcome.output == """
                author  (Author in \(file):16)
                    id  int  key  id: Int64

                books  (Volume in \(file):5, entity Book)
                    id         int      key       id: Int
                    title      string   not null  title: String
                    price      decimal            price: Decimal?
                    look       own                look: Look?
                    settings   json               settings: Settings?
                    author_id  int                author: Ref<Models.Author>?
                    unique: price
                    author_id → author (id)  nullify, no inverse
                    tags → tag through books_tags  deny, inverse books

                tag  (Tag in \(file):18)
                    word      string  key 1  word: String
                    language  string  key 2  language: String
                    since     date           since: Day?
                    unique: word, language

                """, "\(outcome.output)")
    }

    @Test func programsReadTheSame() throws {
        let shop = try shop()
        let arguments = ["inspect", "schema", "--swift", shop.folder, "--entity", "Book", "--format", "json"]
        let root = try JSONDocument(shop.run(arguments).output).root
        #expect(root.member(named: "format")?.string == "sluice.schema/1")
        let tables = root.member(named: "tables")?.elements ?? []
        #expect(tables.map { $0.member(named: "table")?.string } == ["books"])
        let columns = tables.first?.member(named: "columns")?.elements ?? []
        #expect(columns.compactMap { $0.member(named: "property")?.string }.last == "author")
        #expect(
            columns.first { $0.member(named: "column")?.string == "price" }?.member(named: "json")?.string
                == "offer.price")
        let references = tables.first?.member(named: "references")?.elements ?? []
        #expect(references.map { $0.member(named: "through")?.string } == [nil, "books_tags"])
    }

    @Test(arguments: [
        (["--swift", "x", "--store", "sqlite:a.db"], 64, "`--store` says nothing"),
        (["--swift", "x", "--format", "mermaid"], 64, "draws the tables of a store"),
        (["--swift", "nowhere"], 1, "There is no `nowhere`"),
    ])
    func whatCannotBeIsRefused(options: [String], code: Int32, message: String) throws {
        let outcome = try Workshop().run(["inspect", "schema"] + options)
        #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func whatIsNoModelIsTold() throws {
        let shop = try shop(Self.models.replacing("struct Author", with: "class Author"))
        let outcome = shop.run(["inspect", "schema", "--swift", shop.folder])
        #expect(outcome.code == 0 && outcome.errors.contains("`Author` cannot be a model"), "\(outcome.errors)")
        let none = try self.shop("struct Plain {}\n")
        let empty = none.run(["inspect", "schema", "--swift", none.folder])
        #expect(empty.code == 1 && empty.errors.contains("There is no model in 1 Swift file"), "\(empty.errors)")
    }

    /// A shop whose books were read once, with their models.
    private func readShop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One","price":"1"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        let models = shop.run(["generate", "swift", shop.pipeline])
        try shop.write(models.output, to: "Models.swift")
        return shop
    }

    private func drift(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.sluice(
            ["inspect", "drift", shop.pipeline, "--offline", "--detailed-exitcode", "--swift", shop.folder] + options)
    }

    @Test func modelsThatAgreeDoNotDrift() throws {
        let shop = try readShop()
        let outcome = drift(shop)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.output.hasSuffix("\n  Nothing drifts.\n\nSwift models  (1 model in 1 file)\n  Nothing drifts.\n"),
            "\(outcome.output)")
    }

    @Test func modelsDriftFromPipelinesAndFromTables() throws {
        let shop = try readShop()
        let text = try shop.read("Models.swift").replacing("title: String", with: "title: Int")
            .replacing("    var origin", with: "    var shelfMark: String?\n    var origin")
        try shop.write(text, to: "Models.swift")
        let outcome = drift(shop)
        #expect(outcome.code == 2, "\(outcome.errors)")
        #expect(outcome.output.contains("error: Other type: `Book.title` has the type `Int`"), "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "    books.shelf_mark  not there; a program that opens the store adds it for `Book.shelfMark`\n"),
            "\(outcome.output)")
        let swift = try JSONDocument(drift(shop, "--format", "json").output).root.member(named: "swift")
        #expect(swift?.member(named: "drifts")?.boolean == true)
        let problems = swift?.member(named: "problems")?.elements ?? []
        #expect(problems.map { $0.member(named: "code")?.string } == ["swift_field_type"])
        let columns = swift?.member(named: "columns")?.elements ?? []
        #expect(columns.map { $0.member(named: "column")?.string } == ["shelf_mark"])
        // Once the table has it, it is no drift; that no pipeline fills it is the program's business.
        try shop.sql("ALTER TABLE books ADD COLUMN shelf_mark TEXT")
        try shop.write(text.replacing("title: Int", with: "title: String"), to: "Models.swift")
        #expect(drift(shop).code == 0)
    }
}
