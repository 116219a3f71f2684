package import SluiceDecode
internal import SluiceModel
package import SluicePipeline
internal import SluicePlans
package import SluiceStore

extension StreamMerger.Context {
    /// Opens the tables of what stands within a stream's records.
    ///
    /// - Parameters:
    ///   - tree: What stands within them.
    ///   - pipeline: Says in which order the sources of a table go.
    ///   - reading: What the run read so far.
    ///   - changes: Grows by what had to be changed in the database's schema.
    /// - Returns: What the merge of each part is given; this context learns of the rows of children.
    /// - Throws: `StoreError`.
    package mutating func openParts(
        _ tree: NestedTree?, pipeline: PipelineDefinition, reading: RunReading?, _ changes: inout [SchemaChange]
    ) throws -> [Self] {
        guard let tree else { return [] }
        var contexts: [Self] = []
        for part in tree.parts {
            let (table, made) = try store.openTable(part.plan.schema)
            changes += made
            if part.isChild && !part.isPositional { reading?.recordChildren(of: part.plan.schema.source) }
            contexts.append(
                Self(
                    store: store, table: table, observer: observer, run: run, time: time,
                    otherSources: try OtherSourceLedger(
                        of: part.plan.schema, in: store, pipeline: pipeline, reading: reading),
                    written: reading?.written(of: part.plan.schema.source, isBound: table.isBound)))
            // What a saved plan shows of the stream's records holds for what stands within them.
            contexts[contexts.count - 1].gate = gate
            contexts[contexts.count - 1].origins = part.plan.fields.map(\.path)
        }
        // Children stand behind what they belong to.
        var rows = [ChildRows?](repeating: nil, count: contexts.count)
        for part in contexts.indices.reversed() {
            contexts[part].children = tree.children(of: part).compactMap { rows[$0] }
            rows[part] =
                tree.parts[part].outlivesOwner
                ? nil
                : ChildRows(
                    contexts[part].table, otherSources: contexts[part].otherSources, below: contexts[part].children,
                    isOrdered: tree.parts[part].isOrdered)
        }
        children = tree.children(of: nil).compactMap { rows[$0] }
        return contexts
    }
}
