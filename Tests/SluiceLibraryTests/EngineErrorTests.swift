import Foundation
import Sluice
import TestSupport
import Testing

/// What the layers below say is wrong, as errors of programs: each with the record that it is about, in words of programs, and without
/// values of records in its message.
struct EngineErrorTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/urns.db" }

    init() throws { folder = try TemporaryDirectory() }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: SluiceError.Code
        var identifier: String?
        var field: String?
        var entity: String? = "Urn"
        /// What the message says.
        var says: [String] = []
        /// What the message for those who look for faults says besides.
        var shows: [String] = []
        let fail: @Sendable (Store, String) async throws -> Void
    }

    private static func options(_ change: (inout SyncOptions) -> Void = { _ in }) -> SyncOptions {
        var options = SyncOptions(source: "s")
        change(&options)
        return options
    }

    /// Syncs what a source says, which may be in conflict with what people changed.
    private static func sync(
        _ store: Store, _ json: String, _ change: (inout SyncOptions) -> Void = { _ in }
    ) async throws {
        try await store.sync(Urn.self, from: json, options(change))
    }

    private static let cases: [Case] = [
        Case(
            testDescription: "a field that both sides changed", code: .conflict, identifier: "2", field: "longName",
            says: ["`longName` of Urn 2 was changed on both sides", "`.fail`, which ends the sync", "`onConflict`"],
            shows: [#"store: "secret here""#, #"source: "secret there""#]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a"}]"#)
            try await store.update(Urn.self, 2) { $0.longName = "secret here" }
            try await sync(store, #"[{"id": 2, "long_name": "secret there"}]"#) { $0.onConflict = .fail }
        },
        Case(
            testDescription: "a record that is gone here and changed there", code: .conflict, identifier: "2",
            says: ["Urn 2 was deleted here and changed at the source", "`onConflict`"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a"}]"#)
            try await store.delete(Urn.self, 2)
            try await sync(store, #"[{"id": 2, "long_name": "secret"}]"#) { $0.onConflict = .fail }
        },
        Case(
            testDescription: "a record that was edited here and is gone there", code: .conflict, identifier: "2",
            says: ["Urn 2 was edited here and is gone from the source"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a"}, {"id": 3, "long_name": "b"}]"#)
            try await store.update(Urn.self, 2) { $0.longName = "secret" }
            try await sync(store, #"[{"id": 3, "long_name": "b"}]"#) {
                $0.onConflict = .fail
                $0.missing = .hard(maximum: .percent(100))
            }
        },
        Case(
            testDescription: "a record by value that both sides changed", code: .conflict, identifier: "7",
            field: "text", entity: "UrnMark", says: ["`text` of UrnMark 7 was changed on both sides"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "marks": [{"id": 7, "text": "a"}]}]"#)
            try await store.update(UrnMark.self, 7) { $0.text = "secret here" }
            try await sync(store, #"[{"id": 2, "long_name": "a", "marks": [{"id": 7, "text": "secret there"}]}]"#) {
                $0.onConflict = .fail
            }
        },
        Case(
            testDescription: "a text where a number is wanted", code: .mismatch, identifier: "2", field: "factor",
            says: ["Record 2 does not fit: Expected a number, found a text that is none. Nothing was written."],
            shows: [#"source: "secret factor""#]
        ) { store, _ in
            let json = #"[{"id": 1, "long_name": "a"}, {"id": 2, "long_name": "a", "factor": "secret factor"}]"#
            try await sync(store, json) { $0.mismatch = .throw }
        },
        Case(
            testDescription: "a number that is none of the type", code: .mismatch, identifier: "2", field: "count",
            says: ["Expected a whole number of 64 bits, found a number that is none."], shows: ["source: 12345.5"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "count": 12345.5}]"#) { $0.mismatch = .throw }
        },
        Case(
            testDescription: "a number that no column holds", code: .mismatch, identifier: "2", field: "factor",
            says: ["The number cannot be stored exactly as a double"], shows: ["source: 9007199254740993"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "factor": 9007199254740993}]"#) {
                $0.mismatch = .throw
            }
        },
        Case(
            testDescription: "no value of an enum", code: .mismatch, identifier: "2", field: "kind",
            says: ["The value is no `UrnKind`: `kind` is one of `glass`, `clay`."], shows: [#"source: "secret""#]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "kind": "secret"}]"#) { $0.mismatch = .throw }
        },
        Case(
            testDescription: "a day in another spelling", code: .mismatch, identifier: "2", field: "made",
            says: ["Expected a date such as 2026-01-31, found a text that is none."]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "made": "secret day"}]"#) { $0.mismatch = .throw }
        },
        Case(
            testDescription: "a required property that is absent", code: .mismatch, identifier: "2", field: "longName",
            says: ["`longName` is missing"]
        ) { store, _ in try await sync(store, #"[{"id": 2}]"#) { $0.mismatch = .throw } },
        Case(
            testDescription: "a record by value that does not fit", code: .mismatch, identifier: "2", field: "marks",
            says: ["found a text that is none"]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "a", "marks": [{"id": "secret", "text": "a"}]}]"#) {
                $0.mismatch = .throw
            }
        },
        Case(
            testDescription: "a record without an identifier", code: .mismatch, field: "id", says: ["`id` is missing"]
        ) { store, _ in try await sync(store, #"[{"long_name": "secret"}]"#) { $0.mismatch = .throw } },
        Case(
            testDescription: "what a closure throws", code: .mismatch, identifier: "2",
            says: ["It was refused with an error of the type `Refusal`."]
        ) { store, _ in
            struct Refusal: Error { let value = "secret" }
            try await store.sync(
                Urn.self, from: #"[{"id": 2, "long_name": "a"}]"#, options { $0.mismatch = .throw }
            ) { _ in throw Refusal() }
        },
        Case(
            testDescription: "a value that no decoder takes", code: .mismatch,
            says: ["kind` cannot be read."]
        ) { store, _ in
            let json = #"[{"id": 2, "long_name": "a", "kind": "secret"}]"#
            let values = try JSONDecoder().decode(Upserts<CodedUrn>.self, from: Data(json.utf8))
            let store = try Store.temporary(CodedUrn.self)
            try await store.sync(values, options { $0.mismatch = .throw })
        },
        Case(
            testDescription: "two records of one identifier", code: .duplicate, identifier: "2",
            says: ["Two records of Urn have the identifier 2 and differ: records 1 and 2. Nothing was written."]
        ) { store, _ in
            try await sync(store, #"[{"id": 2, "long_name": "secret"}, {"id": 2, "long_name": "b"}]"#) {
                $0.onDuplicate = .fail
            }
        },
        Case(
            testDescription: "no JSON", code: .invalidJSON, entity: nil,
            says: ["The JSON, record 1, cannot be read", "Nothing was written."]
        ) { store, _ in try await sync(store, #"[{"id": 2, "long_name": secret}]"#) },
        Case(
            testDescription: "a value that no column holds, saved", code: .box, identifier: "2", field: "factor",
            says: ["Urn 2 cannot be stored"]
        ) { store, _ in
            var urn = Urn(id: 2, longName: "secret", factor: .nan)
            try await store.save(&urn)
        },
        Case(
            testDescription: "a value that no column holds, saved with others", code: .box, identifier: "2",
            field: "factor", says: ["Urn 2 cannot be stored"]
        ) { store, _ in
            try await store.upsert([Urn(id: 1, longName: "a"), Urn(id: 2, longName: "secret", factor: .nan)])
        },
        Case(
            testDescription: "a value that no column holds, updated", code: .box, identifier: "2", field: "factor",
            says: ["Urn 2 cannot be stored"]
        ) { store, _ in
            try await store.upsert([Urn(id: 2, longName: "secret")])
            try await store.update(Urn.self, 2) { $0.factor = .nan }
        },
        Case(
            testDescription: "a value that no column holds, synced", code: .box, identifier: "2", field: "factor",
            says: ["Urn 2 cannot be stored"]
        ) { store, _ in try await store.sync([Urn(id: 2, longName: "secret", factor: .nan)], options()) },
        Case(
            testDescription: "what a transform throws", code: .box, identifier: "2", field: "seal",
            says: ["`seal`: SecretSeal refuses it with an error of the type `Broken`"]
        ) { store, _ in try await store.upsert([Urn(id: 2, longName: "a", seal: "secret")]) },
        Case(
            testDescription: "a column of another type", code: .schemaMismatch, field: "longName",
            says: ["`longName`"]
        ) { _, path in _ = try Store(path, models: NumberedUrn.self) },
        Case(
            testDescription: "a table that lacks a property", code: .schemaMismatch, entity: nil,
            says: ["Open it once with `schemaChanges: .extend`."]
        ) { _, path in
            var options = StoreOptions()
            options.schemaChanges = .verify
            _ = try Store(path, models: LaterUrn.self, options: options)
        },
        Case(
            testDescription: "what a migration throws", code: .migration, entity: nil,
            says: ["`1 seals` failed: its error is `Broken`, as `underlying`."]
        ) { _, path in
            var options = StoreOptions()
            options.migrations = [Migration("1 seals") { _ in throw SecretSeal.Broken(value: "secret") }]
            _ = try Store(path, models: Urn.self, options: options)
        },
        Case(
            testDescription: "a decision over what was decided", code: .refused, identifier: "2", field: "longName",
            says: ["is not open any more"]
        ) { store, _ in
            let conflict = try await openConflict(store)
            try await store.resolve(conflict, .local)
            try await store.resolve(conflict, .set(\.longName, "c"))
        },
        Case(
            testDescription: "a decision for a value that no column holds", code: .box, field: "factor",
            says: ["Urn cannot be stored: `factor`"]
        ) { store, _ in
            try await store.resolve(try await openConflict(store), .set(\.factor, .nan))
        },
    ]

    private static func openConflict(_ store: Store) async throws -> Conflict<Urn> {
        try await sync(store, #"[{"id": 2, "long_name": "a"}]"#)
        try await store.update(Urn.self, 2) { $0.longName = "secret here" }
        try await sync(store, #"[{"id": 2, "long_name": "secret there"}]"#)
        return try #require(try await store.conflicts(of: Urn.self).first)
    }

    @Test(arguments: cases) func saysWhichRecordAndNoValue(_ row: Case) async throws {
        let store = try Store(path, models: Urn.self)
        let error = try #require(
            await #expect(throws: SluiceError.self) { try await row.fail(store, path) })
        #expect(error.code == row.code)
        #expect(error.entity == row.entity && error.identifier == row.identifier && error.field == row.field)
        for words in row.says { #expect(error.message.contains(words), "\(error.message)") }
        for word in ["secret", "12345", "on_", "primary_key", "--", "`format`", "long_name"] {
            #expect(!error.message.contains(word), "\(error.message)")
        }
        for words in row.shows { #expect(error.debugDescription.contains(words), "\(error.debugDescription)") }
    }
}

enum UrnKind: String, StoredValue, CaseIterable, Decodable { case glass, clay }

enum SecretSeal: ValueTransform {
    struct Broken: Error { let value: String }
    static func stored(_ value: String) throws -> String { throw Broken(value: value) }
    static func value(_ stored: String) throws -> String { stored }
}

@PersistentModel(names: .snakeCase) struct Urn {
    let id: Int
    var longName: String
    var factor: Double?
    var count: Int?
    var kind: UrnKind?
    var made: Day?
    @Attribute(storageMethod: .transformed(SecretSeal.self)) var seal: String?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "marks") var marks: [UrnMark] = []
}

@PersistentModel struct UrnMark {
    let id: Int
    var text: String
}

@PersistentModel(entity: "Urn", table: "coded", names: .snakeCase) struct CodedUrn: Decodable {
    let id: Int
    var longName: String
    var kind: UrnKind?
}

@PersistentModel(entity: "Urn", table: "urn", names: .snakeCase) struct NumberedUrn {
    let id: Int
    var longName: Int
}

@PersistentModel(entity: "Urn", table: "urn", names: .snakeCase) struct LaterUrn {
    let id: Int
    var longName: String
    var later: String?
}
