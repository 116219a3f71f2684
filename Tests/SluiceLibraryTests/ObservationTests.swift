import Foundation
import Observation
import Sluice
import SluiceSQLite
import TestSupport
import Testing

/// What shows records: a class of the program's own, beside the library in one file.
@MainActor @Observable private final class Screen {
    let notes: Results<Note>
    var title = "Notes"

    init(store: Store) { notes = Results(Note.order(by: \.id), in: store) }

    /// Waits until something holds, woken by what is observed.
    func wait(until condition: @escaping @MainActor (Screen) -> Bool) async {
        while !condition(self) {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                _ = condition(self)
            } onChange: {
                continuation.yield()
            }
            for await _ in changes { break }
        }
    }
}

struct ObservationTests {
    @Test(.timeLimit(.minutes(10))) @MainActor func resultsChangeAsTheStoreDoes() async throws {
        let store = try Store.temporary(Note.self)
        let screen = Screen(store: store)
        #expect(screen.notes.values.isEmpty && !screen.notes.isLoaded)
        await screen.wait { $0.notes.isLoaded }
        var note = Note(text: "one")
        try await store.save(&note)
        await screen.wait { $0.notes.values.map(\.text) == ["one"] }
        try await store.write { try $0.execute("DROP TABLE note") }
        await screen.wait { $0.notes.error != nil }
        #expect(screen.notes.values.map(\.text) == ["one"])
        #expect((screen.notes.error as? SluiceError)?.code == .invalidSQL)
    }

    @Test(.timeLimit(.minutes(10))) @MainActor func resultsEndWithTheirOwner() async throws {
        let store = try Store.temporary(Note.self)
        var results: Results<Note>? = Results(Note.all, in: store)
        weak let held = results
        #expect(held != nil)
        results = nil
        #expect(held == nil)
    }

    /// What is read with a record changes it for those who look.
    @Test(.timeLimit(.minutes(10))) func showsWhatIsReadWithRecords() async throws {
        let store = try Store.temporary(Rack.self)
        var rack = Rack(id: 1, boxes: [Box(id: 1, text: "a")], lid: Box(id: 2, text: "b"), owner: nil)
        var owner = Keeper(id: 1, name: "Ann", racks: [])
        try await store.save(&owner)
        try await store.save(&rack)
        try await store.update(Rack.self, 1) { $0.owner = Ref(1) }
        var seen = store.values(Rack.all.including(\.owner)).makeAsyncIterator()
        #expect(try await seen.next()?.first?.owner?.value?.name == "Ann")
        try await store.update(Keeper.self, 1) { $0.name = "Bob" }
        #expect(try await seen.next()?.first?.owner?.value?.name == "Bob")
        try await store.update(Box.self, 1) { $0.text = "c" }
        #expect(try await seen.next()?.first?.boxes.first?.text == "c")
        try await store.update(Box.self, 2) { $0.text = "d" }
        #expect(try await seen.next()?.first?.lid?.text == "d")
        var keepers = store.values(Keeper.including(\.racks)).makeAsyncIterator()
        #expect(try await keepers.next()?.first?.racks.values?.count == 1)
        try await store.write { _ = try $0.delete(Rack.self, 1) }
        #expect(try await keepers.next()?.first?.racks.values?.count == 0)
    }

    @Test(.timeLimit(.minutes(10))) func showsWhatTheProgramCommits() async throws {
        let store = try Store.temporary(Note.self)
        var seen = store.values(Note.where { $0.text != "quiet" }).makeAsyncIterator()
        #expect(try await seen.next()?.isEmpty == true)
        var note = Note(text: "one")
        try await store.save(&note)
        #expect(try await seen.next()?.map(\.text) == ["one"])
        // What is the same is not told again.
        var quiet = Note(text: "quiet")
        try await store.save(&quiet)
        note.text = "two"
        try await store.save(&note)
        #expect(try await seen.next()?.map(\.text) == ["two"])
    }

