internal import SluiceModel
internal import SluiceStore

/// A table, or a column of one, that a source filled and that is not there: what people changed in it is out of sight.
package struct MissingPlace: Sendable, Equatable {
    package let entity: String
    package let table: String
    /// The column; nil where the whole table is missing.
    package let column: String?
}

extension EditReader {
    /// The tables and columns that sources filled and that are missing.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose records are looked at, nil for all.
    ///   - entity: The only entity to look at, nil for all.
    /// - Returns: Each place once, in the order of tables.
    /// - Throws: `StoreError`.
    package func missing(pipelines: [String]?, entity: String?) throws -> [MissingPlace] {
        try store.tables(pipelines: pipelines, entity: entity).filter { $0.role == .records }.flatMap { table in
            let places: [String?] = table.columns.isEmpty ? [nil] : table.missing
            let entities = table.sources.map(\.mapping.entity)
            let entity = entities.first ?? table.name
            return places.map { MissingPlace(entity: entity, table: table.name, column: $0) }
                + table.missingLinks.map { MissingPlace(entity: entity, table: $0, column: nil) }
        }
    }
}
