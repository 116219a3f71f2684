package import SluiceDecode
package import SluiceModel
package import SluicePipeline
package import SluiceStore
package import SluiceSystem

/// Finds out what a stream has to ask for: its parents as they are once the parent stream was merged.
package struct PartitionReader {
    private static let chunk = 1000

    package let shape: PartitionShape
    package let stream: StreamDefinition
    /// Whether values become parts of file names.
    package let hasFiles: Bool
    package let cancellation: Cancellation

    /// Makes a value of its parts.
    package init(shape: PartitionShape, stream: StreamDefinition, hasFiles: Bool, cancellation: Cancellation) {
        self.shape = shape
        self.stream = stream
        self.hasFiles = hasFiles
        self.cancellation = cancellation
    }

    /// Finds all partitions.
    ///
    /// - Parameters:
    ///   - table: The table of the parent stream; nil where the stream has no parent.
    ///   - memory: What earlier runs asked for; nil to ask for everything.
    ///   - unmerged: What the source says of parents that were not merged.
    ///   - standing: What this run knows of a parent, by its key and what the source said of it last.
    /// - Returns: What to ask for.
    /// - Throws: `StoreError`, `CancelledError` and what `standing` throws.
    package func plan(
        _ table: (any RecordTable)?, memory: PartitionMemory?, unmerged: UnmergedRecords? = nil,
        standing: (RecordKey, BaseRow) throws -> RecordStanding = { _, _ in .read }
    ) throws -> PartitionPlan {
        var plan = PartitionPlan(shape: shape)
        guard let table else {
            for items in shape.combinations { add(Partition(shape: shape, values: items), to: &plan) }
            return plan
        }
        let names = table.schema.fields.map(\.name)
        let fields = shape.parentFields.map { names.firstIndex(of: $0) }
        let keysAlone = Set(stream.parent?.key ?? []) == Set(table.schema.keyFields.map { names[$0] })
        plan.keyIsStable = keysAlone
        let beyondKey = zip(shape.parentFields, fields).first {
            $1.map { !table.schema.keyFields.contains($0) } ?? true
        }?.0
        var known: Set<ExactText> = []
        var waitingCount = 0
        var last: RecordKey?
        repeat {
            try cancellation.check()
            let keys = try table.liveKeys(after: last, limit: Self.chunk)
            last = keys.last
            for (key, base, disputed, texts) in try parents(keys, unmerged, fields, in: table) {
                let lastRun = [base.lastRun, disputed?.lastRun].compactMap(\.self).max()
                if let lastRun { plan.latestChange = max(plan.latestChange, lastRun) }
                let isWaiting = unmerged?.isQuarantined(key) == true
                if isWaiting { waitingCount += 1 }
                let parent = Parent(
                    texts: texts, missing: zip(shape.parentFields, texts).first { $1 == nil }?.0,
                    change: lastRun ?? .max, standing: try standing(key, base), isWaiting: isWaiting,
                    isAbsent: base.missedScans > 0 || disputed?.isGone == true,
                    beyondKey: beyondKey,
                    unreadable: zip(shape.parentFields, fields).first { _, field in
                        field.map { disputed?.unreadable.contains($0) == true } ?? false
                    }?.0)
                for items in shape.combinations {
                    let partition = Partition(shape: shape, values: texts.map { $0 ?? "" } + items)
                    if keysAlone || known.insert(partition.key).inserted {
                        add(partition, of: parent, memory: memory, to: &plan)
                        if parent.isAbsent { plan.absent.insert(partition.key) }
                    } else if !parent.isAbsent {
                        plan.absent.remove(partition.key)
                    }
                }
            }
        } while last != nil
        if let unmerged, unmerged.quarantinedCount > waitingCount { plan.mayLackParents = true }
        return plan
    }

    /// What is known of a parent.
    private struct Parent {
        let texts: [String?]
        /// The first field that requests speak of and that it has no text for.
        let missing: String?
        /// The last run that changed it.
        let change: Int64
        let standing: RecordStanding
        /// Whether it is in quarantine.
        let isWaiting: Bool
        /// Whether its source has left it out, and it stays until that is confirmed or decided.
        let isAbsent: Bool
        /// The first field that requests speak of beside its key; nil where they speak of the key alone.
        let beyondKey: String?
        /// The first field that requests speak of and that is in conflict with a value of another type.
        let unreadable: String?
    }

    /// Puts a partition where it belongs, as far as its parent is known.
    private func add(_ partition: Partition, of parent: Parent, memory: PartitionMemory?, to plan: inout PartitionPlan)
    {
        if let missing = parent.missing {
            plan.obstacles.append(PartitionPlan.Obstacle(partition: partition, reason: "has no `\(missing)`"))
            return
        }
        let isUnchanged = memory.map { parent.change <= $0.asked && !$0.failed.contains(partition.key) } ?? false
        if let reason = unknown(parent) {
            plan.obstacles.append(PartitionPlan.Obstacle(partition: partition, reason: reason, isDue: !isUnchanged))
        } else if let obstacle = stream.obstacle(to: partition, hasFiles: hasFiles) {
            plan.obstacles.append(obstacle)
        } else if isUnchanged && !parent.isWaiting {
            plan.unasked.append(partition)
            // Whether it has changed is not known.
            if parent.standing != .read { plan.doubted.insert(partition) }
        } else {
            plan.asked.append(partition)
            if parent.standing != .read && parent.beyondKey != nil { plan.doubted.insert(partition) }
        }
    }

    /// Why it is not known where what belongs to a parent is now, as the rest of a sentence that begins with the
    /// partition: it may have passed to another address, and another record to this one. Nil where that is known.
    private func unknown(_ parent: Parent) -> String? {
        guard let field = parent.beyondKey else { return nil }
        if parent.isWaiting { return "is in quarantine, so that its `\(field)` of now is not known" }
        if parent.standing == .unread {
            return
                "may stand in what could not be read of `\(stream.parent?.stream ?? "")`, so that its `\(field)` of now is not known"
        }
        return parent.unreadable.map { "is in conflict over its `\($0)`, which had another type then" }
    }

    /// Puts a partition without a parent where it belongs: what would lead elsewhere is not asked for.
    private func add(_ partition: Partition, to plan: inout PartitionPlan) {
        if let obstacle = stream.obstacle(to: partition, hasFiles: hasFiles) {
            plan.obstacles.append(obstacle)
        } else {
            plan.asked.append(partition)
        }
    }

    /// A parent that the source still has, with what it says of it in open conflicts.
    private typealias KnownParent = (key: RecordKey, base: BaseRow, disputed: UnmergedRecords.Disputed?)

    /// What is known of parents which the source still has, each with the texts of its fields: what the source says of them, as far as
    /// that is known, else what the row holds.
    private func parents(
        _ keys: [RecordKey], _ unmerged: UnmergedRecords?, _ fields: [Int?], in table: any RecordTable
    ) throws -> [(key: RecordKey, base: BaseRow, disputed: UnmergedRecords.Disputed?, texts: [String?])] {
        if keys.isEmpty { return [] }
        var known: [KnownParent] = []
        for (key, base) in zip(keys, try table.baseRows(keys)) {
            guard let base, base.state.isLive else { continue }
            known.append((key, base, base.isOpen ? try unmerged?.disputed(key) : nil))
        }
        let keyFields = table.schema.keyFields
        func said(_ field: Int, _ parent: KnownParent) -> FieldValue? {
            if let position = keyFields.firstIndex(of: field) { return parent.key.values[position] }
            return parent.disputed?.values[field] ?? parent.base.entries[field].value
        }
        let needed = fields.compactMap(\.self)
        let unsaid = known.filter { parent in needed.contains { said($0, parent) == nil } }.map(\.key)
        var rows: [RecordKey: [FieldValue]] = [:]
        if !unsaid.isEmpty { for (key, row) in zip(unsaid, try table.localRows(unsaid)) { rows[key] = row } }
        return known.map { parent in
            let texts = fields.map { field -> String? in
                guard let field else { return nil }
                let value = said(field, parent) ?? rows[parent.key]?[field]
                return value.flatMap { Self.text($0, table.schema.fields[field].type) }
            }
            return (parent.key, parent.base, parent.disputed, texts)
        }
    }

    /// A value as requests have it; nil for one that is no text.
    package static func text(_ value: FieldValue, _ type: FieldType) -> String? {
        switch value {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .integer(let number) where type == .bool: number == 0 ? "false" : "true"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .null, .blob: nil
        }
    }
}

extension StreamDefinition {
    /// Why a partition cannot be asked for; nil where it can.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - hasFiles: Whether values become parts of file names.
    /// - Returns: The partition with the reason.
    package func obstacle(to partition: Partition, hasFiles: Bool = false) -> PartitionPlan.Obstacle? {
        let variables = (path?.parts ?? []).compactMap(\.variable)
        for variable in variables where variable.name == .parent || variable.name == .item {
            let text = partition.text(variable)
            let leadsAway = ["", ".", ".."].contains(text)
            if leadsAway || hasFiles && text.utf8.contains(where: { "/*?[\\\0".utf8.contains($0) }) {
                let reason = "has `\(text)` as `\(variable.path)`, which cannot stand in a path"
                return PartitionPlan.Obstacle(partition: partition, reason: reason)
            }
        }
        return nil
    }
}
