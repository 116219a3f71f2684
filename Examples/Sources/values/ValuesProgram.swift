// Values in and out: enums, JSON, transforms and parts have columns, and what cannot be read is an error that says where.
import Checking
import Sluice

enum Kind: String, StoredValue { case novel, essay }

struct Settings: Codable, Equatable { var retries = 0 }

struct Color: Equatable { var red, green, blue: UInt8 }

enum RGB: ValueTransform {
    struct NoColor: Error {}
    static func stored(_ color: Color) -> Int { Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue) }
    static func value(_ stored: Int) throws -> Color {
        guard (0...0xFFFFFF).contains(stored) else { throw NoColor() }
        return Color(red: UInt8(stored >> 16), green: UInt8(stored >> 8 & 0xFF), blue: UInt8(stored & 0xFF))
    }
}

@Composition struct Shelf: Equatable {
    let room: String
    @CompositionField(persistentName: "no") var number: Int
}

@PersistentModel
struct Book: Equatable {
    let id: Int
    var title: String
    var pages: Int?
    var kind: Kind
    @Attribute(storageMethod: .codable) var settings: Settings?
    @Attribute(storageMethod: .transformed(RGB.self)) var color: Color?
    @Attribute(storageMethod: .composition) var shelf: Shelf?
}

@main enum ValuesProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        var dune = Book(
            id: 1, title: "Dune", pages: 612, kind: .novel, settings: Settings(retries: 3),
            color: Color(red: 255, green: 127, blue: 0), shelf: Shelf(room: "A", number: 7))
        let value = dune
        try await store.save(&dune)
        check(try await store.find(Book.self, 1) == value, "a value comes back as it was saved")

        let row = try await store.rows("SELECT kind, settings, color, shelf_room, shelf_no FROM \(Book.self)").first
        check(
            row?.texts == ["novel", #"{"retries":3}"#, "16744192", "A", "7"], "any SQL tool can read its columns")
        let retried = Book.where { $0.pages > 100 && $0.settings.json("retries") == 3 }
        check(try await store.fetch(retried).map(\.id) == [1], "a query looks into JSON")
        let shelved = Book.where { $0.shelf.number > 5 && $0.settings.json("retries") == 3 }
        check(try await store.fetch(shelved).map(\.id) == [1], "and at parts")

        try await store.write { try $0.execute("UPDATE book SET kind = 'poem'") }
        do {
            _ = try await store.find(Book.self, 1)
            check(false, "what cannot be read is an error")
        } catch let error as SluiceError {
            check(
                error.code == .unbox && error.identifier == "1" && error.field == "kind",
                "what cannot be read is an error that names record and property")
        }
    }
}
