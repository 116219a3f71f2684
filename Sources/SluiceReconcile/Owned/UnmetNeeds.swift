internal import SluiceDecode
internal import SluiceDiagnostics
package import SluiceModel
internal import SluicePlans
package import SluiceReport
package import SluiceStore

/// What an attempt found out of references that must not be empty: which records have to stay, since others need them, and
/// which cannot be taken, since what they need is not there.
package struct UnmetNeeds: Sendable {
    /// What is known of the records of one table.
    package struct Stream: Sendable {
        /// The records that stay, each with what needs it.
        package fileprivate(set) var needed: [RecordKey: UnmetReference] = [:]
        /// The records that cannot be taken, each with what it needs.
        package fileprivate(set) var refused: [RecordKey: UnmetReference] = [:]

        /// Nothing.
        package init() {}
    }

    private var streams: [String: Stream] = [:]

    /// Nothing.
    package init() {}

    /// What is known of a table's records.
    package subscript(_ table: String) -> Stream { streams[table.lowercased()] ?? Stream() }

    /// Takes in what an attempt found out. What a record needs stays, if the attempt has it go; else the record cannot be
    /// taken.
    ///
    /// - Parameters:
    ///   - found: The references.
    ///   - tables: The tables whose records the attempt merges.
    /// - Returns: Whether a further attempt knows more than this one.
    package mutating func take(_ found: [UnmetReference], merging tables: [String]) -> Bool {
        let tables = Set(tables.map { $0.lowercased() })
        var isNews = false
        for reference in found {
            let (target, owner) = (reference.target.lowercased(), reference.table.lowercased())
            if tables.contains(target), self[target].needed[reference.targetKey] == nil {
                streams[target, default: Stream()].needed[reference.targetKey] = reference
                isNews = true
            } else if tables.contains(owner), self[owner].refused[reference.owner] == nil {
                streams[owner, default: Stream()].refused[reference.owner] = reference
                isNews = true
            }
        }
        return isNews
    }
}

extension StreamMerger {
    /// Whether a record cannot be taken since what it needs is not there; it is counted and kept then.
    mutating func isUnmet(_ record: Int, of batch: borrowing RecordBatch) -> Bool {
        let key = batch.key(of: record, schema: schema)
        guard let reference = unmet.refused[key] else { return false }
        report.quarantined += 1
        report.summary.quarantined += 1
        refusals.append(
            Refusal(
                key: key, reason: .unmetReference,
                message:
                    "`\(reference.name)` leads to \(reference.targetKey.words) of `\(reference.target)`, which is not there, and must not be empty. The record can be taken once that is there; every run tries again.",
                ordinals: [batch.origins[record].ordinal]))
        return true
    }

    /// Counts the rows that stay although their source lists them no longer, since others need them.
    ///
    /// - Returns: What people should know of it; nil where there are none.
    /// - Throws: `StoreError`.
    package mutating func keepNeeded() throws -> RunProblem? {
        let keys = unmet.needed.keys.sorted()
        let rows = try context.table.localRows(keys)
        let kept = zip(keys, rows).filter { $0.1 != nil }.map(\.0)
        guard let first = kept.first, let reference = unmet.needed[first] else { return nil }
        report.summary.deleteRefused += kept.count
        let (verb, pronoun) = (Plural.word(kept.count, "stays", "stay"), Plural.word(kept.count, "it", "them"))
        var problem = RunProblem(
            code: "delete_needed", severity: .warning,
            message:
                "\(Plural.of(kept.count, "record")) of `\(schema.table)` \(Plural.word(kept.count, "is", "are")) gone from the source and \(verb), since others need \(pronoun): \(FieldJSON.object(key: first, schema: schema)) is what `\(reference.name)` of \(reference.owner.words) of `\(reference.table)` leads to, which must not be empty. Change or delete what leads there; every run tries again."
        )
        problem.entity = schema.entity
        problem.keys = kept.prefix(RunProblem.listedKeys).map { FieldJSON.object(key: $0, schema: schema) }
        problem.unlisted = max(0, kept.count - RunProblem.listedKeys)
        return problem
    }
}

extension TreeMerger {
    /// Has the merges know what an attempt before found out.
    package mutating func know(_ needs: UnmetNeeds) {
        main.unmet = needs[main.schema.table]
        for part in parts.indices { parts[part].unmet = needs[parts[part].schema.table] }
    }

    /// The tables whose records are merged.
    package var tables: [String] { ([main] + parts).map(\.schema.table) }
}

extension RecordKey {
    /// The values as JSON.
    fileprivate var words: String { values.map { FieldJSON.text($0, type: .string) }.joined(separator: ", ") }
}
