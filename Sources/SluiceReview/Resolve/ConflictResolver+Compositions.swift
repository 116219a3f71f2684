internal import SluiceDecode
internal import SluiceModel
package import SluiceStore

/// Conflicts over the parts of a value that one side has and the other one has not: they are one thing to decide.
extension ConflictResolver {
    /// The decisions that go with one, since half of a value would be there without them.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - resolution: What is decided of it.
    /// - Returns: Those about the other parts; none where the conflict can be decided by itself.
    /// - Throws: `StoreError`.
    package func decisions(besides conflict: ConflictEntry, _ resolution: Resolution) throws -> [ConflictDecision] {
        guard let name = conflict.field, let schema = try schema(of: conflict),
            let field = schema.fields.firstIndex(where: { $0.name == name })
        else { return [] }
        let compositions = schema.compositions.filter { $0.fields.contains(field) }
        if compositions.isEmpty { return [] }
        let open = try store.conflicts.open(of: schema.source, keys: [conflict.key])[ExactText(conflict.key)] ?? []
        func part(_ other: ConflictEntry) -> Int? { schema.fields.firstIndex { $0.name == other.field } }
        let parts = compositions.flatMap { composition in
            let parts = open.filter { part($0).map(composition.fields.contains) ?? false }
            let isWhole = parts.contains { other in
                part(other).map(composition.required.contains) ?? false
                    && Self.isNull(other.local) != Self.isNull(other.remote)
            }
            return isWhole ? parts : []
        }
        var known: Set<Int64> = [conflict.id ?? 0]
        return parts.compactMap { other in
            guard let id = other.id, known.insert(id).inserted else { return nil }
            guard case .value = resolution else { return ConflictDecision(other, resolution) }
            // Beside a value of one part stand those of the side that has any.
            return ConflictDecision(other, Self.isNull(conflict.remote) ? .local : .remote)
        }
    }

    /// The first field that has no value although it has to, since another part of the same value has one.
    ///
    /// - Parameter conflict: A conflict of the record.
    /// - Returns: The field's name; nil where there is none.
    /// - Throws: `StoreError`.
    package func half(in conflict: ConflictEntry) throws -> String? {
        guard let schema = try schema(of: conflict), !schema.compositions.isEmpty,
            let key = StoredJSON().key(conflict.key, schema: schema),
            let table = try store.knownTable(
                pipeline: conflict.pipeline, stream: conflict.stream, entity: conflict.entity),
            let row = try table.localRows([key]).first ?? nil
        else { return nil }
        let half = schema.compositions.first { $0.isHalf { row[$0].isNull } }
        return half?.required.first { row[$0].isNull }.map { schema.fields[$0].name }
    }

    private func schema(of conflict: ConflictEntry) throws -> RecordSchema? {
        if conflict.isOfList { return nil }
        return try store.knownTable(
            pipeline: conflict.pipeline, stream: conflict.stream, entity: conflict.entity)?.schema
    }

    private static func isNull(_ side: String?) -> Bool { side == nil || side == "null" }
}
