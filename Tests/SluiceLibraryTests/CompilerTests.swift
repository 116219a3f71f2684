import Foundation
import TestSupport
import Testing

/// The compiler that built these tests, or another one.
enum Toolchain {
    static let compiler: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/swiftc" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// Compiles a program that uses the library as it was built for these tests.
    ///
    /// - Parameters:
    ///   - source: A file of Swift.
    ///   - options: What the compiler is told besides.
    /// - Returns: What the compiler says, and how it ends.
    /// - Throws: Where it cannot be started.
    static func compile(_ source: String, _ options: [String] = []) throws -> (told: String, status: Int32) {
        let folder = try TemporaryDirectory()
        let file = folder.path + "/program.swift"
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
        let built = MacroPluginTests.built.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(compiler))
        process.arguments =
            ["-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6", "-I", "\(built)/Modules"]
            + (try moduleMaps(built)).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            + ["-load-plugin-executable", "\(built)/SluiceMacros-tool#SluiceMacros"] + options + [file]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (told, process.terminationStatus)
    }

    /// The maps of the C modules: written by hand, or made by the build where a module has sources.
    private static func moduleMaps(_ built: String) throws -> [String] {
        let sources = #filePath.components(separatedBy: "/Tests/")[0] + "/Sources"
        return try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasPrefix("CSluice") }.sorted()
            .compactMap { name in
                ["\(sources)/\(name)/module.modulemap", "\(built)/\(name).build/module.modulemap"].first {
                    FileManager.default.fileExists(atPath: $0)
                }
            }
    }
}

/// What the compiler says of programs that use the library, in the words of the plugin and of declarations.
@Suite(.enabled(if: Toolchain.compiler != nil, "there is no compiler"))
struct CompilerTests {
    private static let book = "@PersistentModel struct Book { let id: Int; var title: String }"
    private static let author = """
        @PersistentModel struct Author {
            let id: Int
            @Relationship(inverse: .none, deleteRule: .nullify) var next: Ref<Author>?
            @Relationship(inverse: .none, deleteRule: .nullify) var tags: Refs<Author>
        }
        """

