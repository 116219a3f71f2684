// A struct whose parts have columns of their own, in memory and in the store, with and without a value.
import Checking
import Sluice

@Composition
struct Coordinate: Equatable {
    var lat: Double
    var lng: Double
}

@Composition
struct Address: Equatable {
    var street: String
    @CompositionField(persistentName: "town") var city: String?
    var position: Coordinate?
}

@PersistentModel(table: "shops")
struct Shop: Equatable {
    let id: Int
    var name: String
    @Attribute(storageMethod: .composition) var address: Address?
    var origin = Origin()
}

@main enum PlacesProgram {
    static func main() async throws {
        let paris = Address(street: "Rue Monge 1", city: "Paris", position: Coordinate(lat: 48.8, lng: 2.3))
        let shop = Shop(id: 1, name: "Livres", address: paris)
        check(try shop.boxed()["address.city"] == .text("Paris"), "a part is boxed without a store")

        let store = try Store.temporary(Shop.self)
        var shops = [shop, Shop(id: 2, name: "Bücher", address: nil)]
        try await store.save(&shops)
        check(try await store.fetch(Shop.order(by: \.id)) == shops, "values come back as they went")
        let columns = try await store.rows("SELECT address_street, address_town, address_position_lat FROM shops")
        check(columns.map { $0.texts[1] } == ["Paris", nil], "each part has a column")

        let north = Shop.where { $0.address.position.lat > 48 }
        check(try await store.fetch(north).map(\.id) == [1], "a query asks for a part")
        check(try await store.fetch(Shop.where { $0.address.isNil }).map(\.id) == [2], "and for none")

        let json = #"[{"id": 1, "name": "Livres", "address": {"street": "Rue Monge 2", "city": "Paris"}}]"#
        try await store.update(Shop.self, 1) { $0.address?.city = "Paris 5e" }
        try await store.sync(Shop.self, from: json, .init(source: "map"))
        let conflicts = try await store.conflicts(of: Shop.self).compactMap(\.property).sorted()
        check(conflicts == ["address.city", "address.street"], "and a source disagrees about parts")
    }
}
