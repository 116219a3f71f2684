import Foundation
import Sluice
import TestSupport
import Testing

struct SaveTests {
    @Test func givesIdentifiers() async throws {
        let store = try Store.temporary(Note.self)
        var note = Note(text: "hello")
        try await store.save(&note)
        #expect(note.id == 1)
        note.text = "bye"
        try await store.save(&note)
        #expect(try await store.count(Note.all) == 1)
        #expect(try await store.delete(&note))
        #expect(try await store.delete(&note) == false)
    }

    /// What a table of another program does about an insert beside adding a row, or refusing a second one.
    enum Insertion: String, CaseIterable {
        case nothing, ignoresASecondRow, replacesTheRow, hasNoKey
        case ignoresByTrigger, replacesByTrigger, endsTheTransaction, replacesByTriggerOfTheConnection

        var key: String {
            switch self {
            case .ignoresASecondRow: "id INTEGER PRIMARY KEY ON CONFLICT IGNORE"
            case .replacesTheRow: "id INTEGER PRIMARY KEY ON CONFLICT REPLACE"
            case .hasNoKey: "id INTEGER"
            default: "id INTEGER PRIMARY KEY"
            }
        }

        var trigger: String? {
            let met = "BEFORE INSERT ON saved_tag WHEN EXISTS (SELECT 1 FROM saved_tag WHERE id = NEW.id) BEGIN"
            return switch self {
            case .ignoresByTrigger: "CREATE TRIGGER t \(met) SELECT RAISE(IGNORE); END"
            case .replacesByTrigger: "CREATE TRIGGER t \(met) DELETE FROM saved_tag WHERE id = NEW.id; END"
            case .endsTheTransaction: "CREATE TRIGGER t \(met) SELECT RAISE(ROLLBACK, 'no'); END"
            case .replacesByTriggerOfTheConnection:
                "CREATE TEMP TRIGGER t \(met) DELETE FROM saved_tag WHERE id = NEW.id; END"
            default: nil
            }
        }
    }