    /// A program, and a part of the first thing that the compiler says of it; empty where it says nothing.
    static let programs: [(source: String, says: String)] = [
        (book, ""),
        // Paths have the access of their properties, members that of their type.
        (
            """
            @PersistentModel public struct Book {
                public let id: Int
                private var secret: Int?
                public var title: String
                var looksAtItself: Bool { Book.path.secret.raw == "secret" }
            }
            """, ""
        ),
        ("@PersistentModel private struct Book { let id: Int; private var secret: Int? }", ""),
        // What the author wrote is not written again.
        (
            """
            @PersistentModel struct Book {
                let id: Int
                @Relationship(inverse: .none, deleteRule: .nullify) var tags: Refs<Book>
                func tagsCount(in reader: Reader) throws -> Int { 7 }
                func addToTags(_ value: Book, in tx: Transaction) throws {}
                func count(_ tx: Transaction) throws -> Int {
                    try removeFromTags(self, in: tx)
                    try addToTags(self, in: tx)
                    return try tagsCount(in: tx)
                }
            }
            """, ""
        ),
        // Problems stand at the user's line.
        (
            "let trait = AttributeTrait.unique\n@PersistentModel struct Book {\n    let id: Int\n    @Attribute(trait) var title: String\n}",
            "5:16: error: @Attribute: a trait is `.identifier`, `.generated`, `.unique` or `.indexed`, as a literal"
        ),
        (
            "let flag = false\n@StoreActor(initializer: flag) actor Library {}",
            "3:26: error: `initializer` must be true or false, as a literal"
        ),
        ("@PersistentModel class Book { let id = 1 }", "2:24: error: @PersistentModel is for structs"),
        (
            "@PersistentModel struct Book {\n    let id = 1\n}",
            "3:9: error: @PersistentModel: a constant with an initial value cannot be read back"
        ),
        (
            "@PersistentModel struct Book {\n    let id: Int\n    @Attribute(.unique) var title: String { \"\" }\n}",
            "4:5: error: @Attribute is for stored properties; `title` is computed"
        ),
        (
            "struct Book {\n    let id: Int\n    @Attribute(.unique) var title: String\n}",
            "4:5: error: @Attribute is for properties of structs with @PersistentModel"
        ),
        ("struct Odd {}\n@PersistentModel struct Book { let id: Int; var odd: Odd }", "this type has no column"),
        (
            "struct Odd {}\n@PersistentModel struct Book { let id: Int; @Attribute(storageMethod: .raw) var odd: Odd? }",
            "`.raw` is for types whose raw value has a column"
        ),
        (
            "struct Odd {}\n@PersistentModel struct Book { let id: Int; @Attribute(storageMethod: .codable) var odd: Odd }",
            "`.codable` is for types that conform to `Codable`"
        ),
        ("@StoreActor class Library {}", "2:19: error: @StoreActor is for actors"),
        // What belongs to a transaction stays there.
        (
            "\(book)\nfunc f(_ store: Store) async throws { let tx = try await store.write { $0 }; _ = tx }",
            "3:64: error: conformance of 'Reader' to 'Sendable' is unavailable"
        ),
        (
            "\(book)\nfunc f(_ store: Store) async throws { try await store.write { tx in Task { try tx.count(Book.all) }; return } }",
            "3:69: error: passing closure as a 'sending' parameter risks causing data races"
        ),
        (
            "\(book)\nfunc f(_ store: Store) async throws { try await store.write { tx in try await store.fetch(Book.all); return } }",
            "3:61: error: cannot pass function of type '@Sendable (Transaction) async throws -> ()' to parameter expecting synchronous"
        ),
        (
            "\(book)\nfunc f(_ store: Store) async throws { var count = 0; try await store.write { _ in count += 1 } }",
            "3:83: error: mutation of captured var 'count' in concurrently-executing code"
        ),
        // Paths say what a model has, and of which type.
        (
            "\(book)\nlet q = Book.where { $0.titel == \"Dune\" }",
            "3:25: error: value of type 'Book.Paths' has no member 'titel'"
        ),
        ("\(book)\nlet q = Book.order(by: \\.titel)", "3:24: error: value of type 'Book.Paths' has no member 'titel'"),
        (
            "\(book)\nlet q = Book.where { $0.title == 3 }",
            "3:25: error: cannot convert value of type 'Path<Book, String>'"
        ),
        (
            "\(book)\nlet q = Book.path.title.set(3)",
            "3:29: error: cannot convert value of type 'Int' to expected argument type 'String'"
        ),
        (
            "\(book)\nlet q = Book.select { $0.title.sum() }",
            "referencing instance method 'sum()' on 'Path' requires that 'String' conform to 'StoredNumber'"
        ),
        (
            "\(author)\nlet q = Author.where { $0.next.nme == 1 }",
            "value of type 'ToOnePath<Author, Author>' has no dynamic member 'nme'"
        ),
        (
            "\(author)\nlet q = Author.order(by: \\.tags)",
            "cannot convert value of type 'KeyPath<Author.Paths, ToManyPath<Author, Author>>'"
        ),
        (
            "\(author)\n\(book)\nlet q = Book.order(by: \\Author.Paths.id)",
            "cannot convert value of type 'KeyPath<Author.Paths, Path<Author, Int>>'"
        ),
        // What is no list, no path, no number or nothing to bring along is said where it stands.
        (
            "\(author)\nlet q = Author.where { $0.next.in(Author.where { $0.id > 1 }) }",
            "7:32: error: 'in' is unavailable: `in` takes a list: say what holds of the other record by a path"
        ),
        (
            "\(author)\nlet q = Author.where { $0.id.in(Author.select { $0.id }) }",
            "7:30: error: 'in' is unavailable: `in` takes a list: say what holds of the other record by a path"
        ),
        (
            "\(author)\nlet q = Author.where { $0.next.in([\"a\"]) }",
            "7:36: error: cannot convert value of type 'String' to expected element type 'Author.Identifier' (aka 'Int')"
        ),
        (
            "\(author)\nlet q = Author.group(by: { ($0.id, $0.nxt) }) { $0.count() }",
            "error: value of type 'Author.Paths' has no member 'nxt'"
        ),
        (
            "\(author)\nlet q = Author.group(by: { ($0.id, $0.next) }) { $0.count() }",
            "7:16: warning: 'group(by:_:)' is deprecated: group by properties, or what is computed of them: `$0.author.id` of a reference"
        ),
        (
            "\(author)\nlet q = Author.group(by: \\.next) { $0.count() }",
            "7:16: error: 'group(by:_:)' is unavailable: group by a property of what the reference leads to"
        ),
        (
            "@PersistentModel struct Shelf { let id: Int\n@Relationship(inverse: .none, deleteRule: .cascade) var books: [Book] }\n\(book)\nlet q = Shelf.select { $0.books.sum { $0.title } }",
            "5:33: error: 'sum' is unavailable: numbers are summed, and this is none"
        ),
        (
            "\(author)\nlet q = Author.select { $0.tags.sum { $0.next } }",
            "7:33: error: 'sum' is unavailable: numbers are summed, and this is none"
        ),
        (
            "\(author)\nlet q = Author.select { $0.tags.average { $0.tags } }",
            "7:33: error: 'average' is unavailable: numbers have an average, and this is none"
        ),
        (
            "\(author)\nlet q = Author.select { $0.tags.sum { $0.nme } }",
            "7:42: error: value of type 'Author.Paths' has no member 'nme'"
        ),
        (
            "\(author)\nlet q = Author.order(by: \\.next, .descending)",
            "7:16: error: 'order(by:_:)' is unavailable: order by a property of what the reference leads to"
        ),
        (
            "@PersistentModel struct Shelf { let id: Int\n@Relationship(inverse: .none, deleteRule: .cascade) var books: [Book] }\n\(book)\nlet q = Shelf.including(\\.books)",
            "5:15: error: 'including' is unavailable: records by value are read with their owner: there is nothing to include"
        ),
        (
            "@PersistentModel struct Shelf { let id: Int\n@Relationship(inverse: .none, deleteRule: .nullify) var first: Book? }\n\(book)\nlet q = Shelf.all.including(\\.first)",
            "5:19: error: 'including' is unavailable: records by value are read with their owner: there is nothing to include"
        ),
        (
            "\(book)\nfunc f(_ store: Store) async throws { try await store.insert([Book(id: 1, title: \"a\")]) }",
            "3:55: error: 'insert' is unavailable: records take what the store gives them: keep them in a variable, and write `insert(&records)`"
        ),
        (
            "\(book)\nfunc f(_ store: Store) async throws { try await store.write { tx in try tx.insert(Book(id: 1, title: \"a\")) } }",
            "3:76: error: 'insert' is unavailable: a record takes what the store gives it: keep it in a variable, and write `insert(&record)`"
        ),
        // The main function belongs to the main actor, and what looks at records does not.
        (
            """
            \(book)
            @main enum Program {
                static func main() async throws {
                    let store = try Store.temporary(Book.self)
                    try await store.sync(Book.self, from: "[]", .init(source: "s")) { book in
                        book.title.isEmpty ? .skip : .keep
                    }
                }
            }
            """, "error: sending value of non-Sendable type"
        ),
        (
            """
            \(book)
            @main enum Program {
                static func main() async throws {
                    let store = try Store.temporary(Book.self)
                    try await store.sync(Book.self, from: "[]", .init(source: "s")) { @Sendable book in
                        book.title.isEmpty ? .skip : .keep
                    }
                }
            }
            """, ""
        ),
        // A record without an identifier is not saved again.
        (
            """
            @PersistentModel(identifier: .none) struct Fact { var title: String }
            func f(_ store: Store) async throws {
                var fact = Fact(title: "a")
                try await store.save(&fact)
            }
            """, "5:21: warning: 'save(_:overwriting:)' is deprecated: a record without an identifier is inserted"
        ),
    ]

