package import SluiceModel
package import SluiceStore

/// Which records of a pipeline are its streams' own, and which stand within those: what runs count apart, everything counts apart.
package struct StreamTables {
    /// What fills the streams' own records.
    private let own: [RecordMapping]
    /// How many runs are asked what they counted.
    private static let runs = 20

    /// Looks at what fills the tables of a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - store: The store.
    /// - Throws: `StoreError`.
    package init(of pipeline: String, in store: any RecordStore) throws {
        let schemas = try store.mappings(pipeline: pipeline, entity: nil).compactMap { mapping in
            try store.knownTable(pipeline: pipeline, stream: mapping.stream, entity: mapping.entity)?.schema
        }
        let within = Set(try store.runs.latest(of: pipeline, limit: Self.runs).flatMap(\.within.keys))
        own = Dictionary(grouping: schemas, by: \.stream).values.compactMap { Self.own(of: $0, within: within) }
    }

    /// What fills the stream's own records, around those of a mapping or the same; nil where that is not known.
    package func own(around mapping: RecordMapping) -> RecordMapping? { own.first { $0.stream == mapping.stream } }

    /// Whether the records of a mapping stand within others.
    package func areWithin(_ mapping: RecordMapping) -> Bool { own(around: mapping).map { $0 != mapping } ?? false }

    /// Of the tables that one stream fills that of its own records: what stands within these they lead to, or it belongs to them.
    ///
    /// - Parameters:
    ///   - schemas: The tables, in the order of their entities.
    ///   - within: The entities of which runs counted records within others, which tells tables apart that lead to each other.
    /// - Returns: What fills that table; nil where there is none.
    package static func own(of schemas: [RecordSchema], within: Set<String>) -> RecordMapping? {
        let roots = schemas.filter { !$0.isOwned }
        let ranks = roots.map { root in (reach(of: root, among: schemas), within.contains(root.entity) ? 0 : 1) }
        let best = ranks.max(by: <)
        return ranks.firstIndex { $0 == best ?? $0 }.map { roots[$0].source }
    }

    /// How many other tables are reached from one.
    private static func reach(of schema: RecordSchema, among all: [RecordSchema]) -> Int {
        var reached = [schema.source]
        var waiting = [schema]
        while let next = waiting.popLast() {
            for other in all where !reached.contains(other.source) && leads(next, to: other) {
                reached.append(other.source)
                waiting.append(other)
            }
        }
        return reached.count - 1
    }

    private static func leads(_ schema: RecordSchema, to other: RecordSchema) -> Bool {
        func isLed(_ one: RecordSchema, to table: String, asOwner: Bool) -> Bool {
            one.references.contains { ($0.onDangling == .owner) == asOwner && ColumnName.areSame($0.target, table) }
        }
        return isLed(schema, to: other.table, asOwner: false) || isLed(other, to: schema.table, asOwner: true)
    }
}
