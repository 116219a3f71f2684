internal import SluiceModel

/// References that must not be empty.
extension TreeMerger {
    /// Has the merges know what an attempt before found out.
    package mutating func know(_ needs: UnmetNeeds) {
        main.unmet = needs[main.schema.table]
        for part in parts.indices { parts[part].unmet = needs[parts[part].schema.table] }
    }

    /// The tables whose records are merged.
    package var tables: [String] { ([main] + parts).map(\.schema.table) }
}