    @Test(.timeLimit(.minutes(10))) func showsWhatASyncCommits() async throws {
        let store = try Store.temporary(ShopBook.self)
        var counts = store.counts(ShopBook.all).makeAsyncIterator()
        var runs = store.runs().makeAsyncIterator()
        #expect(try await counts.next() == 0)
        #expect(try await runs.next()?.isEmpty == true)
        let run = try await store.sync(ShopBook.self, from: #"[{"id":1,"title":"A"}]"#).run
        #expect(try await counts.next() == 1)
        #expect(try await runs.next()?.map(\.id) == run.map { [$0] })
        try await store.undo(run: run ?? 0)
        #expect(try await counts.next() == 0)
    }

    /// Another store on the same file is what another program is: it has connections of its own.
    @Test(.timeLimit(.minutes(10))) func showsWhatOthersCommit() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/notes.db"
        var options = StoreOptions()
        options.watch = .polling(.milliseconds(5))
        let store = try Store(path, models: Note.self, options: options)
        var seen = store.values(Note.all).makeAsyncIterator()
        #expect(try await seen.next()?.isEmpty == true)
        let other = try Store(path, models: Note.self)
        for number in 1...5 {
            var note = Note(text: "\(number)")
            try await other.save(&note)
            var latest: [Note] = []
            while latest.count != number { latest = try #require(try await seen.next()) }
            #expect(latest.last?.text == "\(number)")
        }
    }

    /// A query is asked again for commits alone that change what it reads. Somebody takes its table away unnoticed, and brings it
    /// back with another row: a query that is asked meanwhile fails.
    @Test(.timeLimit(.minutes(10))) func asksAgainForItsOwnTables() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/notes.db"
        var options = StoreOptions()
        options.watch = .none
        options.readers = 1
        let store = try Store(path, models: Note.self, Keeper.self, Rack.self, Box.self, options: options)
        var notes = store.values(Note.order(by: \.id)).makeAsyncIterator()
        var counts = store.counts(Note.all).makeAsyncIterator()
        var keepers = store.counts(Keeper.all).makeAsyncIterator()
        #expect(try await notes.next()?.isEmpty == true)
        #expect(try await counts.next() == 0)
        #expect(try await keepers.next() == 0)
        let shell = try Connection(path: path, mode: .existing)
        try shell.execute("ALTER TABLE note RENAME TO gone")
        for number in 1...3 {
            var keeper = Keeper(id: number, name: "Ann", racks: [])
            try await store.save(&keeper)
            #expect(try await keepers.next() == number)
        }
        try shell.execute("ALTER TABLE gone RENAME TO note")
        var note = Note(text: "one")
        try await store.save(&note)
        #expect(try await notes.next()?.map(\.text) == ["one"])
        #expect(try await counts.next() == 1)
        // A trigger and a statement of the program count as well.
        try await store.write {
            try $0.execute("CREATE TRIGGER followed AFTER INSERT ON keeper BEGIN UPDATE note SET text = new.name; END")
        }
        var keeper = Keeper(id: 4, name: "Bob", racks: [])
        try await store.save(&keeper)
        #expect(try await notes.next()?.map(\.text) == ["Bob"])
        try await store.write { try $0.execute("DELETE FROM note") }
        #expect(try await notes.next()?.isEmpty == true)
        #expect(try await counts.next() == 0)
    }

    /// What the system says of the program's own commits wakes nobody else, and those of others are seen beside them.
    @Test(.timeLimit(.minutes(10))) func seesOthersBesideItself() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/notes.db"
        let store = try Store(path, models: Note.self, Keeper.self, Rack.self, Box.self)
        let other = try Store(path, models: Note.self)
        var seen = store.counts(Note.all).makeAsyncIterator()
        #expect(try await seen.next() == 0)
        for number in 1...5 {
            var keeper = Keeper(id: number, name: "Ann", racks: [])
            try await store.save(&keeper)
            var note = Note(text: "\(number)")
            try await other.save(&note)
            keeper.name = "Bob"
            try await store.save(&keeper)
            while true {
                let latest = try #require(try await seen.next())
                if latest == number { break }
            }
        }
    }

    @Test(.timeLimit(.minutes(10))) func endsWithItsTask() async throws {
        let store = try Store.temporary(Note.self)
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for try await _ in store.values(Note.all) {
                count += 1
                continuation.yield()
            }
            return count
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == 1)
        // The store goes on.
        var note = Note(text: "after")
        try await store.save(&note)
    }

    @Test(.timeLimit(.minutes(10))) func endsWithAnError() async throws {
        let store = try Store.temporary(Note.self)
        var seen = store.values(Note.all).makeAsyncIterator()
        _ = try await seen.next()
        try await store.write { try $0.execute("DROP TABLE note") }
        await #expect(throws: SluiceError.self) { _ = try await seen.next() }
    }
}

@PersistentModel private struct Rack {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var boxes: [Box]
    @Relationship(inverse: .none, deleteRule: .nullify) var lid: Box?
    @Relationship(inverse: "racks", deleteRule: .nullify) var owner: Ref<Keeper>?
    var origin = Origin()
}

@PersistentModel private struct Box {
    let id: Int
    var text: String
    var origin = Origin()
}

@PersistentModel private struct Keeper {
    let id: Int
    var name: String
    @Relationship(inverse: "owner", deleteRule: .nullify) var racks: Refs<Rack>
}
