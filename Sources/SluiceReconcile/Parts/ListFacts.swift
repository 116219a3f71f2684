internal import SluiceDecode
package import SluiceModel
package import SluicePlans
package import SluiceStore

/// What the store holds of the elements of a list that is one value, before anything is decided about it.
package struct ListFacts {
    /// The elements that the source was not known to have lost, in the order of the key.
    package let live: [RecordKey]
    /// The elements that have a row, in the order of the key.
    package let rows: [RecordKey]
    private let elements: [RecordKey: RecordFacts]

    /// - Parameters:
    ///   - live: The elements that the source was not known to have lost, in the order of the key.
    ///   - rows: The elements that have a row, in the order of the key.
    ///   - elements: What is known of these and of others.
    package init(live: [RecordKey], rows: [RecordKey], _ elements: some Sequence<RecordFacts>) {
        (self.live, self.rows) = (live, rows)
        self.elements = Dictionary(elements.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The base of an element; nil where the source never had it.
    package func base(_ element: RecordKey) -> BaseRow? { elements[element]?.base }
    /// The row of an element; nil where there is none.
    package func local(_ element: RecordKey) -> [FieldValue]? { elements[element]?.local }
    func others(_ element: RecordKey) -> [OtherSourceLedger.Record] { elements[element]?.others ?? [] }

    /// The rows of the list with their values.
    package var values: [(key: RecordKey, values: [FieldValue])] {
        rows.compactMap { key in local(key).map { (key, $0) } }
    }
}

extension StreamMerger {
    /// What the store holds of the elements of lists.
    ///
    /// - Parameters:
    ///   - scopes: The lists.
    ///   - batch: The elements that the source gives.
    /// - Returns: One for each list.
    /// - Throws: `StoreError`.
    func listFacts(_ scopes: [NestedBatch.Scope], of batch: borrowing RecordBatch) throws -> [ListFacts] {
        if scopes.isEmpty { return [] }
        let owners = scopes.map(\.owner)
        let (live, rows) = try (context.table.liveKeys(under: owners), context.table.rowKeys(under: owners))
        var keys: [[RecordKey]] = []
        for (index, scope) in scopes.enumerated() {
            var all = Set(live[index]).union(rows[index])
            for row in scope.rows { all.insert(batch.key(of: row, schema: schema)) }
            // Whether it gave way before.
            if scope.rows.isEmpty { all.insert(scope.owner.firstElement) }
            keys.append(Array(all))
        }
        var facts = try facts(of: keys.flatMap { $0 })[...]
        return scopes.indices.map { index in
            let elements = facts.prefix(keys[index].count)
            facts = facts.dropFirst(keys[index].count)
            return ListFacts(live: live[index], rows: rows[index], elements)
        }
    }
}

extension ListText {
    /// The list that the source gave before, as far as its values are known.
    package func base(_ facts: ListFacts) -> String {
        array(facts.live.compactMap { key in facts.base(key).map { element(key, $0.entries.map(\.value)) } })
    }
}