    /// Properties of types that have no column.
    static let odd = [
        "var odd: Odd", "var odd: Odd?", "var odd: Odd? = nil", "let odd: Odd", "var odd: [Odd] = []",
        "@Attribute(.unique) var odd: Own<Int>", "@Attribute(json: \"a.b\") var odd: [Odd]?",
    ]

    /// A type that cannot be stored is one error, which says what to do; whoever reads it himself is told where it is written.
    @Test(arguments: odd, ["", "init(unboxing row: borrowing Row<Book>) throws(UnboxError) { fatalError() }"])
    func saysOnceThatATypeHasNoColumn(property: String, own: String) throws {
        let source =
            "import Sluice\nstruct Odd {}\nstruct Own<Value> {}\n@PersistentModel struct Book { let id: Int; \(property)\n\(own) }\n"
        let (told, _) = try Toolchain.compile(source)
        let errors = told.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(errors.allSatisfy { $0.contains("this type has no column") }, "\(told)")
        // What it is at first is written as well.
        let places = property.contains("= []") && !own.isEmpty ? 2 : 1
        #expect(errors.count == places, "\(told)")
    }

    /// References to records that no single property identifies, by the model's identifiers.
    static let unidentified: [(model: String, property: String)] = [
        (
            "@PersistentModel struct Shelf { @Attribute(.identifier) let hall: Int; @Attribute(.identifier) let place: Int }",
            "Ref<Shelf>"
        ),
        (
            "@PersistentModel struct Shelf { @Attribute(.identifier) let hall: Int; @Attribute(.identifier) let place: Int }",
            "Ref<Shelf>?"
        ),
        ("@PersistentModel(identifier: .none) struct Shelf { let hall: Int }", "Ref<Shelf>?"),
    ]

