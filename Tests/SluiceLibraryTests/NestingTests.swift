import Sluice
import TestSupport
import Testing

/// What actors begin within what is open already.
struct NestingTests {
    @StoreActor actor Desk {
        /// A transaction within one, and what goes on in the one around it.
        func nested(recording: Bool) throws -> SluiceError? {
            try transaction { tx in
                var refusal: SluiceError?
                do {
                    if recording {
                        try transaction(recording: .on) { _ = try $0.deleteAll(Note.all) }
                    } else {
                        try transaction { _ = try $0.deleteAll(Note.all) }
                    }
                } catch let error as SluiceError { refusal = error }
                try tx.part { try tx.update(Note.self, 1) { $0.text += "b" } }
                return refusal
            }
        }

        func textsWithin() throws -> [String] {
            try transaction { tx in
                try tx.update(Note.self, 1) { $0.text = "b" }
                return try read { try $0.fetch(Note.all).map(\.text) }
            }
        }

        func countWithinRead() throws -> Int { try read { _ in try read { try $0.count(Note.all) } } }

        func transactionWithinRead() throws { try read { _ in try transaction { _ = try $0.deleteAll(Note.all) } } }
    }

    @MainActor @MainStoreActor final class Board {
        func nested() throws -> SluiceError? {
            try transaction { tx in
                var refusal: SluiceError?
                do { try transaction { _ = try $0.deleteAll(Note.all) } } catch let error as SluiceError {
                    refusal = error
                }
                try tx.part { try tx.update(Note.self, 1) { $0.text += "c" } }
                return refusal
            }
        }

        func textsWithin() throws -> [String] {
            try transaction { tx in
                try tx.update(Note.self, 1) { $0.text = "c" }
                return try read { try $0.fetch(Note.all).map(\.text) }
            }
        }

        func countWithinRead() throws -> Int { try read { _ in try read { try $0.count(Note.all) } } }
    }

    private static func store(_ folder: TemporaryDirectory, inMemory isInMemory: Bool) async throws -> Store {
        var options = StoreOptions()
        options.readers = 1
        let store =
            isInMemory
            ? try Store.temporary(Note.self) : try Store(folder.path + "/notes.db", models: Note.self, options: options)
        try await store.upsert([Note(text: "a")])
        return store
    }

    /// A transaction within one is refused before anything of it is done, and the one around it goes on.
    @Test(arguments: [false, true]) func aTransactionIsRefused(inMemory isInMemory: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store = try await Self.store(folder, inMemory: isInMemory)
        let desk = Desk(store: store)
        let refusals = [
            try await desk.nested(recording: false), try await desk.nested(recording: true),
            try await Board(store: store).nested(),
        ]
        for error in refusals {
            #expect(error?.code == .refused)
            #expect(error?.message.contains("Use the one that is open, or its `part`") == true)
        }
        #expect(try await store.fetch(Note.all).map(\.text) == ["abbc"])
    }

    /// A read within a transaction sees what that wrote, and within a read the same.
    @Test(arguments: [false, true]) func aReadIsPartOfWhatIsOpen(inMemory isInMemory: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store = try await Self.store(folder, inMemory: isInMemory)
        let desk = Desk(store: store)
        let board = await Board(store: store)
        #expect(try await desk.textsWithin() == ["b"])
        #expect(try await board.textsWithin() == ["c"])
        #expect(try await desk.countWithinRead() == 1)
        #expect(try await board.countWithinRead() == 1)
    }

    /// A transaction within a read of the same connection is refused, and the store goes on.
    @Test(arguments: [false, true]) func aTransactionWithinARead(inMemory isInMemory: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store = try await Self.store(folder, inMemory: isInMemory)
        let error = await #expect(throws: SluiceError.self) {
            try await Desk(store: store).transactionWithinRead()
        }
        #expect(error?.code == .refused && error?.message.contains("A read is open here") == true)
        #expect(try await store.count(Note.all) == 1)
        try await store.update(Note.self, 1) { $0.text = "b" }
    }
}
