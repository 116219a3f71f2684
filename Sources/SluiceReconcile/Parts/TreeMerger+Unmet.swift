internal import SluiceModel
package import SluiceReport

/// References that must not be empty, or that a table does not let be.
extension TreeMerger {
    /// Has the merges know what an attempt before found out.
    package mutating func know(_ needs: UnmetNeeds) {
        main.unmet = needs[main.schema.table]
        for part in parts.indices { parts[part].unmet = needs[parts[part].schema.table] }
    }

    /// Has the merges know what other sources say in this run of records that theirs list no longer.
    package mutating func know(_ elsewhere: RecordsElsewhere) {
        main.elsewhere = elsewhere
        for part in parts.indices { parts[part].elsewhere = elsewhere }
    }

    /// Counts the rows that stay although their source lists them no longer, since others lead to them. Each is counted where it
    /// would have been deleted: a reference that brings records with it deletes none of them.
    ///
    /// - Returns: What people should know of it.
    /// - Throws: `StoreError`.
    package mutating func keepNeeded() throws -> [RunProblem] {
        var problems = try main.keepNeeded()
        for part in parts.indices where isChild(part) { problems += try parts[part].keepNeeded() }
        return problems
    }

    /// The tables whose records are merged.
    package var tables: [String] { ([main] + parts).map(\.schema.table) }

    /// How many rows their tables do not let go: of the stream, then of what stands within its records.
    package var rejectedCounts: [Int] { ([main] + parts).map(\.refusedDeletes.count) }

    /// What people should know of rows that their tables do not let go: those of the stream, and of what stands within its records.
    package var rejectedDeletes: [RunProblem] {
        let own = main.rejectedDeletes(of: main.schema.stream)
        return ([own] + parts.map { $0.rejectedDeletes(of: $0.schema.table) }).compactMap { $0 }
    }
}
