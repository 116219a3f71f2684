import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

@PersistentModel(table: "shop_books", names: .snakeCase)
struct ShopBook: Codable, Equatable {
    let id: Int
    var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
    var origin = Origin()
}

@PersistentModel(table: "writers")
struct Writer: Codable {
    let id: Int
    @Attribute(persistentName: "label") var name: String
    @Relationship(inverse: "writer", deleteRule: .nullify) var works: Refs<Work>
    enum CodingKeys: String, CodingKey { case id, name = "full_name", works }
}

@PersistentModel(table: "works")
struct Work: Codable {
    let id: Int
    var title: String?
    @Relationship(inverse: "works", deleteRule: .nullify) var writer: Ref<Writer>?
    /// No source has it.
    var note: String?
    var origin = Origin()
    enum CodingKeys: String, CodingKey { case id, title, writer = "by" }
}

/// The same table with a property less.
@PersistentModel(entity: "ShopBook", table: "shop_books")
struct ShopBookWithoutPrice {
    let id: Int
    var title: String
    @Attribute(json: "author.name") var author: String?
}

/// The same table as another entity.
@PersistentModel(table: "shop_books")
struct ShopVolume {
    let id: Int
    var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
    var origin = Origin()
}

/// The same entity under another name.
@PersistentModel(table: "shop_books", renamedFrom: "ShopBook")
struct ShopTome {
    let id: Int
    var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
    var origin = Origin()
}

struct SyncTests {
    private static let dune = #"[{"id":1,"title":"Dune","price":"12.50","author":{"name":"Herbert"}}]"#

    private func filled(_ json: String = dune) async throws -> Store {
        let store = try Store.temporary(ShopBook.self)
        try await store.sync(ShopBook.self, from: json, .init(source: "shop"))
        return store
    }

    // MARK: The merge