    /// The row that is there is changed, whatever the table does about a second one, and what no property has stays; also where
    /// the program makes the table in the same transaction.
    @Test(arguments: Insertion.allCases, [false, true])
    func changesTheRowThatIsThere(_ insertion: Insertion, inOneTransaction: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store = try Store(folder.path + "/shop.db", models: SavedTag.self)
        let make = { @Sendable (tx: Transaction) in
            try tx.execute("DROP TABLE saved_tag")
            try tx.execute(SQL(unchecked: "CREATE TABLE saved_tag (\(insertion.key), text TEXT, extra TEXT)"))
            if let trigger = insertion.trigger { try tx.execute(SQL(unchecked: trigger)) }
            try tx.execute("INSERT INTO saved_tag VALUES (1, 'old', 'theirs')")
        }
        let save = { @Sendable (tx: Transaction) in
            var tags = [SavedTag(id: 2, text: "two"), SavedTag(id: 1, text: "new")]
            try tx.save(&tags)
        }
        if inOneTransaction {
            try await store.write { tx in
                var first = SavedTag(id: 3, text: "three")
                try tx.save(&first)
                try make(tx)
                try save(tx)
            }
        } else {
            try await store.write(make)
            try await store.write(save)
        }
        #expect(
            try await store.rows("SELECT id, text, extra FROM saved_tag ORDER BY id").map(\.texts)
                == [["1", "new", "theirs"], ["2", "two", nil]])
    }

    /// A former model tells its records apart by another column than the table does.
    @Test func changesTheRowOfAFormerModel() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shop.db"
        try await Store(path, models: SavedTag.self).write { tx in
            var tags = [SavedTag(id: 1, text: "one"), SavedTag(id: 2, text: "two")]
            try tx.save(&tags)
        }
        let migration = Migration("weights") { tx in
            try tx.execute("ALTER TABLE saved_tag ADD COLUMN weight INTEGER")
        }
        let weighing = Migration("weigh") { tx in
            var tag = FormerSavedTag(text: "two", weight: 7)
            try tx.save(&tag)
        }
        var options = StoreOptions()
        options.migrations = [migration, weighing]
        let store = try Store(path, models: SavedTag.self, options: options)
        #expect(
            try await store.rows("SELECT id, text, weight FROM saved_tag ORDER BY id").map(\.texts)
                == [["1", "one", nil], ["2", "two", "7"]])
    }

    private func book(_ title: String = "A", price: Decimal? = 1) -> Book {
        Book(id: 1, title: title, pageCount: nil, kind: .novel, price: price, settings: nil, color: nil)
    }

    /// What was not touched is not written, whatever the row holds by now.
    @Test func writesWhatChanged() async throws {
        let store = try Store.temporary(Book.self)
        var first = book()
        try await store.save(&first)
        var mine = try await store.find(Book.self, 1)
        // Another spelling of the same number, and another value of a field that is not touched.
        try await store.write { try $0.execute("UPDATE books SET price = '2.00', page_count = 9") }
        mine.title = "B"
        try await store.save(&mine)
        let row = try await store.rows("SELECT title, price, page_count FROM books").first
        #expect(row?.texts == ["B", "2.00", "9"])
    }

    /// A change of all records of a query keeps to the rules that a save keeps to.
    @Test func changesAllButWhatTheSourceOwnsAndWhatTellsRecordsApart() async throws {
        let store = try Store.temporary(Issue.self, Book.self)
        var issue = Issue(repo: "r", number: 1, code: "a", at: Date(timeIntervalSince1970: 0), token: nil)
        try await store.save(&issue)
        let refused: [(Assignment<Issue>, SluiceError.Code, String)] = [
            (Issue.path.votes.set(9), .ownedBySource, "votes"),
            (Issue.path.number.set(7), .identifierChanged, "number"),
            (Issue.path.repo.set("s"), .identifierChanged, "repo"),
        ]
        for (assignment, code, property) in refused {
            let error = await #expect(throws: SluiceError.self) {
                try await store.write { _ = try $0.update(Issue.all, Issue.path.code.set("b"), assignment) }
            }
            #expect(error?.code == code && error?.field == property, "\(error?.message ?? "")")
        }
        #expect(try await store.fetch(Issue.all) == [issue])
        #expect(try await store.write { try $0.update(Issue.all, Issue.path.code.set("b")) } == 1)
        #expect(try await store.find(Issue.self, Issue.Identifier(repo: "r", number: 1)).code == "b")
    }

    @Test func noticesWhatOthersChanged() async throws {
        let store = try Store.temporary(Book.self)
        var first = book()
        try await store.save(&first)
        var mine = try await store.find(Book.self, 1)
        try await store.update(Book.self, 1) { $0.price = 3 }
        mine.price = 9
        let error = await #expect(throws: SluiceError.self) { try await store.save(&mine) }
        #expect(error?.code == .stale && error?.field == "price")
        // Values of records are for those who debug.
        #expect(error.map { !"\($0)".contains("yours") } == true)
        #expect(error?.debugDescription.hasSuffix("(yours: 9, theirs: 3)") == true)
        #expect(try await store.find(Book.self, 1).price == 3)
        try await store.save(&mine, overwriting: true)
        #expect(try await store.find(Book.self, 1).price == 9)
        // Two that each take one off have both seen the price of before.
        let read = try await store.find(Book.self, 1)
        var (one, other) = (read, read)
        one.price = 8
        other.price = 8
        try await store.save(&one)
        let second = await #expect(throws: SluiceError.self) { try await store.save(&other) }
        #expect(second?.code == .stale && second?.field == "price")
        try await store.save(&one)
    }

    @Test func saysWhatIsGoneOrAnotherRecord() async throws {
        let store = try Store.temporary(Book.self)
        var first = book()
        try await store.save(&first)
        var mine = try await store.find(Book.self, 1)
        try await store.write { _ = try $0.delete(Book.self, 1) }
        mine.title = "B"
        let gone = await #expect(throws: SluiceError.self) { try await store.save(&mine) }
        #expect(gone?.code == .notFound && gone?.identifier == "1")
        var moved = Book(id: 2, title: "A", pageCount: nil, kind: .novel, price: 1, settings: nil, color: nil)
        moved.origin = first.origin
        let error = await #expect(throws: SluiceError.self) { try await store.save(&moved) }
        #expect(error?.code == .identifierChanged)
        #expect(try await store.count(Book.all) == 0)
    }

    /// A value that was not changed is not written: no row of a table that others compare changes.
    @Test func writesNothingForUnchangedValues() async throws {
        let store = try Store.temporary(Book.self)
        var all = (1...50).map { id in
            Book(
                id: id, title: "T\(id)", pageCount: id % 2 == 0 ? nil : id, kind: .novel,
                price: Decimal(string: "\(id).10"), settings: Settings(retries: id), color: nil)
        }
        try await store.save(&all)
        // Other spellings of the same values, as a pipeline or a person may have left them.
        try await store.write { try $0.execute(#"UPDATE books SET price = price || '00', settings = ' ' || settings"#) }
        let before = try await store.rows("SELECT * FROM books ORDER BY id")
        let read = try await store.fetch(Book.all)
        #expect(read.count == 50)
        for isRemembered in [true, false] {
            var copies = read
            if !isRemembered { for index in copies.indices { copies[index].origin = Origin() } }
            try await store.save(&copies)
            #expect(try await store.rows("SELECT * FROM books ORDER BY id").map(\.values) == before.map(\.values))
        }
    }

    @Test func refusesWhatTheSourceOwnsAndWhatIsTaken() async throws {
        let store = try Store.temporary(Issue.self)
        var issue = Issue(repo: "a", number: 1, code: "x", at: .now)
        try await store.save(&issue)
        issue.votes = 4
        let owned = await #expect(throws: SluiceError.self) { try await store.save(&issue) }
        #expect(owned?.code == .ownedBySource && owned?.field == "votes")
        var twin = Issue(repo: "a", number: 2, code: "x", at: .now)
        let unique = await #expect(throws: SluiceError.self) { try await store.save(&twin) }
        #expect(unique?.code == .unique && unique?.identifier == "a, 2" && unique?.field == "code")
        // A change says as much as a new record.
        twin.code = "y"
        try await store.save(&twin)
        let changed = await #expect(throws: SluiceError.self) {
            try await store.update(Issue.self, Issue.Identifier(repo: "a", number: 2)) { $0.code = "x" }
        }
        #expect(changed?.code == .unique && changed?.identifier == "a, 2" && changed?.field == "code")
        let exists = await #expect(throws: SluiceError.self) {
            try await store.write { tx in
                var again = Issue(repo: "a", number: 1, code: "z", at: .now)
                try tx.insert(&again)
            }
        }
        #expect(exists?.code == .exists)
        #expect(try await store.count(Issue.all) == 2)
    }

    /// What was deleted is forgotten by the value as well, so that saving it makes a new row.
    @Test func insertsAnewWhatWasDeleted() async throws {
        let store = try Store.temporary(Book.self)
        var first = book()
        try await store.save(&first)
        #expect(try await store.delete(&first))
        try await store.save(&first)
        #expect(try await store.fetch(Book.all) == [book()])
    }

    @Test func savesAllValuesOrNone() async throws {
        let store = try Store.temporary(Issue.self)
        var issues = (1...5).map { Issue(repo: "a", number: $0, code: $0 == 5 ? "c1" : "c\($0)", at: .now) }
        let before = issues
        let error = await #expect(throws: SluiceError.self) { try await store.save(&issues) }
        #expect(error?.code == .unique && issues == before)
        #expect(try await store.count(Issue.all) == 0)
        issues[4].code = "c5"
        try await store.save(&issues)
        #expect(try await store.count(Issue.all) == 5)
        // Of two with one identifier, the last stands.
        let pews = try Store.temporary(Pew.self)
        var twins = [Pew(id: 1, row: 1, place: 1), Pew(id: 1, row: 2, place: 2)]
        try await pews.save(&twins)
        #expect(try await pews.fetch(Pew.all).map(\.row) == [2])
    }

    /// Values of a group are unique together, and each for itself is not.
    @Test func keepsGroupsUnique() async throws {
        let store = try Store.temporary(Pew.self)
        var pews = [Pew(id: 1, row: 1, place: 1), Pew(id: 2, row: 1, place: 2), Pew(id: 3, row: 2, place: 1)]
        try await store.save(&pews)
        var other = Pew(id: 4, row: 2, place: 1)
        let error = await #expect(throws: SluiceError.self) { try await store.save(&other) }
        #expect(error?.code == .unique && error?.identifier == "4" && error?.field == "row, place")
        #expect(try await store.count(Pew.all) == 3)
    }

    @Test func takesBackTransactionsAndParts() async throws {
        struct Stop: Error {}
        let store = try Store.temporary(Note.self)
        await #expect(throws: Stop.self) {
            try await store.write { tx in
                var note = Note(text: "a")
                try tx.insert(&note)
                throw Stop()
            }
        }
        try await store.write { tx in
            var note = Note(text: "kept")
            try tx.insert(&note)
            #expect(throws: Stop.self) {
                try tx.part {
                    var other = Note(text: "b")
                    try tx.insert(&other)
                    throw Stop()
                }
            }
        }
        #expect(try await store.fetch(Note.all).map(\.text) == ["kept"])
    }

    @Test func changesAllRecordsOfAQuery() async throws {
        let store = try Store.temporary(Book.self)
        var all = (1...5).map { id in
            Book(id: id, title: "T", pageCount: id, kind: .novel, price: nil, settings: nil, color: nil)
        }
        try await store.save(&all)
        let count = try await store.write { tx in
            try tx.update(Book.where { $0.pageCount > 3 }, Book.path.price.set(7), Book.path.kind.set(.essay))
        }
        #expect(count == 2)
        #expect(try await store.fetch(Book.where { $0.price == 7 && $0.kind == .essay }).map(\.id) == [4, 5])
    }
}

@PersistentModel(unique: [["row", "place"]])
private struct Pew {
    let id: Int
    var row: Int
    var place: Int
}

@PersistentModel private struct SavedTag {
    let id: Int
    var text: String
}

@PersistentModel(table: "saved_tag") private struct FormerSavedTag {
    @Attribute(.identifier) let text: String
    var weight: Int?
}
