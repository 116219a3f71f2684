package import SluiceDecode
package import SluiceFetch
internal import SluiceModel
internal import SluicePages
package import SluicePipeline
internal import SluicePlans
package import SluiceReconcile
package import SluiceReport
package import SluiceStore

/// Streams that ask for one thing after the other. What their parents are shows once those were merged.
extension SyncEngine {
    /// Whether a stream has to know the records of another one before it can be fetched.
    var asksForParents: Bool { options.retry == nil && streams.contains(where: \.waitsForStore) }

    /// The streams with their places in the file, each behind the one whose records it asks for.
    var streamsInOrder: [(Int, StreamDefinition)] {
        let ordered = streamsInPrecedence
        if ordered.allSatisfy({ $0.1.parent == nil }) { return ordered }
        let byName = Dictionary(ordered.map { ($0.1.name, $0.1) }) { first, _ in first }
        func depth(_ stream: StreamDefinition) -> Int {
            var depth = 0
            var next = stream
            while depth <= ordered.count, let parent = next.parent.flatMap({ byName[$0.stream] }) {
                depth += 1
                next = parent
            }
            return depth
        }
        let depths = ordered.map { depth($0.1) }
        return ordered.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }.map { ordered[$0] }
    }

    /// What finds the partitions of a stream.
    package func reader(of shape: PartitionShape, _ stream: StreamDefinition) -> PartitionReader {
        var hasFiles = false
        if case .file = pipeline.source.base { hasFiles = true }
        return PartitionReader(shape: shape, stream: stream, hasFiles: hasFiles, cancellation: options.cancellation)
    }

    /// What a stream has to ask for, as its parents are in the present transaction.
    ///
    /// - Parameters:
    ///   - stream: A stream that waits for the store.
    ///   - store: The store.
    ///   - startedAt: When the run began, RFC 3339.
    ///   - reports: What became of the streams that were merged, by name.
    ///   - unread: What is unread of them, by name.
    /// - Returns: Nil where its parent was not merged yet.
    /// - Throws: `StoreError`, and ``SyncError`` where nothing is known of the parents.
    package func plan(
        _ stream: StreamDefinition, in store: any RecordStore, startedAt: String, after reports: [String: StreamReport],
        _ unread: [String: UnreadRecords] = [:]
    ) throws -> PartitionPlan? {
        guard let shape = PartitionShape(stream, in: pipeline) else { return nil }
        guard let parent = stream.parent else {
            var plan = try reader(of: shape, stream).plan(nil, memory: nil)
            plan.cursors = try cursors(of: stream, in: store, startedAt: startedAt)
            return plan
        }
        let isPresent = streams.contains { $0.name == parent.stream }
        if isPresent && reports[parent.stream] == nil { return nil }
        guard
            let table = try store.knownTable(
                pipeline: pipeline.name, stream: parent.stream, entity: shape.parentEntity)
        else {
            throw SyncError(
                .fetchFailed,
                "The stream `\(stream.name)` asks for each record of `\(parent.stream)`, which was never read. Run it without `--stream`."
            )
        }
        let unread = unread[parent.stream] ?? .none
        var plan = try reader(of: shape, stream).plan(
            table, memory: memory(of: stream, in: store), unmerged: UnmergedRecords(of: table.schema, in: store),
            standing: unread.standing)
        if unread.mayHaveOthers { plan.mayLackParents = true }
        plan.cursors = try cursors(of: stream, in: store, startedAt: startedAt)
        // Of a parent stream with partitions, those that were not read keep their records, which are partitions here.
        plan.isExhaustive = reports[parent.stream].map { $0.provesAbsences || $0.partitions != nil } ?? false
        return plan
    }

    /// How far the partitions of an incremental stream were read; nil for a stream that is read as a whole.
    func cursors(
        of stream: StreamDefinition, in store: any RecordStore, startedAt: String
    ) throws -> PartitionCursors? {
        guard let rule = stream.incremental,
            let field = pipeline.entity(named: stream.entity)?.fields.first(where: { $0.name == rule.field })
        else { return nil }
        let kept =
            try isDefined(stream, as: store)
            ? store.state.value(.partitionCursors(rule), pipeline: pipeline.name, stream: stream.name) : nil
        return PartitionCursors(kept, rule, field: field, overrides: options.cursor, startedAt: startedAt)
    }

    /// What a stream that asks for changes remembers; nil where everything has to be asked for.
    private func memory(of stream: StreamDefinition, in store: any RecordStore) throws -> PartitionMemory? {
        guard stream.parent?.only == .changed, !options.isFull, try isDefined(stream, as: store) else { return nil }
        let memory = try store.state.value(.partitions, pipeline: pipeline.name, stream: stream.name)
        return memory.flatMap { stream.asks(by: $0.fingerprint) ? $0 : nil }
    }

    /// Keeps which parents a stream has asked for. Those whose lists have records that are not settled are asked for again:
    /// such a record may fit, and a conflict may be over, although nothing of the parent changes.
    func keepMemory(
        of stream: StreamDefinition, _ pages: FetchedPages, unsettled: Set<ExactText>, in store: any RecordStore
    ) throws {
        guard stream.parent?.only == .changed, let result = pages.partitions else { return }
        let due = stream.pageLimits.maximumPages == nil ? result.due : result.due.subtracting(result.truncated)
        let memory = PartitionMemory(
            fingerprint: stream.requestFingerprint, asked: result.plan.latestChange,
            failed: Set(due.map(\.key)).union(pages.partitionsWithFailedLists).union(unsettled))
        try store.state.set(.partitions, to: memory, pipeline: pipeline.name, stream: stream.name)
    }
}

extension StreamDefinition {
    /// Whether only the store says what it asks for, so that it is fetched between two attempts at the merge.
    var waitsForStore: Bool { parent != nil || !items.isEmpty && incremental != nil }
}