    struct Members: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var records: String?
        let json: String
    }

    static let members = [
        Members(testDescription: "of the document", json: #"{"1":{"title":"Dune"},"2":{"title":"Emma"}}"#),
        Members(
            testDescription: "of an object", records: "data",
            json: #"{"data":{"1":{"title":"Dune"},"2":{"title":"Emma"}}}"#),
        Members(
            testDescription: "whatever they have under the key",
            json: #"{"1":{"id":9,"title":"Dune"},"2":{"id":9,"title":"Emma"}}"#),
    ]

    /// The names of members identify records.
    @Test(arguments: members) func takesMembersForRecords(_ item: Members) async throws {
        let store = try Store.temporary(ShopBook.self)
        let options = SyncOptions(source: "shop", records: item.records, entries: "id")
        for expected in [SyncSummary(insert: 2), SyncSummary(unchanged: 2)] {
            #expect(try await store.sync(ShopBook.self, from: item.json, options).summary == expected)
        }
        #expect(try await store.fetch(ShopBook.order(by: \.id)).map(\.title) == ["Dune", "Emma"])
        let looked = try await store.sync(ShopBook.self, from: item.json, options) { book in
            book.title += " \(book.id)"
            return .keep
        }
        #expect(looked.summary == SyncSummary(update: 2))
        #expect(try await store.find(ShopBook.self, 2).title == "Emma 2")
    }

    /// Another program's work on the source is waited for, as long as there is time.
    @Test func waitsForItsSource() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shop.db"
        let store = try Store(path, models: ShopBook.self)
        var held = try HeldSource(pipeline: "shop", of: path)
        #expect(held != nil)
        let json = #"[{"id":1,"title":"Dune"}]"#
        for wait in [Duration.zero, .milliseconds(1)] {
            let options = SyncOptions(source: "shop", wait: wait)
            let error = await #expect(throws: SluiceError.self) {
                try await store.sync(ShopBook.self, from: json, options)
            }
            #expect(error?.code == .locked)
        }
        let patient = SyncOptions(source: "shop", wait: .seconds(600))
        let cancelled = Task { try await store.sync(ShopBook.self, from: json, patient) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        async let result = store.sync(ShopBook.self, from: json, patient)
        withExtendedLifetime(held) {}
        held = nil
        #expect(try await result.summary == SyncSummary(insert: 1))
    }

    @Test func mergesWithWhatPeopleChanged() async throws {
        let store = try await filled()
        try await store.update(ShopBook.self, 1) { $0.title = "Dune (1965)" }
        let news = #"[{"id":1,"title":"Dune, a novel","price":"13.90"},{"id":"x"}]"#
        let result = try await store.sync(ShopBook.self, from: news, .init(source: "shop"))
        #expect(result.summary == SyncSummary(conflict: 1, quarantined: 1))
        #expect(result.quarantined.first?.json == #"{"id":"x"}"#)
        let book = try await store.find(ShopBook.self, 1)
        // What is absent says nothing, and what nobody else changed is taken.
        #expect(book == ShopBook(id: 1, title: "Dune (1965)", price: Decimal(string: "13.90"), author: "Herbert"))
        let conflict = try #require(try await store.conflicts(of: ShopBook.self).first)
        let title = try #require(try conflict.sides(\.title))
        #expect(title == (base: "Dune", local: "Dune (1965)", remote: "Dune, a novel"))
        #expect(try conflict.sides(\.price) == nil && conflict.kind == .editEdit && conflict.property == "title")
        #expect(result.conflicts.map(\.id) == [conflict.id])
        #expect(try await store.resolve(conflict, .remote, who: "ann") == .resolved)
        #expect(try await store.find(ShopBook.self, 1).title == "Dune, a novel")
        let again = #"[{"id":1,"title":"Dune, a novel","price":"13.90"}]"#
        #expect(
            try await store.sync(ShopBook.self, from: again, .init(source: "shop")).summary
                == SyncSummary(unchanged: 1))
    }

    /// A row of the table of decisions: what is decided, and what the row holds then.
    @Test(arguments: ["local", "remote", "base", "set"]) func carriesOutDecisions(_ decision: String) async throws {
        let store = try await filled()
        try await store.update(ShopBook.self, 1) { $0.title = "ours" }
        try await store.sync(ShopBook.self, from: #"{"id":1,"title":"theirs"}"#, .init(source: "shop"))
        let conflict = try #require(try await store.conflicts(of: ShopBook.self).first)
        let (made, title): (Conflict<ShopBook>.Decision, String) =
            switch decision {
            case "local": (.local, "ours")
            case "remote": (.remote, "theirs")
            case "base": (.base, "Dune")
            default: (.set(\.title, "both"), "both")
            }
        try await store.resolve(conflict, made)
        #expect(try await store.find(ShopBook.self, 1).title == title)
        #expect(try await store.conflicts(of: ShopBook.self).isEmpty)
        let error = await #expect(throws: SluiceError.self) { try await store.resolve(conflict, .remote) }
        #expect(error?.code == .refused)
    }

    @Test func reopensWhatChangedMeanwhile() async throws {
        let store = try await filled()
        try await store.update(ShopBook.self, 1) { $0.title = "ours" }
        try await store.sync(ShopBook.self, from: #"{"id":1,"title":"theirs"}"#, .init(source: "shop"))
        let conflict = try #require(try await store.conflicts(of: ShopBook.self).first)
        try await store.update(ShopBook.self, 1) { $0.title = "ours, once more" }
        #expect(try await store.resolve(conflict, .remote) == .reopened)
        let now = try #require(try await store.conflicts(of: ShopBook.self).first)
        #expect(try now.sides(\.title)?.local == "ours, once more")
    }

    @Test func takesPolicies() async throws {
        for (policy, title) in [(SyncOptions.ConflictPolicy.localWins, "ours"), (.remoteWins, "theirs")] {
            let store = try await filled()
            try await store.update(ShopBook.self, 1) { $0.title = "ours" }
            try await store.sync(
                ShopBook.self, from: #"{"id":1,"title":"theirs"}"#, .init(source: "shop", onConflict: policy))
            #expect(try await store.find(ShopBook.self, 1).title == title)
            #expect(try await store.conflicts(of: ShopBook.self).isEmpty)
        }
    }

    @Test func leavesEverythingWhereAConflictEndsIt() async throws {
        let store = try await filled()
        try await store.update(ShopBook.self, 1) { $0.title = "ours" }
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(
                ShopBook.self, from: #"[{"id":2,"title":"new"},{"id":1,"title":"theirs"}]"#,
                .init(source: "shop", onConflict: .fail))
        }
        #expect(error?.code == .conflict)
        #expect(try await store.count(ShopBook.all) == 1)
    }

    /// What a program read before a sync takes none of it back.
    @Test func aStaleValueDoesNotUndoASync() async throws {
        let store = try await filled(#"[{"id":1,"title":"A","price":"1"}]"#)
        var mine = try await store.find(ShopBook.self, 1)
        let news = #"[{"id":1,"title":"A","price":"2"}]"#
        try await store.sync(ShopBook.self, from: news, .init(source: "shop"))
        mine.title = "B"
        try await store.save(&mine)
        #expect(try await store.find(ShopBook.self, 1).price == 2)
        #expect(
            try await store.sync(ShopBook.self, from: news, .init(source: "shop")).summary
                == SyncSummary(unchanged: 1))
        #expect(try await store.find(ShopBook.self, 1).title == "B")
    }

    // MARK: What is gone

    @Test func deletesWhatACompleteListLacks() async throws {
        let store = try await filled(#"[{"id":1,"title":"A"},{"id":2,"title":"B"},{"id":3,"title":"C"}]"#)
        try await store.update(ShopBook.self, 3) { $0.title = "ours" }
        let one = #"[{"id":1,"title":"A"}]"#
        // Without the word that the list is complete nothing is gone.
        #expect(
            try await store.sync(ShopBook.self, from: one, .init(source: "shop")).summary == SyncSummary(unchanged: 1))
        let refused = try await store.sync(ShopBook.self, from: one, .init(source: "shop", missing: .hard()))
        #expect(refused.summary.deleteRefused > 0 && refused.summary.delete == 0)
        #expect(refused.problems.contains { $0.code == "deletes_refused" })
        let options = SyncOptions(source: "shop", missing: .hard(maximum: .count(2)))
        let result = try await store.sync(ShopBook.self, from: one, options)
        // What a person changed waits for a decision.
        #expect(result.summary.delete == 1 && result.conflicts.map(\.kind) == [.editDelete])
        #expect(try await store.fetch(ShopBook.all).map(\.id) == [1, 3])
    }

    @Test func deletesNothingWhereARecordCannotBeIdentified() async throws {
        let store = try await filled(#"[{"id":1,"title":"A"},{"id":2,"title":"B"}]"#)
        let options = SyncOptions(source: "shop", missing: .hard(maximum: .percent(100)))
        let result = try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":{}}]"#, options)
        #expect(result.summary.delete == 0 && result.problems.contains { $0.code == "incomplete_scan" })
        #expect(try await store.count(ShopBook.all) == 2)
    }

    // MARK: Plans, history, undo

    @Test func plansWithoutWriting() async throws {
        let store = try await filled()
        let plan = try await store.plan(
            ShopBook.self, from: #"[{"id":1,"title":"new"},{"id":2,"title":"B"}]"#, .init(source: "shop"))
        #expect(plan.run == nil && plan.summary == SyncSummary(insert: 1, update: 1))
        #expect(try await store.fetch(ShopBook.all).map(\.title) == ["Dune"])
        #expect(try await store.history().count == 1)
    }

    @Test func takesARunBack() async throws {
        let store = try await filled()
        let result = try await store.sync(
            ShopBook.self, from: #"[{"id":1,"title":"new"},{"id":2,"title":"B"}]"#, .init(source: "shop"))
        let run = try #require(result.run)
        #expect(try await store.undo(run: run, planning: true).summary == SyncSummary(update: 1, delete: 1))
        #expect(try await store.count(ShopBook.all) == 2)
        let undo = try await store.undo(run: run)
        #expect(undo.summary.update == 1 && undo.summary.delete == 1 && undo.left == 0)
        #expect(try await store.fetch(ShopBook.all).map(\.title) == ["Dune"])
        let history = try await store.history()
        #expect(history.map(\.command) == ["undo", "run", "run"] && history[0].undoes == run)
        #expect(history[1].undoneBy == undo.run && history[1].summary == SyncSummary(insert: 1, update: 1))
        let error = await #expect(throws: SluiceError.self) { try await store.undo(run: run) }
        #expect(error?.code == .notUndoable)
        let unknown = await #expect(throws: SluiceError.self) { try await store.undo(run: 99) }
        #expect(unknown?.code == .notFound)
    }

    // MARK: Values

    @Test func mergesValues() async throws {
        let store = try await filled()
        try await store.update(ShopBook.self, 1) { $0.author = "F. Herbert" }
        let values = [
            ShopBook(id: 1, title: "Dune", price: 14, author: "Herbert"), ShopBook(id: 2, title: "Emma", price: nil),
        ]
        let result = try await store.sync(values, .init(source: "shop"))
        #expect(result.summary == SyncSummary(insert: 1, update: 1))
        #expect(try await store.find(ShopBook.self, 1).author == "F. Herbert")
        #expect(try await store.find(ShopBook.self, 1).price == 14)
    }

    /// The example of the manual: what a client's page brings, with what was absent left alone.
    @Test func mergesWhatStandsWithinOtherTypes() async throws {
        struct Page: Decodable {
            let next: String?
            let items: Upserts<ShopBook>
        }
        let store = try await filled()
        let json = #"{"next":null,"items":[{"id":1,"title":"Dune!"},{"id":"x","title":1},{"id":2,"title":"Emma"}]}"#
        let page = try JSONDecoder().decode(Page.self, from: Data(json.utf8))
        #expect(page.items.values.count == 2 && page.items.failures.map(\.index) == [1])
        let result = try await store.sync(page.items, .init(source: "shop"))
        #expect(result.summary == SyncSummary(insert: 1, update: 1, quarantined: 1))
        // The keys `price` and `author` were absent.
        let book = try await store.find(ShopBook.self, 1)
        #expect(book == ShopBook(id: 1, title: "Dune!", price: Decimal(string: "12.50"), author: "Herbert"))
        try await store.sync(
            Upsert(ShopBook(id: 1, title: "", price: 1, author: nil), present: [\.price]), .init(source: "shop"))
        #expect(try await store.find(ShopBook.self, 1).title == "Dune!")
        #expect(try await store.find(ShopBook.self, 1).price == 1)
    }

    @Test func letsAProgramLookAtEachRecord() async throws {
        let store = try await filled()
        let json = #"""
            [{"id":1,"title":" Dune "},{"id":2,"title":"skip"},{"id":3,"title":"C","price":-1},{"id":4,"title":["D"]}]
            """#
        let result = try await store.sync(ShopBook.self, from: json, .init(source: "shop")) { book in
            if book.title == "skip" { return .skip }
            if book.price ?? 0 < 0 { return .quarantine("negative price") }
            book.title = book.title.trimmingCharacters(in: .whitespaces)
            return .keep
        }
        #expect(result.summary == SyncSummary(unchanged: 1, quarantined: 2) && result.skipped == 1)
        #expect(result.quarantined.map(\.message).contains("negative price"))
        #expect(result.quarantined.contains { $0.json.contains(#""id":3"#) })
        // What the source did not send and nobody touched says nothing.
        #expect(try await store.find(ShopBook.self, 1).author == "Herbert")
    }

    /// A record that the program leaves out is listed all the same, so that its row stays as it is.
    @Test func keepsRowsOfRecordsThatAreLeftOut() async throws {
        let store = try Store.temporary(ShopBook.self)
        let all = SyncOptions(source: "shop", missing: .hard(maximum: .percent(100)))
        try await store.sync(
            ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":2,"title":"B"},{"id":3,"title":"C"}]"#, all)
        let result = try await store.sync(
            ShopBook.self, from: #"[{"id":1,"title":"A2"},{"id":2,"title":"B"}]"#, all
        ) { book in book.id == 1 ? .skip : .keep }
        #expect(result.summary == SyncSummary(delete: 1, unchanged: 1) && result.skipped == 1)
        #expect(try await store.fetch(ShopBook.order(by: \.id)).map(\.title) == ["A", "B"])
    }

    /// Rows that a source marks as deleted are left out from the first one on, and shown where they are asked for.
    @Test(arguments: [true, false]) func leavesOutWhatIsMarkedAsDeleted(_ isFile: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store =
            isFile ? try Store(folder.path + "/shop.db", models: ShopBook.self) : try Store.temporary(ShopBook.self)
        let all = SyncOptions(source: "shop", missing: .soft(maximum: .percent(100)))
        try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":2,"title":"B"}]"#, all)
        #expect(try await store.count(ShopBook.all) == 2)
        try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"}]"#, all)
        #expect(try await store.fetch(ShopBook.all).map(\.id) == [1])
        #expect(try await store.write { tx in try tx.fetch(ShopBook.all).map(\.id) } == [1])
        #expect(try await store.count(ShopBook.all.includingDeleted()) == 2)
    }

    @Test func mergesPagesAsOneRun() async throws {
        let store = try Store.temporary(ShopBook.self)
        let pages = AsyncStream<[UInt8]> { stream in
            for id in 1...3 { stream.yield(Array(#"{"items":[{"id":\#(id),"title":"T"}]}"#.utf8)) }
            stream.finish()
        }
        let result = try await store.sync(ShopBook.self, pages: pages, .init(source: "shop", records: "items[*]"))
        #expect(result.summary == SyncSummary(insert: 3))
        #expect(try await store.history().count == 1)
    }

    @Test func findsReferencesAndCodingKeys() async throws {
        let store = try Store.temporary(Writer.self)
        try await store.sync(Writer.self, from: #"[{"id":7,"full_name":"Ann","works":[1]}]"#)
        let works = #"[{"id":1,"title":"A","by":{"id":7}},{"id":2,"title":"B","by":7},{"id":3,"title":"C","by":null}]"#
        #expect(try await store.sync(Work.self, from: works).summary.insert == 3)
        #expect(try await store.fetch(Work.where { $0.writer.name == "Ann" }).map(\.id) == [1, 2])
        // A property that is no coding key is the program's own.
        try await store.update(Work.self, 1) { $0.note = "ours" }
        #expect(try await store.sync(Work.self, from: works).summary == SyncSummary(unchanged: 3))
        #expect(try await store.find(Work.self, 1).note == "ours")
    }

    @Test func listsWhatDoesNotFitUntilItDoes() async throws {
        let store = try Store.temporary(ShopBook.self, Note.self)
        try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":2,"title":[]}]"#)
        let waiting = try await store.quarantine(of: ShopBook.self)
        #expect(waiting.map(\.pointer) == ["/title"] && waiting[0].json == #"{"id":2,"title":[]}"#)
        #expect(try await store.quarantine(of: Note.self).isEmpty)
        try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":2,"title":"B"}]"#)
        #expect(try await store.quarantine(of: ShopBook.self).isEmpty)
    }

    @Test func readsDataAndFiles() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store.temporary(ShopBook.self)
        let json = Data(#"[{"id":1,"title":"A"}]"#.utf8)
        #expect(try await store.sync(ShopBook.self, from: json).summary == SyncSummary(insert: 1))
        let file = URL(fileURLWithPath: folder.path + "/books.json")
        try json.write(to: file)
        #expect(try await store.sync(ShopBook.self, contentsOf: file).summary == SyncSummary(unchanged: 1))
        #expect(try await store.plan(ShopBook.self, contentsOf: file).summary == SyncSummary(unchanged: 1))
        let missing = URL(fileURLWithPath: folder.path + "/none.json")
        let error = await #expect(throws: SluiceError.self) { try await store.sync(ShopBook.self, contentsOf: missing) }
        #expect(error?.code == .ioFailed && error?.message.contains("none.json` is not there") == true)
    }

    @Test func readsLargeFilesInPiecesUnlessTheyChange() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store.temporary(ShopBook.self)
        let file = URL(fileURLWithPath: folder.path + "/books.jsonl")
        @Sendable func lines(_ ids: ClosedRange<Int>) -> Data {
            Data(ids.map { #"{"id":\#($0),"title":"\#(String(repeating: "A", count: 1000))"}"# + "\n" }.joined().utf8)
        }
        var options = SyncOptions(source: "shop")
        options.format = .jsonLines
        options.missing = .hard(maximum: .percent(100))
        try lines(1...1000).write(to: file)
        let opened = Atomic(0)
        let pieces = FileReading(leastBytes: 1) { opened.add(1, ordering: .relaxed) }
        let first = try await store.merge(ShopBook.self, file, options, isPlan: false, pieces)
        #expect(first.summary == SyncSummary(insert: 1000))
        #expect(opened.load(ordering: .relaxed) == 1, "It was just written.")
        let plan = try await store.merge(ShopBook.self, file, options, isPlan: true, pieces)
        #expect(plan.summary == SyncSummary(unchanged: 1000))
        // What is refused is read once more for its text, and records of one identifier for the last of them.
        try (lines(1...999) + Data(#"{"id":1000,"title":[]}"#.utf8) + Data("\n".utf8) + lines(1...1)).write(to: file)
        let again = try await store.merge(ShopBook.self, file, options, isPlan: false, pieces)
        #expect(again.quarantined.map(\.json) == [#"{"id":1000,"title":[]}"#] && again.summary.delete == 0)
        // It becomes shorter once it is open: what was read of it would say that records are gone.
        let change = FileReading(leastBytes: 1) { try? lines(1...500).write(to: file, options: []) }
        let changed = try await store.merge(ShopBook.self, file, options, isPlan: false, change)
        #expect(changed.summary.delete == 500 && changed.summary.unchanged == 500)
        #expect(try await store.count(ShopBook.all) == 500)
    }

    @Test func readsLines() async throws {
        let store = try Store.temporary(ShopBook.self)
        let result = try await store.sync(
            ShopBook.self, from: "{\"id\":1,\"title\":\"A\"}\n{\"id\":2,\"title\":\"B\"}\n", .init(format: .jsonLines))
        #expect(result.summary == SyncSummary(insert: 2))
        #expect(try await store.history().map(\.pipeline) == ["app"])
    }

    // MARK: Refusals

    /// An error within a record names it: the byte is counted from its beginning.
    @Test func namesTheRecordThatIsNoJSON() async throws {
        let store = try Store.temporary(ShopBook.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(
                ShopBook.self, from: #"[{"id":1,"title":"A"},{"id":2,"title":""# + "\u{1}" + #""}]"#)
        }
        let message = error?.message ?? ""
        #expect(error?.code == .invalidJSON && message.hasPrefix("The JSON, record 2, cannot be read: byte "))
    }

    /// A row of the table of refusals: the name, the options and the JSON; the code. Nothing is written.
    static let refusals: [(name: String, options: SyncOptions, json: String, code: SluiceError.Code)] = [
        ("no JSON", .init(), "{", .invalidJSON),
        ("no records there", .init(records: "items[*]"), "{}", .invalidJSON),
        ("no path", .init(records: "items["), "{}", .invalidJSON),
        ("a mismatch", .init(mismatch: .throw), #"[{"id":5,"title":"E"},{"id":"x"}]"#, .mismatch),
        (
            "two records of one key", .init(onDuplicate: .fail), #"[{"id":5,"title":"E"},{"id":5,"title":"F"}]"#,
            .duplicate
        ),
    ]

    @Test(arguments: refusals.indices) func refuses(_ index: Int) async throws {
        let row = Self.refusals[index]
        let store = try await filled()
        let error = await #expect(throws: SluiceError.self, "\(row.name)") {
            try await store.sync(ShopBook.self, from: row.json, row.options)
        }
        #expect(error?.code == row.code, "\(row.name): \(error?.message ?? "")")
        #expect(try await store.count(ShopBook.all) == 1)
        #expect(try await store.history().count == 1)
    }

    @Test func refusesToForgetAFieldOfASource() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/books.db"
        let store = try Store(path, models: ShopBook.self)
        try await store.sync(ShopBook.self, from: Self.dune, .init(source: "shop"))
        await store.close()
        let other = try Store(path, models: ShopBookWithoutPrice.self)
        let error = await #expect(throws: SluiceError.self) {
            try await other.sync(ShopBookWithoutPrice.self, from: Self.dune, .init(source: "shop"))
        }
        #expect(error?.code == .definitionDiffers && error?.message.contains("price") == true)
    }

    /// A table that a source fills has one entity of it: under another name, what it said would be unknown.
    @Test func refusesAnotherEntityOfASource() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/books.db"
        let store = try Store(path, models: ShopBook.self)
        try await store.sync(ShopBook.self, from: "[]", .init(source: "shop"))
        await store.close()
        // Nothing was said yet that could be forgotten.
        let early = try Store(path, models: ShopVolume.self)
        _ = try await early.plan(ShopVolume.self, from: Self.dune, .init(source: "shop"))
        await early.close()
        let again = try Store(path, models: ShopBook.self)
        try await again.sync(ShopBook.self, from: Self.dune, .init(source: "shop"))
        await again.close()

        let changed = Self.dune.replacing("12.50", with: "13")
        let other = try Store(path, models: ShopVolume.self)
        let values = [ShopVolume(id: 1, title: "Dune", price: 13, author: "Herbert")]
        for call in ["sync", "plan", "values"] {
            let error = await #expect(throws: SluiceError.self, "\(call)") {
                switch call {
                case "sync": _ = try await other.sync(ShopVolume.self, from: changed, .init(source: "shop"))
                case "plan": _ = try await other.plan(ShopVolume.self, from: changed, .init(source: "shop"))
                default: _ = try await other.sync(values, .init(source: "shop"))
                }
            }
            #expect(error?.code == .definitionDiffers && error?.entity == "ShopVolume")
            #expect(
                error?.message
                    == "The source `shop/shop_books` filled the table `shop_books` as the entity `ShopBook` before, and the model's entity is called `ShopVolume`. Nothing was written, since what people changed would be forgotten. Write `@PersistentModel(entity: \"ShopBook\")`, or `renamedFrom: \"ShopBook\"` where it was renamed, or sync under another source."
            )
        }
        #expect(try await other.history().count == 2)
        #expect(try await other.find(ShopVolume.self, 1).price == Decimal(12.5))
        // Another source begins with itself.
        let result = try await other.sync(ShopVolume.self, from: Self.dune, .init(source: "mine"))
        #expect(result.summary == SyncSummary(unchanged: 1))
        await other.close()

        let renamed = try Store(path, models: ShopTome.self)
        let followed = try await renamed.sync(ShopTome.self, from: changed, .init(source: "shop"))
        #expect(followed.summary.update == 1 && followed.conflicts.isEmpty)
        await renamed.close()
    }

    /// The last of several counts, as in a run.
    @Test func takesTheLastOfSeveral() async throws {
        let store = try Store.temporary(ShopBook.self)
        let result = try await store.sync(
            ShopBook.self, from: #"[{"id":1,"title":"first"},{"id":1,"title":"last"}]"#)
        #expect(result.summary.insert == 1)
        #expect(try await store.find(ShopBook.self, 1).title == "last")
    }

    @Test func stopsWhereItsTaskIsCancelled() async throws {
        let store = try Store.temporary(ShopBook.self)
        let json = "[" + (1...20_000).map { #"{"id":\#($0),"title":"T"}"# }.joined(separator: ",") + "]"
        let task = Task { try await store.sync(ShopBook.self, from: json) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.count(ShopBook.all) == 0)
    }
}