    /// A reference that no column can be is one error, which says why.
    @Test(
        arguments: unidentified.indices,
        ["", "init(unboxing row: borrowing Row<Book>) throws(UnboxError) { fatalError() }"])
    func saysWhyAReferenceHasNoColumn(_ index: Int, own: String) throws {
        let (model, type) = Self.unidentified[index]
        let (told, _) = try Toolchain.compile(
            "import Sluice\n\(model)\n@PersistentModel struct Book { let id: Int\n@Relationship(inverse: .none, deleteRule: .nullify) var shelf: \(type)\n\(own) }\n"
        )
        let errors = told.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(
            errors.count == 1 && errors[0].contains("no single property identifies records of that model"), "\(told)")
    }

    /// Properties of which the macro knows that no column holds their type, and the column where that stands.
    static let collections: [(property: String, column: Int)] = [
        ("var odd: [Int: String] = [:]", 14), ("var odd: [String: Int]", 14), ("var odd: [String]", 14),
        ("var odd: [[UInt8]]?", 14), ("@Attribute(.unique) var odd: Set<Int>", 34),
        ("var odd: Dictionary<Int, Int>?", 14),
        ("@Attribute(check: .pattern(\"[a\")) var odd: String", 23), ("@Attribute(json: \"a[\") var odd: String", 22),
        ("@Relationship(inverse: .none, deleteRule: .nullify, json: \"a..\") var odd: Refs<Other>", 63),
        ("var odd: (Int, Int)", 9), ("var odd: () -> Void", 9),
    ]

    /// What the macro knows stands where the user wrote it, and nothing is said of what the macro would have written.
    @Test(arguments: collections.indices) func saysItWhereTheUserWroteIt(_ index: Int) throws {
        let (property, column) = Self.collections[index]
        let (told, _) = try Toolchain.compile(
            "import Sluice\n@PersistentModel struct Book {\n    let id: Int\n    \(property)\n}\n@PersistentModel struct Other { let id: Int }\n"
        )
        let errors = told.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(errors.count == 1 && errors[0].contains("program.swift:4:\(column): error: @"), "\(told)")
    }

    @Test(arguments: programs.indices) func saysWhatIsWrong(_ index: Int) throws {
        let (source, says) = Self.programs[index]
        let (told, status) = try Toolchain.compile("import Sluice\n\(source)\n")
        let lines = told.split(separator: "\n").filter { $0.contains(": error: ") || $0.contains(": warning: ") }
        if says.isEmpty {
            #expect(lines.isEmpty && status == 0, "\(told)")
        } else {
            #expect(lines.contains { $0.contains(says) }, "\(told)")
        }
    }

