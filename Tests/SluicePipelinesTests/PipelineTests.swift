import Foundation
import Sluice
import SluicePipelines
import TestSupport
import Testing

/// Pipeline files that a program runs over its own store.
struct PipelineTests {
    private let folder: TemporaryDirectory
    private var file: String { folder.path + "/books.yaml" }

    init() throws {
        folder = try TemporaryDirectory()
        try write(
            "books.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: {type: string, required: true}, price: decimal}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        try source([(1, "Dune", "12.50"), (2, "Emma", "8")])
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    private func source(_ books: [(id: Int, title: String, price: String)]) throws {
        let records = books.map { #"{"id": \#($0.id), "title": "\#($0.title)", "price": "\#($0.price)"}"# }
        try write("books.json", "[\(records.joined(separator: ","))]")
    }

    private func store() throws -> Store { try Store(folder.path + "/shop.db", models: Book.self) }

    @Test func fillsTheTableOfAModel() async throws {
        let store = try store()
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        #expect(pipeline.name == "shop" && pipeline.streams == ["books"])
        let plan = try await store.plan(pipeline)
        #expect(plan.status == .succeeded && plan.run == nil && plan.summary == SyncSummary(insert: 2))
        #expect(try await store.count(Book.all) == 0)
        let report = try await store.run(pipeline)
        #expect(report.status == .succeeded && report.summary == SyncSummary(insert: 2), "\(report.problems)")
        #expect(report.streams.map(\.name) == ["books"])
        #expect(try await store.find(Book.self, 1).price == Decimal(string: "12.50"))
        #expect(try await store.run(pipeline).summary == SyncSummary(unchanged: 2))
    }

    /// What the program changes is an edit, and both sides together are a conflict; run, history and undo are one.
    @Test func mergesWithWhatTheProgramChanges() async throws {
        let store = try store()
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        try await store.run(pipeline)
        try await store.update(Book.self, 1) { $0.title = "Dune (1965)" }
        try source([(1, "Dune", "13.90"), (2, "Emma", "8")])
        #expect(try await store.run(pipeline).summary == SyncSummary(update: 1, unchanged: 1))
        let book = try await store.find(Book.self, 1)
        #expect(book.title == "Dune (1965)" && book.price == Decimal(string: "13.90"))
        try source([(1, "Dune, a novel", "13.90"), (2, "Emma", "8")])
        #expect(try await store.run(pipeline).summary.conflict == 1)
        let conflict = try #require(try await store.conflicts(of: Book.self).first)
        #expect(try conflict.sides(\.title)?.remote == "Dune, a novel")
        #expect(conflict.source == Source(pipeline: "shop", stream: "books"))
        // The same source by the program's own hand goes on from what the pipeline knows.
        let json = #"[{"id": 1, "title": "Dune, a novel", "price": "13.90"}, {"id": 2, "title": "Emma", "price": "8"}]"#
        let own = try await store.sync(Book.self, from: json, .init(source: Source(pipeline: "shop", stream: "books")))
        #expect(own.summary.insert == 0 && own.summary.update == 0)
        let run = try #require(try await store.history(limit: 4).first { $0.summary.update == 1 })
        try await store.undo(run: run.id)
        #expect(try await store.find(Book.self, 1).price == Decimal(string: "12.50"))
    }

    /// Other programs wait for the pipeline, and the store is written to meanwhile.
    @Test func locksThePipeline() async throws {
        let store = try store()
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        let reports = try await withThrowingTaskGroup(of: PipelineReport.self) { group -> [PipelineReport] in
            for _ in 0..<4 { group.addTask { try await store.run(pipeline) } }
            for id in 10..<20 {
                var book = Book(id: id, title: "own", price: nil)
                try await store.save(&book)
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.contains { $0.status == .succeeded })
        #expect(reports.allSatisfy { $0.status == .succeeded || $0.status == .locked }, "\(reports.map(\.status))")
        #expect(try await store.count(Book.all) == 12)
    }

    @Test func tellsWhoWatches() async throws {
        let store = try store()
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        var changes = store.changes(Book.self).makeAsyncIterator()
        let report = try await store.run(pipeline)
        let change = try #require(try await changes.next())
        let run = try #require(report.run)
        #expect(change.keys(of: Book.self) == [1, 2] && change.runs == [run])
        // A run that changes nothing is not told, nor is one that fails.
        try await store.run(pipeline)
        try write("books.json", "[{")
        #expect(try await store.run(pipeline).status == .failed)
        try await store.update(Book.self, 2) { $0.title = "Emma, a novel" }
        // On a busy machine a commit may be seen before it is known whose it was: then nobody knows the keys.
        let keys = try #require(try await changes.next()).keys(of: Book.self)
        #expect(keys == nil || keys == [2])
    }

    /// A run keeps what a model's reference needs, and lets go of one that is optional, though no source fills these tables.
    @Test func keepsWhatModelsNeed() async throws {
        let yaml = try String(contentsOfFile: file, encoding: .utf8)
        try write(
            "books.yaml",
            yaml.replacing("path: books.json", with: "path: books.json, delete_missing: {mode: hard, max_delete: 100%}")
        )
        let store = try Store(folder.path + "/shop.db", models: Book.self, Lending.self, Wish.self)
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        try await store.run(pipeline)
        try await store.write { tx in
            var lending = Lending(id: 5, book: Ref(1))
            try tx.insert(&lending)
            var wish = Wish(id: 6, book: Ref(2))
            try tx.insert(&wish)
        }
        try source([(3, "Ubik", "9")])
        let report = try await store.run(pipeline)
        #expect(report.summary == SyncSummary(insert: 1, delete: 1, deleteRefused: 1), "\(report.problems)")
        #expect(report.problems.contains { $0.code == "delete_needed" && $0.stream == "books" })
        #expect(try await store.fetch(Book.order(by: \.id)).map(\.id) == [1, 3])
        #expect(try await store.fetch(Lending.all).map(\.book) == [Ref(1)])
        #expect(try await store.fetch(Wish.all).map(\.book) == [nil])
    }

    // MARK: Pages that the program has

    /// The pipeline and the program are one source: what the one brought is nothing new to the other.
    @Test func mergesPagesOfTheProgram() async throws {
        let store = try store()
        let stream = try Pipeline(contentsOf: file, models: Book.self).stream("books")
        #expect(stream.name == "books")
        let pages = [
            #"[{"id": 1, "title": "Dune", "price": "12.50"}, {"id": "x"}]"#,
            #"[{"id": 2, "title": "Emma", "price": "8"}]"#,
        ].map { Array($0.utf8) }
        let plan = try await stream.plan(pages: pages, in: store)
        #expect(plan.run == nil && plan.summary == SyncSummary(insert: 2, quarantined: 1))
        let report = try await stream.sync(pages: pages, in: store)
        #expect(report.summary == SyncSummary(insert: 2, quarantined: 1) && report.run != nil, "\(report.problems)")
        #expect(try await store.quarantine(of: Book.self).count == 1)
        let pipeline = try Pipeline(contentsOf: file, models: Book.self)
        #expect(try await store.run(pipeline).summary == SyncSummary(unchanged: 2))
        try await store.update(Book.self, 1) { $0.title = "ours" }
        let news = try await stream.sync(#"[{"id": 1, "title": "Dune", "price": "13"}]"#, in: store)
        #expect(news.summary == SyncSummary(update: 1))
        let book = try await store.find(Book.self, 1)
        #expect(book.title == "ours" && book.price == 13)
        try await store.undo(run: try #require(news.run))
        #expect(try await store.find(Book.self, 1).price == Decimal(string: "12.50"))
    }

    /// What is missing in pages is gone where the program says that they are all there are.
    @Test func deletesWhereThePagesAreAll() async throws {
        let yaml = try String(contentsOfFile: file, encoding: .utf8)
        try write(
            "books.yaml",
            yaml.replacing("path: books.json", with: "path: books.json, delete_missing: {mode: hard, max_delete: 90%}"))
        let store = try store()
        let stream = try Pipeline(contentsOf: file, models: Book.self).stream("books")
        try await stream.sync(#"[{"id": 1, "title": "Dune"}, {"id": 2, "title": "Emma"}]"#, areAll: true, in: store)
        let part = try await stream.sync(#"[{"id": 1, "title": "Dune"}]"#, in: store)
        #expect(part.summary.delete == 0, "\(part.problems)")
        let all = try await stream.sync(#"[{"id": 1, "title": "Dune"}]"#, areAll: true, in: store)
        #expect(all.summary == SyncSummary(delete: 1, unchanged: 1), "\(all.problems)")
    }

    @Test func refusesStreamsWhosePagesDoNotSayWhatTheyAreOf() throws {
        let pipeline = try Pipeline(contentsOf: file)
        let none = #expect(throws: SluiceError.self) { try pipeline.stream("none") }
        #expect(none?.code == .notFound && none?.message.contains("`books`") == true)
        try write(
            "parts.yaml",
            """
            version: 1
            name: parts
            source: {base_url: "file:."}
            entities:
              Book: {primary_key: [id], fields: {id: int}}
              Review: {primary_key: [id], fields: {id: int}}
            streams:
              - {name: books, entity: Book, path: books.json}
              - {name: reviews, entity: Review, path: "reviews-{{ parent.id }}.json", parent: {stream: books}}
            """)
        let parts = try Pipeline(contentsOf: folder.path + "/parts.yaml")
        let error = #expect(throws: SluiceError.self) { try parts.stream("reviews") }
        #expect(error?.code == .refused)
    }

    // MARK: What cannot be run

    @Test func refusesFilesWithProblems() throws {
        try write("bad.yaml", "version: 1\nname: shop\nstraems: []\n")
        let error = #expect(throws: SluiceError.self) { try Pipeline(contentsOf: folder.path + "/bad.yaml") }
        #expect(error?.code == .invalidPipeline)
        #expect(error?.problems.contains { $0.contains("bad.yaml:3:1") && $0.contains("straems") } == true)
        let missing = #expect(throws: SluiceError.self) { try Pipeline(contentsOf: folder.path + "/none.yaml") }
        #expect(missing?.code == .invalidPipeline)
    }

    @Test func refusesModelsThatSayOtherwise() throws {
        let error = #expect(throws: SluiceError.self) { try Pipeline(contentsOf: file, models: OtherBook.self) }
        #expect(error?.code == .definitionDiffers)
        #expect(
            error?.problems == [
                "`OtherBook` and the entity `Book` are identified by different columns: title and id",
                "`OtherBook.id` is of the type `string`, and the field `id` of `Book` of the type `int`",
                "`OtherBook.price` is not optional, and the field `price` of `Book` need not have a value: make it optional, or the field `required`",
            ])
    }

    /// Records of a pipeline could not be read, or would lead nowhere.
    @Test func refusesModelsThatThePipelineDoesNotFill() throws {
        let error = #expect(throws: SluiceError.self) { try Pipeline(contentsOf: file, models: RatedBook.self) }
        #expect(
            error?.problems == [
                "`RatedBook.title` has the column `title_name`, and the field `title` of `Book` fills `title`: make it `{ref: Title, from: title}`",
                "`RatedBook.stars` is not optional, and the entity `Book` does not fill its column `stars`: make it optional, or add the field",
            ])
    }

    private func titles(_ medium: String, subjects: String = "") throws -> String {
        try write(
            "titles.yaml",
            """
            version: 1
            name: catalogue
            source: {base_url: "file:."}
            entities:
              Work:
                table: works
                primary_key: [isbn]
                fields: {isbn: string, medium: \(medium)\(subjects)}
              Topic: {table: topics, primary_key: [word], fields: {word: string}}
            streams:
              - {name: topics, entity: Topic, path: topics.json}
              - {name: works, entity: Work, path: works.json}
            """)
        try write("topics.json", #"[{"word": "sea"}]"#)
        try write(
            "works.json",
            #"[{"isbn": "1234", "medium": "book", "topics": ["sea"]}, {"isbn": "5678", "medium": "tape"}, {"isbn": "x", "medium": "map"}]"#
        )
        return folder.path + "/titles.yaml"
    }

    /// What the models forbid is kept aside by a run of the file that was read with them, and by pages of the program.
    @Test(arguments: [true, false]) func keepsToTheRulesOfModels(_ isRun: Bool) async throws {
        let file = try titles(
            "{type: string, required: true}", subjects: ", topics: {refs: Topic, from: \"topics[*]\", via: topic_works}"
        )
        let store = try Store(folder.path + "/titles.db", models: Work.self, Topic.self)
        let pipeline = try Pipeline(contentsOf: file, models: Work.self, Topic.self)
        let report: PipelineReport
        if isRun {
            report = try await store.run(pipeline)
        } else {
            try await pipeline.stream("topics").sync(#"[{"word": "sea"}]"#, in: store)
            let page = try String(contentsOfFile: folder.path + "/works.json", encoding: .utf8)
            report = try await pipeline.stream("works").sync(page, in: store)
        }
        #expect(report.summary.quarantined == 2, "\(report.problems)")
        #expect(try await store.fetch(Work.all).map(\.isbn) == ["1234"])
        #expect(
            try await store.quarantine(of: Work.self).map(\.message).sorted() == [
                "The value of `medium` is no `Medium`.", "`isbn` does not match the pattern `[0-9]{4,13}`.",
            ])
        let topics = try await store.read { tx in try tx.find(Work.self, "1234").topics.load(in: tx).map(\.word) }
        #expect(topics == ["sea"])
    }

    /// A record goes to quarantine with what stands within it, also where a closure looks at the records around.
    @Test(arguments: [false, true]) func keepsToTheRulesOfWhatStandsWithin(_ isStaged: Bool) async throws {
        try write(
            "posts.yaml",
            """
            version: 1
            name: blog
            source: {base_url: "file:."}
            entities:
              Post: {table: posts, primary_key: [id], fields: {id: int, writer: {ref: Writer, from: writer, upsert: true}}}
              Writer: {table: writers, primary_key: [id], fields: {id: int, name: string}}
            streams: [{name: posts, entity: Post, path: posts.json}]
            """)
        try write(
            "posts.json",
            #"[{"id": 1, "writer": {"id": 1, "name": "Ann"}}, {"id": 2, "writer": {"id": 2, "name": "Barbara"}}]"#)
        let store = try Store(folder.path + "/posts.db", models: Post.self, Writer.self)
        var pipeline = try Pipeline(contentsOf: folder.path + "/posts.yaml", models: Post.self, Writer.self)
        if isStaged { pipeline = try pipeline.stage(Post.self) { _ in .keep } }
        let report = try await store.run(pipeline)
        #expect(report.summary.insert == 1 && report.summary.quarantined == 1, "\(report.problems)")
        #expect(try await store.fetch(Post.all).map(\.id) == [1])
        #expect(try await store.fetch(Writer.all).map(\.id) == [1])
        #expect(
            try await store.quarantine(of: Post.self).map(\.message) == ["`name` has 7 characters, not 1...3."])
    }

    static let differing: [(name: String, medium: String, topics: String, problem: String)] = [
        (
            "a choice that the enum lacks", "{type: enum, values: [book, map, tape], required: true}", "",
            "`Work.medium` is a `Medium`, which cannot be `tape`, and the `values` of the field `medium` of `Work` have it: take it out of one, or into the other"
        ),
        (
            "pairs without a name", "{type: enum, values: [book, map], required: true}",
            ", topics: {refs: Topic, from: \"topics[*]\"}",
            "`Work.topics` is kept in the table `topic_works`, and the field `topics` of `Work` in `works_topics`: give it `via: topic_works`"
        ),
        (
            "one for several", "{type: enum, values: [book, map], required: true}",
            ", topics: {ref: Topic, from: topics}",
            "`Work.topics` leads to several records, and the field `topics` of `Work` to one: make it `{refs: Topic, from: topics[*], via: topic_works}`"
        ),
    ]

    @Test(arguments: differing.indices) func saysWhereFileAndModelsDiffer(_ index: Int) throws {
        let row = Self.differing[index]
        let file = try titles(row.medium, subjects: row.topics)
        let error = #expect(throws: SluiceError.self) {
            try Pipeline(contentsOf: file, models: Work.self, Topic.self)
        }
        #expect(error?.problems == [row.problem], "\(row.name)")
    }

    /// What one side alone has would give each record another identifier.
    @Test func refusesModelsOfOtherContent() async throws {
        try write(
            "facts.yaml",
            """
            version: 1
            name: facts
            source: {base_url: "file:."}
            entities: {Fact: {primary_key: content, fields: {word: string, n: int}}}
            streams: [{name: facts, entity: Fact, path: facts.json}]
            """)
        try write("facts.json", #"[{"word": "a", "n": 1}, {"word": "b"}]"#)
        let error = #expect(throws: SluiceError.self) {
            try Pipeline(contentsOf: folder.path + "/facts.yaml", models: OtherFact.self)
        }
        #expect(
            error?.problems == [
                "All values identify the records of `OtherFact` and of the entity `Fact`, and one of the two alone has `m`, `n`"
            ])
        // With the same properties, program and pipeline know each other's records.
        let store = try Store(folder.path + "/facts.db", models: Fact.self)
        var fact = Fact(word: "a", n: 1)
        try await store.save(&fact)
        let pipeline = try Pipeline(contentsOf: folder.path + "/facts.yaml", models: Fact.self)
        #expect(try await store.run(pipeline).summary == SyncSummary(insert: 1, unchanged: 1))
    }

    @Test func refusesStoresThatCannotBeFilled() async throws {
        let pipeline = try Pipeline(contentsOf: file)
        let memory = await #expect(throws: SluiceError.self) {
            try await Store.temporary(Book.self).run(pipeline)
        }
        #expect(memory?.code == .refused)
        let open = try store()
        await open.close()
        var options = StoreOptions()
        options.access = .read
        let reading = try Store(folder.path + "/shop.db", models: Book.self, options: options)
        let error = await #expect(throws: SluiceError.self) { try await reading.run(pipeline) }
        #expect(error?.code == .readOnly)
        let filled = try store()
        let wishes = PipelineOptions(stream: "none")
        let stream = await #expect(throws: SluiceError.self) { try await filled.run(pipeline, options: wishes) }
        #expect(stream?.code == .notFound)
    }

    /// What the program's own syncs keep under the pipeline's name is not given up, and the report says what to do.
    @Test func leavesWhatTheProgramSyncs() async throws {
        let store = try store()
        try await store.sync(
            Book.self, from: #"[{"id": 9, "title": "Ilex"}]"#, .init(source: Source(pipeline: "shop", stream: "own")))
        let report = try await store.run(try Pipeline(contentsOf: file, models: Book.self))
        let problem = try #require(report.problems.first { $0.code == "orphaned" }, "\(report.problems)")
        #expect(report.status == .refused && problem.message.contains("give the pipeline another one"))
        #expect(problem.message.contains("`sluice run --allow-schema drop`"))
        #expect(try await store.count(Book.all) == 1)
    }

    /// What goes wrong at the source stands in the report.
    @Test func reportsWhatGoesWrong() async throws {
        try write("books.json", "{")
        let store = try store()
        let report = try await store.run(try Pipeline(contentsOf: file))
        #expect(
            report.status == .failed && report.problems.contains { $0.isError && $0.message.contains("books.json") })
    }
}

@PersistentModel(table: "books") private struct Book {
    let id: Int
    var title: String
    var price: Decimal?
    var origin = Origin()
}

@PersistentModel(entity: "Book", table: "books") private struct OtherBook {
    var id: String
    @Attribute(.identifier) var title: String
    var price: Decimal
}

@PersistentModel(entity: "Book", table: "books") private struct RatedBook {
    let id: Int
    var stars: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var title: Ref<Title>?
}

@PersistentModel private struct Title {
    @Attribute(.identifier) let name: String
}

@PersistentModel(table: "fact", identifier: .content) private struct Fact {
    let word: String?
    let n: Int?
    var origin = Origin()
}

@PersistentModel(entity: "Fact", table: "fact", identifier: .content) private struct OtherFact {
    let word: String?
    let m: Int?
}

private enum Medium: String, StoredValue { case book, map }

@PersistentModel(table: "works") private struct Work {
    @Attribute(.identifier, check: .pattern("[0-9]{4,13}")) let isbn: String
    var medium: Medium
    @Relationship(inverse: "works", deleteRule: .nullify) var topics: Refs<Topic>
}

@PersistentModel(table: "topics") private struct Topic {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "topics", deleteRule: .nullify) var works: Refs<Work>
}

@PersistentModel(table: "lendings") private struct Lending {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var book: Ref<Book>
}

@PersistentModel(table: "wishes") private struct Wish {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var book: Ref<Book>?
}

@PersistentModel(table: "posts") private struct Post {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var writer: Ref<Writer>?
}

@PersistentModel(table: "writers") private struct Writer {
    let id: Int
    @Attribute(check: .length(1...3)) var name: String?
}
