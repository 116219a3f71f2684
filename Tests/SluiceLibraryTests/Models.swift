import Foundation
import Sluice

enum Kind: String, StoredValue { case novel, essay }

struct Settings: Codable, Equatable { var retries = 0 }

struct Color: Equatable { var red, green, blue: UInt8 }

enum RGB: ValueTransform {
    struct NoColor: Error {}
    static func stored(_ value: Color) -> Int { Int(value.red) << 16 | Int(value.green) << 8 | Int(value.blue) }
    static func value(_ stored: Int) throws -> Color {
        guard (0...0xFFFFFF).contains(stored) else { throw NoColor() }
        return Color(
            red: UInt8(stored >> 16), green: UInt8(stored >> 8 & 0xFF), blue: UInt8(stored & 0xFF))
    }
}

@PersistentModel(table: "books", names: .snakeCase)
struct Book: Equatable {
    let id: Int
    var title: String
    var pageCount: Int?
    var kind: Kind
    var price: Decimal?
    @Attribute(storageMethod: .codable) var settings: Settings?
    @Attribute(storageMethod: .transformed(RGB.self)) var color: Color?
    @Ignore var isSelected = false
    var origin = Origin()
}

@PersistentModel
struct Note {
    @Attribute(.identifier, .generated) var id: Int?
    var text: String
    var origin = Origin()
}

@PersistentModel
struct Shop {
    let id: Int
    var name: String
    @Relationship(inverse: "shop", deleteRule: .cascade) var employees: Refs<Employee>
}

@PersistentModel
struct Employee: Codable, Hashable {
    let id: Int
    var name: String
    @Relationship(inverse: "employees", deleteRule: .nullify) var shop: Ref<Shop>?
    @Relationship(inverse: "reports", deleteRule: .nullify) var boss: Ref<Employee>?
    @Relationship(inverse: "boss", deleteRule: .deny) var reports: Refs<Employee>
}

@PersistentModel
struct Article {
    let id: Int
    @Attribute(persistentName: "name") var title: String
    @Relationship(inverse: "articles", deleteRule: .nullify, via: "article_tags") var tags: Refs<Tag>
}

@PersistentModel
struct Tag {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "tags", deleteRule: .nullify) var articles: Refs<Article>
}

@PersistentModel(unique: [["code"]])
struct Issue: Equatable {
    @Attribute(.identifier) let repo: String
    @Attribute(.identifier) let number: Int
    var code: String
    var at: Date
    var token: UUID?
    @Attribute(owner: .remote) var votes: Int = 0
}

/// The compiler makes an initialiser of the same properties.
@PersistentModel(initializer: true)
struct Parcel: Equatable {
    let id: Int
    var weight = 1
    var note: String?
    @Relationship(inverse: .none, deleteRule: .nullify, via: "parcel_tags") var tags: Refs<Tag>
}

/// A link is declared before a plain property.
@PersistentModel(initializer: true)
struct Bunch {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, via: "bunch_tags") var tags: Refs<Tag>
    var weight: Int
}

@PersistentModel(initializer: true)
struct Crate {
    let id: Int
    var parcel: Int
    @Ignore var isOpen = false
    var origin = Origin()
}
