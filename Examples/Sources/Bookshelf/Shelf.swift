import Foundation
import Sluice

/// What one can do with the books of a store.
public struct Shelf: Sendable {
    let store: Store

    public init(store: Store) { self.store = store }

    /// The table, a line for each book.
    public func table() async throws -> [String] {
        try await store.fetch(Book.order(by: \.title)).map(Self.line)
    }

    static func line(_ book: Book) -> String {
        let price = book.price.map { "\($0)" } ?? "no price"
        return "\(book.id)  \(book.title)  \(book.author ?? "nobody")  \(price)"
    }

    /// Corrects a title, as anybody may with an SQL tool.
    public func correct(_ id: Int, title: String) async throws {
        try await store.update(Book.self, id) { $0.title = title }
    }
}
