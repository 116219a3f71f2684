import Foundation
import Sluice
import SluiceTesting
import Testing

/// Blocks of the catalogue's pages that a service needs.
struct ServiceManualTests {
    @Test func asksAWorkerAsThePageOfTestsShows() async throws {
        let worker: any StoreWorker = try Store.temporary(UserRecord.self)
        try await worker.upsert(["Ann", "Bob", "Cy"].map { User(id: $0.prefix(1).lowercased(), name: $0) })
        let all = try await worker.get(User.self)
        let number = try await worker.count(User.self)
        let some = try await worker.get(User.self, UserRecord.where { $0.name == "Ann" })
        try await worker.remove(User.self, "a")
        try await worker.removeAll(User.self, UserRecord.where { $0.name == "Bob" })
        #expect(all.count == 3 && number == 3 && some.map(\.id) == ["a"])
        #expect(try await worker.get(User.self).map(\.id) == ["c"])
        #expect(try await worker.remove(User.self, "a") == false)
    }

    @Test func failsAsThePageOfTestsShows() async throws {
        let stub = StubWorker(answers: [User(id: "a", name: "Ann")])
        stub.fail(.upsert, with: SluiceError(.stale, "Others changed the user."))
        let error = await #expect(throws: SluiceError.self) {
            try await UserService(worker: stub).rename("a", to: "An")
        }
        #expect(error?.code == .stale && error?.message == "Others changed the user.")
    }

    /// A second undo takes back the run before, and not the first undo; what a run inserted counts too.
    @Test func takesRunsBackAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialWork.self)
        func undo() async throws -> String {
            for run in try await store.history(limit: 100) where run.undoes == nil && run.undoneBy == nil {
                let result = try await store.undo(run: run.id)
                // A run that changed nothing has nothing to take back.
                if result.run == nil { continue }
                let rows = result.summary.insert + result.summary.update + result.summary.delete
                return "\(rows) changed back"
            }
            return "nothing to undo"
        }
        for title in ["Dune", "Dune Messiah", "Dune Messiah"] {
            try await store.sync(
                TutorialWork.self, from: #"[{"id": 1, "title": "\#(title)"}]"#, .init(source: "catalogue"))
        }
        #expect(try await undo() == "1 changed back")
        #expect(try await store.fetch(TutorialWork.all).map(\.title) == ["Dune"])
        #expect(try await undo() == "1 changed back")
        #expect(try await store.count(TutorialWork.all) == 0)
        #expect(try await undo() == "nothing to undo")
    }

    @Test func writesAtOnceAsThePageOfSavingShows() async throws {
        let store = try Store.temporary(TutorialBook.self)
        var book = TutorialBook(id: 12, title: "Tehanu", price: nil, author: nil)
        try await store.insert(&book)
        try await store.delete(TutorialBook.self, 12)
        var authors = [
            TutorialAuthor(id: 3, name: "Jane Austen", books: []), TutorialAuthor(id: 4, name: "Ovid", books: []),
        ]
        try await store.insert(&authors)
        try await store.upsert([TutorialBook(id: 13, title: "Emma", price: 8, author: Ref(3))])
        #expect(try await store.fetch(TutorialBook.all).map { $0.author?.key } == [3])
        let taken = await #expect(throws: SluiceError.self) {
            var more = [TutorialAuthor(id: 5, name: "x", books: []), TutorialAuthor(id: 4, name: "y", books: [])]
            try await store.insert(&more)
        }
        let count = try await store.count(TutorialAuthor.all)
        #expect(taken?.code == .exists && taken?.identifier == "4" && count == 2)
        var again = TutorialBook(id: 1, title: "a", price: nil, author: nil)
        try await store.insert(&again)
        var other = TutorialBook(id: 1, title: "b", price: nil, author: nil)
        let error = await #expect(throws: SluiceError.self) { try await store.insert(&other) }
        #expect(error?.code == .exists)
        #expect(try await store.delete(TutorialBook.self, 7) == false)
    }

    @Test func plansAndTakesBackAsThePageOfJSONShows() async throws {
        let store = try Store.temporary(TutorialBook.self)
        let json = #"[{"id": 1, "title": "Dune"}]"#
        let name = "shop"
        let options = SyncOptions(source: Source(name), missing: .hard())
        let plan = try await store.plan(TutorialBook.self, from: json, options)
        let result: SyncResult<TutorialBook> = try await store.sync(TutorialBook.self, from: json, options)
        if let run = result.run { try await store.undo(run: run) }
        #expect(plan.run == nil && plan.summary.insert == 1 && result.summary.insert == 1)
        #expect(try await store.count(TutorialBook.all) == 0)
    }

    @Test func triesOnceMoreAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialWork.self)
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "a"}, {"id": "x"}]"#)
        let retried = try await store.retryQuarantine(TutorialWork.self)
        print(retried.taken, retried.stayed)
        let waiting = try await store.quarantine(of: TutorialWork.self)
        try await store.drop(waiting, who: "ann")
        #expect(waiting.count == 1 && retried.taken == 0)
        #expect(try await store.quarantine(of: TutorialWork.self).isEmpty)
    }
}
