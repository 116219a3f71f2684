import Sluice
import Testing

/// A record that was deleted here with its parts and that a decision brings back has those that its source gives it: in lists and by themselves, and
/// the parts of these.
struct RevivedPartTests {
    /// What is seen of a record at the beginning, once it is back, and after one more sync that says nothing new.
    private typealias Life = @Sendable () async throws -> [[String]]

    private static func life<M: PersistentModel>(
        of type: M.Type, _ members: String, _ words: @escaping @Sendable (M) -> [String?]
    ) -> Life where M.Identifier == Int {
        {
            let store = try Store.temporary(M.self)
            let options = SyncOptions(source: "s")
            func sync(_ note: String) async throws {
                try await store.sync(M.self, from: #"{"id": 1, "note": "\#(note)", \#(members)}"#, options)
            }
            func seen() async throws -> [String] { words(try await store.find(M.self, 1)).map { $0 ?? "nil" } }
            try await sync("a")
            var all = [try await seen()]
            try await store.delete(M.self, 1)
            try await sync("b")
            for conflict in try await store.conflicts(of: M.self) {
                #expect(conflict.kind == .deleteEdit)
                #expect(try await store.resolve(conflict, .remote) == .resolved)
            }
            for _ in 0..<2 {
                all.append(try await seen())
                #expect(try await store.conflicts().isEmpty)
                try await sync("b")
            }
            return all
        }
    }

    private static let cases: [(name: String, life: Life)] = [
        (
            "an optional one",
            life(of: BackRoom.self, #""hotel": {"id": 1, "name": "Post"}"#) { [$0.hotel?.name] }
        ),
        (
            "one that is not optional",
            life(of: BackCar.self, #""engine": {"id": 5, "name": "V8"}"#) { [$0.engine.name] }
        ),
        (
            "with a list beside",
            life(of: BackTrip.self, #""stops": [{"id": 1, "name": "Ulm"}], "hotel": {"id": 1, "name": "Post"}"#) {
                $0.stops.map(\.name) + [$0.hotel?.name]
            }
        ),
        (
            "one of a part, and a list of it",
            life(
                of: BackShip.self,
                #""hull": {"id": 1, "name": "H", "keel": {"id": 1, "name": "K"}, "ribs": [{"id": 1, "name": "R"}, {"id": 2, "name": "S"}]}"#
            ) { [$0.hull?.name, $0.hull?.keel?.name] + ($0.hull?.ribs.map(\.name) ?? []) }
        ),
        (
            "one of what is in a list",
            life(
                of: BackFleet.self,
                #""hulls": [{"id": 1, "name": "H", "keel": {"id": 1, "name": "K"}, "ribs": []}, {"id": 2, "name": "I", "keel": null, "ribs": []}]"#
            ) { $0.hulls.flatMap { [$0.name, $0.keel?.name] } }
        ),
    ]

    @Test(arguments: cases.indices) func comesBack(_ index: Int) async throws {
        let row = Self.cases[index]
        let seen = try await row.life()
        #expect(seen == Array(repeating: seen[0], count: 3), "\(row.name)")
    }

    /// What is told of a part is so: there is a row again, and its source has it.
    @Test func isToldAsItIs() async throws {
        let store = try Store.temporary(BackRoom.self)
        func sync(_ note: String) async throws {
            let json = #"{"id": 1, "note": "\#(note)", "hotel": {"id": 1, "name": "Post"}}"#
            try await store.sync(BackRoom.self, from: json, .init(source: "s"))
        }
        try await sync("a")
        try await store.delete(BackRoom.self, 1)
        try await sync("b")
        let conflict = try #require(try await store.conflicts(of: BackRoom.self).first)
        try await store.resolve(conflict, .remote)
        let life = try #require(try await store.life(of: BackHotel.self, 1).first)
        #expect(life.state == .live && life.isThere)
        let owner = try #require(try await store.life(of: BackRoom.self, 1).first)
        let hotel = owner.fields.first { $0.property == "hotel" }
        #expect(hotel?.json == "1" && hotel?.said == "1" && hotel?.isEdited == false)
        let run = try #require(try await store.history(limit: 1).first)
        _ = try await store.undo(run: run.id)
        #expect(try await store.count(BackRoom.all) == 0)
        #expect(try await store.count(BackHotel.all) == 0)
    }

    /// A part that another record has was never gone.
    @Test func isLeftWhereAnotherRecordHasIt() async throws {
        let store = try Store.temporary(BackRoom.self)
        func json(_ note: String) -> String {
            #"[{"id": 1, "note": "\#(note)", "hotel": {"id": 1, "name": "Post"}}, {"id": 2, "note": "x", "hotel": {"id": 1, "name": "Post"}}]"#
        }
        try await store.sync(BackRoom.self, from: json("a"), .init(source: "s"))
        try await store.update(BackHotel.self, 1) { $0.name = "Krone" }
        try await store.delete(BackRoom.self, 1)
        try await store.sync(BackRoom.self, from: json("b"), .init(source: "s"))
        let conflict = try #require(try await store.conflicts(of: BackRoom.self).first)
        try await store.resolve(conflict, .remote)
        #expect(try await store.fetch(BackRoom.order(by: \.id)).map { $0.hotel?.name } == ["Krone", "Krone"])
    }
}

@PersistentModel private struct BackRoom {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "hotel") var hotel: BackHotel?
    var origin = Origin()
}

@PersistentModel private struct BackTrip {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "stops") var stops: [BackStop]
    @Relationship(inverse: .none, deleteRule: .cascade, json: "hotel") var hotel: BackHotel?
    var origin = Origin()
}

@PersistentModel private struct BackHotel {
    let id: Int
    var name: String
    var origin = Origin()
}

@PersistentModel private struct BackStop {
    let id: Int
    var name: String
    var origin = Origin()
}

@PersistentModel private struct BackCar {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "engine") var engine: BackEngine
    var origin = Origin()
}

@PersistentModel private struct BackEngine {
    let id: Int
    var name: String
    var origin = Origin()
}

@PersistentModel private struct BackShip {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "hull") var hull: BackHull?
    var origin = Origin()
}

@PersistentModel private struct BackFleet {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "hulls") var hulls: [BackHull]
    var origin = Origin()
}

@PersistentModel private struct BackHull {
    let id: Int
    var name: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "keel") var keel: BackStop?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "ribs") var ribs: [BackRib]
    var origin = Origin()
}

@PersistentModel private struct BackRib {
    let id: Int
    var name: String
    var origin = Origin()
}
