import Foundation
import Sluice
import TestSupport
import Testing

/// Structs whose parts have columns of their own.
struct CompositionTests {
    private static let here = Location(lat: 48.5, lng: 2.25, label: "Paris")

    private func branch(_ id: Int, _ area: Area? = nil, at location: Location = here) -> Branch {
        Branch(id: id, name: "B\(id)", location: location, area: area, manager: nil)
    }

    @Test func hasAColumnForEachPart() async throws {
        let store = try Store.temporary(Branch.self)
        let columns = try await store.rows("SELECT name FROM pragma_table_info('branch')").map { $0.texts[0] }
        #expect(
            columns == [
                "id", "name", "manager_id", "location_lat", "location_longitude", "location_label", "zone_corner_lat",
                "zone_corner_longitude", "zone_corner_label", "zone_size",
            ])
    }

    static let values: [(name: String, area: Area?, columns: [String?])] = [
        ("none", nil, [nil, nil, nil, nil]),
        (
            "a part that has parts", Area(corner: Location(lat: 1, lng: 2, label: nil), size: 3),
            ["1.0", "2.0", nil, "3"]
        ),
        ("a part of it is nil", Area(corner: nil, size: 3), [nil, nil, nil, "3"]),
    ]

    @Test(arguments: values.indices) func comesBackAsItWent(_ index: Int) async throws {
        let row = Self.values[index]
        let store = try Store.temporary(Branch.self)
        var value = branch(1, row.area)
        try await store.save(&value)
        let texts = try await store.rows(
            "SELECT zone_corner_lat, zone_corner_longitude, zone_corner_label, zone_size FROM branch")
        #expect(texts.first?.texts == row.columns, "\(row.name)")
        let read = try await store.find(Branch.self, 1)
        #expect(read.area == row.area && read.location == Self.here, "\(row.name)")
    }

    @Test func isAskedForByPart() async throws {
        let store = try Store.temporary(Branch.self)
        var branches = [
            branch(1, Area(corner: Self.here, size: 3)), branch(2, at: Location(lat: 1, lng: 2, label: nil)),
            branch(3, Area(corner: nil, size: 9)),
        ]
        branches[1].manager = Ref(1)
        try await store.write { [branches] tx in
            var manager = Manager(id: 1, name: "Ann", home: Location(lat: 7, lng: 8, label: nil))
            try tx.save(&manager)
            var branches = branches
            try tx.save(&branches)
        }
        func ids(_ query: Query<Branch>) async throws -> [Int] { try await store.fetch(query).map(\.id).sorted() }
        #expect(try await ids(Branch.where { $0.location.lat > 40 }) == [1, 3])
        #expect(try await ids(Branch.where { $0.location == Self.here }) == [1, 3])
        #expect(try await ids(Branch.where { $0.location != Self.here }) == [2])
        #expect(try await ids(Branch.where { $0.location.label.isNil }) == [2])
        #expect(try await ids(Branch.where { $0.area.isNil }) == [2])
        #expect(try await ids(Branch.where { $0.area.isNotNil && $0.area.corner.isNil }) == [3])
        #expect(try await ids(Branch.where { $0.area.corner.lat == 48.5 }) == [1])
        #expect(try await ids(Branch.where { $0.manager.home.lat == 7 }) == [2])
        #expect(try await store.fetch(Branch.order(by: \.location.lat)).first?.id == 2)
        // What may be nil has parts that may be.
        let parts = try await store.fetch(
            Branch.order(by: \.id).select { ($0.location.lat, $0.area.size, $0.area.corner.lat, $0.manager.home.lat) })
        #expect(parts.map(\.0) == [48.5, 1, 48.5] && parts.map(\.1) == [3, nil, 9])
        #expect(parts.map(\.2) == [48.5, nil, nil] && parts.map(\.3) == [nil, 7, nil])
        try await store.write { _ = try $0.update(Branch.all, Branch.path.location.lat.set(0)) }
        #expect(try await store.find(Branch.self, 3).location.lat == 0)
    }

    /// A part that was not changed is not written.
    @Test func savesTheParts() async throws {
        let store = try Store.temporary(Branch.self)
        var value = branch(1)
        try await store.save(&value)
        var mine = try await store.find(Branch.self, 1)
        try await store.write { try $0.execute("UPDATE branch SET location_longitude = 99") }
        mine.location.lat = 1
        try await store.save(&mine)
        #expect(try await store.find(Branch.self, 1).location == Location(lat: 1, lng: 99, label: "Paris"))
    }

    @Test func saysWhichPartCannotBeRead() async throws {
        let store = try Store.temporary(Branch.self)
        var value = branch(1, Area(corner: Self.here, size: 1))
        try await store.save(&value)
        try await store.write { try $0.execute("UPDATE branch SET zone_corner_lat = NULL") }
        let error = await #expect(throws: SluiceError.self) { try await store.find(Branch.self, 1) }
        #expect(error?.code == .unbox && error?.field == "area.corner.lat", "\(error?.message ?? "")")
    }

    private let options = SyncOptions(source: "shop")

    private func json(_ place: String, _ area: String = "") -> String {
        #"[{"id": 1, "name": "B1", "location": \#(place)\#(area)}]"#
    }

    /// Each part is merged by itself.
    @Test func isMergedByPart() async throws {
        let store = try Store.temporary(Branch.self)
        try await store.sync(Branch.self, from: json(#"{"lat": 1, "lon": 2, "label": "a"}"#), options)
        #expect(try await store.find(Branch.self, 1).location == Location(lat: 1, lng: 2, label: "a"))
        try await store.update(Branch.self, 1) { $0.location.label = "ours" }
        let result = try await store.sync(
            Branch.self, from: json(#"{"lat": 5, "lon": 2, "label": "theirs"}"#), options)
        #expect(result.summary.conflict == 1)
        #expect(try await store.find(Branch.self, 1).location == Location(lat: 5, lng: 2, label: "ours"))
        let conflict = try #require(result.conflicts.first)
        #expect(conflict.property == "location.label")
        #expect(try conflict.sides(\.location.label)?.remote == "theirs")
        #expect(try await store.resolve(conflict, .set(\.location.label, "both")) == .resolved)
        #expect(try await store.find(Branch.self, 1).location.label == "both")
    }

    /// What is absent says nothing, null is none, and what is less than all of it waits aside.
    @Test func readsWhatJSONSaysOfIt() async throws {
        let store = try Store.temporary(Branch.self)
        let place = #"{"lat": 1, "lon": 2}"#
        let area = #", "zone": {"corner": {"lat": 3, "lon": 4}, "size": 5}"#
        try await store.sync(Branch.self, from: json(place, area), options)
        let expected = Area(corner: Location(lat: 3, lng: 4, label: nil), size: 5)
        #expect(try await store.find(Branch.self, 1).area == expected)
        try await store.sync(Branch.self, from: json(place), options)
        #expect(try await store.find(Branch.self, 1).area == expected)
        try await store.sync(Branch.self, from: json(place, #", "zone": null"#), options)
        #expect(try await store.find(Branch.self, 1).area == nil)
        let partial = try await store.sync(
            Branch.self, from: #"[{"id": 2, "name": "B", "location": {"lat": 1}}]"#, options)
        #expect(partial.summary == SyncSummary(quarantined: 1) && partial.quarantined.first?.pointer == "/location/lon")
    }

    @Test func goesOnUnderAnotherName() async throws {
        let folder = try TemporaryDirectory()
        do {
            let store = try Store(folder.path + "/shop.db", models: Manager.self)
            var manager = Manager(id: 1, name: "Ann", home: Self.here)
            try await store.save(&manager)
            await store.close()
        }
        let store = try Store(folder.path + "/shop.db", models: LaterManager.self)
        #expect(try await store.find(LaterManager.self, 1).place == Self.here)
    }
}

@Composition struct Location: Equatable, Codable {
    var lat: Double
    @CompositionField(persistentName: "longitude") var lng: Double
    var label: String?

    enum CodingKeys: String, CodingKey { case lat, lng = "lon", label }
}

@Composition struct Area: Equatable, Codable {
    var corner: Location?
    let size: Int
}

@PersistentModel struct Branch: Codable {
    let id: Int
    var name: String
    @Attribute(storageMethod: .composition) var location: Location
    @Attribute(persistentName: "zone", json: "zone", storageMethod: .composition) var area: Area?
    @Relationship(inverse: .none, deleteRule: .nullify) var manager: Ref<Manager>?
    var origin = Origin()
}

@PersistentModel struct Manager: Codable {
    let id: Int
    var name: String
    @Attribute(storageMethod: .composition) var home: Location
}

@PersistentModel(renamedFrom: "Manager") private struct LaterManager {
    let id: Int
    var name: String
    @Attribute(renamedFrom: "home", storageMethod: .composition) var place: Location
}
