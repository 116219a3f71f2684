// The service with the answers of a test, and with a store in memory.
import Sluice
import SluiceTesting
import Testing
import Users

struct UserServiceTests {
    private let ann = User(id: "a", name: "Ann")

    @Test func renamesWithAnswersOfATest() async throws {
        let stub = StubWorker(answers: [ann])
        try await UserService(worker: stub).rename("a", to: "Anna")
        #expect(stub.calls == [.get("User", "a"), .upsert("User", 1)])
        #expect(stub.upserted(User.self) == [User(id: "a", name: "Anna")])
    }

    @Test func saysWhoIsMissing() async throws {
        let store = try Store.temporary(UserRecord.self)
        let error = await #expect(throws: UserService.NoUser.self) {
            try await UserService(worker: store).rename("a", to: "Anna")
        }
        #expect(error?.id == "a")
    }

    @Test func renamesInAStore() async throws {
        let store = try Store.temporary(UserRecord.self)
        try await store.upsert([ann])
        try await UserService(worker: store).rename("a", to: "Anna")
        #expect(try await store.get(User.self, "a")?.name == "Anna")
        try await UserRecord(id: "b", name: "Bob").requireRoundTrip()
        try await store.requireIndex(for: UserRecord.where { $0.id == "a" })
    }
}
