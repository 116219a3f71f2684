internal import SluiceMerge
internal import SluicePipeline
internal import SluiceStore
internal import SluiceSystem

/// What becomes of records that a complete scan did not see.
///
/// They are looked for twice where it has to be counted first how many rows would be deleted.
struct DeletePhase {
    /// Why deletes were refused.
    struct Refusal {
        /// How many rows would have gone.
        let deletes: Int
        /// The first of their keys.
        let keys: [RecordKey]
        let message: String
    }

    private let limit: DeleteLimit
    private let mode: DeleteRule.Mode
    private let table: any RecordTable
    private let room: SpillableHashes.Room

    /// - Parameters:
    ///   - rule: The stream's rule.
    ///   - allowed: `--allow-deletes`, which stands over the rule's limits.
    ///   - table: The stream's table.
    ///   - liveBefore: The live base rows before the run.
    ///   - room: What the hashes of keys may take.
    init(
        rule: DeleteRule, allowed: Int?, table: any RecordTable, liveBefore: Int, room: SpillableHashes.Room
    ) {
        limit = DeleteLimit(rule: rule, allowed: allowed, stream: table.schema.stream, liveBefore: liveBefore)
        mode = rule.mode
        self.table = table
        self.room = room
    }

    /// Finds what is gone and, where the limits permit, deletes or reports it.
    ///
    /// - Parameters:
    ///   - merger: The stream's merge, which counts and tells.
    ///   - seen: The keys that the scan read.
    ///   - cancellation: Checked now and then.
    /// - Returns: Why nothing was deleted, where the limits do not permit it.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    func perform(
        _ merger: inout StreamMerger, seen: SeenKeys, cancellation: Cancellation
    ) throws -> Refusal? {
        let missing = limit.liveBefore - merger.liveMet
        // Where every live record was met there is nothing to look for.
        if mode == .ignore || missing == 0 { return nil }
        let unseen = try UnseenKeys(seen: seen, table: table, room: room, cancellation: cancellation)
        if mode == .report {
            try unseen.forEach { merger.list(try merger.goneRecord($0)) }
            return nil
        }
        let read = merger.readBefore + merger.report.read
        // No more can go than was not met, so mostly nothing has to be counted.
        if missing < 0 || limit.refusal(of: missing, read: read) != nil {
            var deletes = 0
            var first: [RecordKey] = []
            try unseen.forEach { key in
                guard try merger.goneRecord(key).decision.action == .delete else { return }
                deletes += 1
                if first.count < RunProblem.listedKeys { first.append(key) }
            }
            if let message = limit.refusal(of: deletes, read: read) {
                return Refusal(deletes: deletes, keys: first, message: message)
            }
        }
        try unseen.forEach { try merger.apply(try merger.goneRecord($0), known: .absence) }
        return nil
    }
}
