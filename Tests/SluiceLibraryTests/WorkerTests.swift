import Foundation
import Sluice
import SluiceTesting
import Testing

@PersistentModel(table: "users")
struct UserRecord: Equatable {
    let id: String
    var name: String
    var team: String?
}

struct User: RecordConvertible, Equatable {
    struct NoName: Error {}

    var id: String
    var name: String

    init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    init(record: UserRecord) throws {
        if record.name.isEmpty { throw NoName() }
        self.init(id: record.id, name: record.name)
    }

    func makeRecord() throws -> UserRecord {
        if name.isEmpty { throw NoName() }
        return UserRecord(id: id, name: name)
    }
}

struct UserService {
    struct NoUser: Error {}

    let worker: any StoreWorker

    func rename(_ id: String, to name: String) async throws {
        guard var user = try await worker.get(User.self, id) else { throw NoUser() }
        user.name = name
        try await worker.upsert([user])
    }
}

struct WorkerTests {
    private let ann = User(id: "a", name: "Ann")
    private let bob = User(id: "b", name: "Bob")

    // MARK: A store

    @Test func aStoreIsAWorker() async throws {
        let store = try Store.temporary(UserRecord.self)
        let worker: any StoreWorker = store
        await #expect(throws: UserService.NoUser.self) { try await UserService(worker: worker).rename("a", to: "Anna") }
        try await worker.upsert([ann, bob])
        try await UserService(worker: worker).rename("a", to: "Anna")
        #expect(try await worker.get(User.self, "a")?.name == "Anna")
        #expect(
            try await worker.get(User.self, UserRecord.order(by: \.name, .descending)).map(\.name) == ["Bob", "Anna"])
        #expect(try await worker.count(User.self, UserRecord.where { $0.name == "Bob" }) == 1)
        try await worker.remove([bob, User(id: "c", name: "Nobody")])
        #expect(try await worker.get(User.self, UserRecord.all).map(\.id) == ["a"])
        try await worker.removeAll(User.self, UserRecord.all)
        #expect(try await worker.count(User.self, UserRecord.all) == 0)
    }

    @Test func aModelIsItsOwnRecord() async throws {
        let worker: any StoreWorker = try Store.temporary(UserRecord.self)
        let record = UserRecord(id: "a", name: "Ann", team: "red")
        try await worker.upsert([record])
        #expect(try await worker.get(UserRecord.self, "a") == record)
        #expect(try await worker.get(UserRecord.self, "b") == nil)
    }

    @Test func writesAllOrNothing() async throws {
        let store = try Store.temporary(UserRecord.self)
        let error = await #expect(throws: SluiceError.self) { try await store.upsert([ann, User(id: "b", name: "")]) }
        #expect(error?.code == .box && error?.entity == "UserRecord" && error?.underlying is User.NoName)
        #expect(try await store.count(UserRecord.all) == 0)
    }

    @Test func saysWhichRecordIsNoSuchValue() async throws {
        let store = try Store.temporary(UserRecord.self)
        try await store.write { try $0.execute("INSERT INTO users (id, name) VALUES ('a', '')") }
        let error = await #expect(throws: SluiceError.self) { try await store.get(User.self, UserRecord.all) }
        #expect(error?.code == .unbox && error?.identifier == "a" && error?.underlying is User.NoName)
        #expect(error?.message == "User a cannot be made of its record: NoName. The error is `underlying`.")
    }

    @Test(.timeLimit(.minutes(1))) func showsChangesAsValues() async throws {
        let worker: any StoreWorker = try Store.temporary(UserRecord.self)
        var seen = worker.values(User.self, UserRecord.all).makeAsyncIterator()
        #expect(try await seen.next() == [])
        try await worker.upsert([ann])
        #expect(try await seen.next() == [ann])
    }

    // MARK: A stub

    @Test func aStubNotesWhatItIsAskedFor() async throws {
        let stub = StubWorker(answers: [ann])
        try await UserService(worker: stub).rename("a", to: "Anna")
        await #expect(throws: UserService.NoUser.self) { try await UserService(worker: stub).rename("b", to: "Bert") }
        #expect(stub.calls == [.get("User", "a"), .upsert("User", 1), .get("User", "b")])
        #expect(stub.upserted(User.self) == [User(id: "a", name: "Anna")])
        #expect(try await stub.get(User.self, "a") == ann, "what is upserted is no answer")
    }

    @Test func aStubGivesAnswersByType() async throws {
        let stub = StubWorker(answers: [ann, UserRecord(id: "r", name: "Rob")])
        #expect(try await stub.get(User.self, UserRecord.all) == [ann])
        #expect(try await stub.count(UserRecord.self, UserRecord.all) == 1)
        stub.answer(User.self, with: [bob, ann])
        #expect(try await stub.get(User.self, UserRecord.all) == [bob, ann])
        #expect(try await stub.get(UserRecord.self, "r")?.name == "Rob")
        try await stub.remove([bob])
        try await stub.removeAll(User.self, UserRecord.all)
        #expect(stub.removed(User.self) == [bob])
        var seen = stub.values(User.self, UserRecord.all).makeAsyncIterator()
        #expect(try await seen.next() == [bob, ann])
        #expect(try await seen.next() == nil)
        #expect(
            stub.calls == [
                .fetch("User"), .count("UserRecord"), .fetch("User"), .get("UserRecord", "r"), .remove("User", 1),
                .removeAll("User"), .values("User"),
            ])
    }

    @Test func aStubFailsWhereItIsTold() async throws {
        struct Broken: Error {}
        let stub = StubWorker(answers: [ann])
        stub.fail(.upsert, .values, with: Broken())
        await #expect(throws: Broken.self) { try await UserService(worker: stub).rename("a", to: "Anna") }
        #expect(stub.calls == [.get("User", "a"), .upsert("User", 1)] && stub.upserted(User.self).isEmpty)
        var seen = stub.values(User.self, UserRecord.all).makeAsyncIterator()
        await #expect(throws: Broken.self) { try await seen.next() }
        stub.fail(with: nil)
        try await UserService(worker: stub).rename("a", to: "Anna")
        stub.fail(with: Broken())
        await #expect(throws: Broken.self) { try await stub.count(User.self, UserRecord.all) }
    }
}
