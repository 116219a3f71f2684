import Foundation
import Sluice
import Testing

/// References to nothing that a program writes itself: they are refused, whatever sources filled the tables before.
struct ProgramReferenceTests {
    private static func job(_ id: Int, _ worker: Ref<JobWorker>? = nil) -> WorkedJob {
        WorkedJob(id: id, worker: worker)
    }

    /// What is written, of the job 1 that leads to the worker 7.
    static let writes: [(name: String, write: @Sendable (Transaction) throws -> Void, field: String?)] = [
        (
            "insert",
            {
                var job = Self.job(2, Ref(55))
                try $0.insert(&job)
            }, "worker"
        ),
        ("update", { try $0.update(WorkedJob.self, 1) { $0.worker = Ref(55) } }, "worker"),
        (
            "save",
            {
                var job = Self.job(1, Ref(55))
                try $0.save(&job)
            }, "worker"
        ),
        ("set", { _ = try $0.update(WorkedJob.all, WorkedJob.path.worker.set(Ref(55))) }, "worker"),
        ("delete of what is led to", { _ = try $0.delete(JobWorker.self, 7) }, "worker"),
        ("SQL", { try $0.execute("DELETE FROM job_worker") }, "worker"),
        ("nil", { try $0.update(WorkedJob.self, 1) { $0.worker = nil } }, nil),
        (
            "a worker of the same transaction",
            {
                var job = Self.job(2, Ref(55))
                try $0.insert(&job)
                var worker = JobWorker(id: 55, name: "Bo")
                try $0.insert(&worker)
            }, nil
        ),
    ]

    /// What was synced before.
    static let syncs: [(name: String, sync: @Sendable (Store) async throws -> Void)] = [
        ("nothing", { _ in }),
        ("nothing of the model", { try await $0.sync(WorkedJob.self, from: "[]", .init(source: "s")) }),
        (
            "the record",
            { try await $0.sync(WorkedJob.self, from: #"[{"id": 1, "worker": 7}]"#, .init(source: "s")) }
        ),
        (
            "a record that waits",
            { try await $0.sync(WorkedJob.self, from: #"[{"id": 3, "worker": 99}]"#, .init(source: "s")) }
        ),
        (
            "as a part of others",
            { try await $0.sync(WorkedDay.self, from: #"[{"id": 1, "jobs": [{"id": 4}]}]"#, .init(source: "s")) }
        ),
    ]

    @Test(arguments: writes.indices) func refusesReferencesToNothing(_ index: Int) async throws {
        let (name, write, field) = Self.writes[index]
        for (synced, sync) in Self.syncs {
            for recording in [nil, WriteRecording.by("ann")] {
                let store = try Store.temporary(WorkedJob.self, JobWorker.self, WorkedDay.self)
                var worker = JobWorker(id: 7, name: "Al")
                var job = Self.job(1, Ref(7))
                try await store.save(&worker)
                try await store.save(&job)
                try await sync(store)
                func perform() async throws {
                    if let recording {
                        try await store.write(recording: recording, write)
                    } else {
                        try await store.write(write)
                    }
                }
                if let field {
                    let error = await #expect(throws: SluiceError.self, "\(name), \(synced)") { try await perform() }
                    #expect(
                        error?.code == .dangling && error?.field == field, "\(name), \(synced): \(error?.message ?? "")"
                    )
                    #expect(try await store.find(WorkedJob.self, 1).worker == Ref(7), "\(name), \(synced)")
                } else {
                    try await perform()
                }
            }
        }
    }

    /// What a source says waits as before, and a program that brings the record links it.
    @Test func aSourcesReferenceWaits() async throws {
        let store = try Store.temporary(WorkedJob.self, JobWorker.self, WorkedDay.self)
        try await store.sync(WorkedJob.self, from: #"[{"id": 3, "worker": 99}]"#, .init(source: "s"))
        #expect(try await store.find(WorkedJob.self, 3).worker == nil)
        var worker = JobWorker(id: 99, name: "Cy")
        try await store.save(&worker)
        #expect(try await store.find(WorkedJob.self, 3).worker == Ref(99))
    }
}

@PersistentModel struct WorkedJob {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var worker: Ref<JobWorker>?
}

@PersistentModel struct JobWorker {
    let id: Int
    var name: String
}

@PersistentModel struct WorkedDay {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "jobs") var jobs: [WorkedJob]
}
