internal import SluiceDecode
internal import SluiceModel
internal import SluiceStore

/// What the store holds of the elements of a list that is one value, before anything is decided about it.
struct ListFacts {
    /// The elements that the source was not known to have lost, in the order of the key.
    let live: [RecordKey]
    /// The elements that have a row, in the order of the key.
    let rows: [RecordKey]
    private let elements: [RecordKey: RecordFacts]

    init(live: [RecordKey], rows: [RecordKey], elements: [RecordKey: RecordFacts]) {
        self.live = live
        self.rows = rows
        self.elements = elements
    }

    func base(_ element: RecordKey) -> BaseRow? { elements[element]?.base }
    func local(_ element: RecordKey) -> [FieldValue]? { elements[element]?.local }
    func others(_ element: RecordKey) -> [SiblingSources.Record] { elements[element]?.others ?? [] }

    /// The rows of the list with their values.
    var values: [(key: RecordKey, values: [FieldValue])] { rows.compactMap { key in local(key).map { (key, $0) } } }
}

extension StreamMerger {
    /// What the store holds of the elements of lists.
    ///
    /// - Parameters:
    ///   - scopes: The lists.
    ///   - batch: The elements that the source gives.
    /// - Returns: One for each list.
    /// - Throws: `StoreError`.
    func listFacts(_ scopes: [PartBatch.Scope], of batch: borrowing RecordBatch) throws -> [ListFacts] {
        if scopes.isEmpty { return [] }
        let owners = scopes.map(\.owner)
        let (live, rows) = try (context.table.liveKeys(under: owners), context.table.rowKeys(under: owners))
        var keys: [[RecordKey]] = []
        for (index, scope) in scopes.enumerated() {
            var all = Set(live[index]).union(rows[index])
            for row in scope.rows { all.insert(batch.key(of: row, schema: schema)) }
            keys.append(Array(all))
        }
        var facts = try facts(of: keys.flatMap { $0 })[...]
        return scopes.indices.map { index in
            let elements = facts.prefix(keys[index].count)
            facts = facts.dropFirst(keys[index].count)
            return ListFacts(
                live: live[index], rows: rows[index],
                elements: Dictionary(elements.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}
