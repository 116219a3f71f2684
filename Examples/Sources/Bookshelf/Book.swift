import Foundation
import Sluice

/// A book as the catalogue's JSON describes it.
@PersistentModel(table: "books", names: .snakeCase)
public struct Book {
    public let id: Int
    public var title: String
    public var price: Decimal?
    @Attribute(json: "author.name") public var author: String?
    public var isRead = false
    public var origin = Origin()
}