    /// Programs of which all belongs to the main actor, unless they say otherwise, and a part of what the compiler says; empty where it
    /// says nothing.
    static let mainActorPrograms: [(name: String, source: String, says: String)] = [
        (
            "models and calls",
            """
            import Foundation
            enum Kind: String, StoredValue { case novel, essay }
            enum Mood: String { case calm, wild }
            nonisolated struct Settings: Codable { var retries = 0 }
            @Composition struct Place { var lat: Double; var name: String? }
            @PersistentModel struct Author {
                let id: Int
                var name: String
                @Relationship(inverse: "author", deleteRule: .cascade) var books: Refs<Book>
            }
            @PersistentModel struct Line { let id: Int; var text: String }
            @PersistentModel struct Tag { @Attribute(.identifier) let word: String }
            @PersistentModel(unique: [["title", "pages"]], names: .snakeCase) struct Book {
                let id: Int
                @Attribute(check: .length(1...20)) var title: String
                var pages = 0
                var kind: Kind?
                var price: Decimal?
                @Attribute(storageMethod: .raw) var mood: Mood?
                @Attribute(storageMethod: .codable) var settings: Settings?
                @Attribute(storageMethod: .composition) var place: Place?
                @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<Author>?
                @Relationship(inverse: .none, deleteRule: .nullify) var tags: Refs<Tag>
                @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [Line]
                var origin = Origin()
            }
            func work(_ path: String) async throws {
                let store = try Store(path, models: Book.self, Author.self)
                var book = Book(id: 1, title: "Dune", kind: .novel, tags: [], lines: [Line(id: 1, text: "a")])
                try await store.save(&book)
                try await store.update(Book.self, 1) { $0.title = "Ubik" }
                try await store.write { tx in
                    var author = Author(id: 1, name: "Frank", books: [])
                    try tx.save(&author)
                    _ = try author.books.load(in: tx)
                }
                let titles = try await store.fetch(
                    Book.where { $0.pages > 3 && $0.author.name == "Frank" && $0.tags.any { $0.word == "sf" } }
                        .order(by: \\.title)
                ).map(\\.title)
                print(titles, try await store.read { try $0.count(Book.all) })
                _ = try await store.fetch(Book.group(by: \\.kind) { ($0.kind, $0.count(), $0.price.sum()) })
                try await store.sync(Book.self, from: "[]", .init(source: "shop"))
                try await store.sync(Book.self, from: "[]", .init(source: "shop")) { @Sendable book in
                    book.title.isEmpty ? .skip : .keep
                }
                for try await books in store.values(Book.all) { print(books.count) }
            }
            @MainStoreActor final class Window {
                var titles: [String] { get throws { try read { try $0.fetch(Book.order(by: \\.title)).map(\\.title) } } }
            }
            """, ""
        ),
        (
            "values kept as JSON",
            """
            struct Settings: Codable { var retries = 0 }
            @PersistentModel struct Book { let id: Int; @Attribute(storageMethod: .codable) var settings: Settings? }
            """,
            "error: main actor-isolated conformance of 'Settings' to 'Encodable' cannot be used in nonisolated context"
        ),
        (
            "a closure that looks at records",
            """
            @PersistentModel struct Book { let id: Int; var title: String }
            func work(_ store: Store) async throws {
                try await store.sync(Book.self, from: "[]", .init(source: "shop")) { book in book.title.isEmpty ? .skip : .keep }
            }
            """, "error: sending value of non-Sendable type"
        ),
    ]

    @Test(arguments: mainActorPrograms.indices) func takesProgramsOfTheMainActor(_ index: Int) throws {
        let (name, source, says) = Self.mainActorPrograms[index]
        let (told, status) = try Toolchain.compile("import Sluice\n\(source)\n", ["-default-isolation", "MainActor"])
        let lines = told.split(separator: "\n").filter { $0.contains(": error: ") || $0.contains(": warning: ") }
        if says.isEmpty {
            #expect(lines.isEmpty && status == 0, "\(name): \(told)")
        } else {
            #expect(lines.contains { $0.contains(says) }, "\(name): \(told)")
        }
    }
}
