// A service that knows no store: it asks a worker, which a test replaces.
import Sluice

/// How a user is kept.
@PersistentModel(table: "users", initializer: true)
public struct UserRecord {
    public let id: String
    public var name: String
}

/// What the program works with.
public struct User: RecordConvertible, Equatable {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public init(record: UserRecord) throws { self.init(id: record.id, name: record.name) }

    public func makeRecord() throws -> UserRecord { UserRecord(id: id, name: name) }
}

public struct UserService: Sendable {
    public struct NoUser: Error { public let id: String }

    let worker: any StoreWorker

    public init(worker: any StoreWorker) { self.worker = worker }

    public func rename(_ id: String, to name: String) async throws {
        guard var user = try await worker.get(User.self, id) else { throw NoUser(id: id) }
        user.name = name
        try await worker.upsert([user])
    }
}
