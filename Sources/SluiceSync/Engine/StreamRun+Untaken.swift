internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// Where the records of a run stood that could not be taken: whatever a run passes over, such a record is read again.
struct UntakenRecords {
    /// The positions of their pages, from 0.
    var pages: Set<Int> = []
    /// The positions within the stream of those that were decoded.
    var ordinals: Set<Int> = []
}

/// Records that could not be taken are read again by the next run.
extension StreamRun {
    /// Notes a record that is not stored, so that neither a cursor nor what is known of a partition passes it.
    ///
    /// - Parameters:
    ///   - record: The record as it was read.
    ///   - page: The position of its page, from 0.
    mutating func reject(_ record: [UInt8], onPage page: Int) {
        untaken.pages.insert(page)
        cursor?.reject(record)
        partitionTracker?.reject(record, onPage: page)
    }

    /// The texts of records that were decoded and could not be written, each of which is noted as not stored.
    ///
    /// - Parameter ordinals: Their positions within the stream.
    /// - Returns: The text and place of each.
    /// - Throws: What reading a page or the quarantine throws.
    mutating func untakenTexts(at ordinals: Set<Int>) throws -> [Int: RecordText] {
        let texts = try texts(at: ordinals)
        for ordinal in ordinals.sorted() where untaken.ordinals.insert(ordinal).inserted {
            // Of one without a text nothing is known, its cursor neither.
            reject(texts[ordinal]?.bytes ?? [], onPage: texts[ordinal]?.pageIndex ?? 0)
        }
        return texts
    }

    /// The partitions that have such records.
    private var untakenPartitions: Set<ExactText> {
        Set(untaken.pages.compactMap { pages.pages.indices.contains($0) ? pages.pages[$0].partition?.key : nil })
    }

    /// The partitions that have records which are not settled: such that could not be taken, and such in conflict. One that was
    /// due for another reason stays so while a record in quarantine may be of it: a run that asks for changes need not have met it.
    /// Of records that share a key and differ, each may be in another partition: all are read again until nobody has to look at that.
    ///
    /// - Parameter report: What became of the records.
    /// - Returns: Their keys; none of a stream that asks for all of them in any case.
    /// - Throws: `StoreError`.
    func unsettledPartitions(_ report: StreamReport) throws -> Set<ExactText> {
        guard stream.parent?.only == .changed, retry == nil, let result = pages.partitions else { return [] }
        if report.differingProblem(of: stream)?.severity == .warning { return Set(result.plan.all.map(\.key)) }
        let unsettled = UnsettledPartitions(result.plan.shape, entity: entity, table: context.table, in: context.store)
        let found = try unsettled.find(among: result.plan, parts: parts.map(\.table))
        var keys = untakenPartitions.union(found.keys)
        if found.mayBeOthers, stream.asksForChanges {
            let (pipeline, state) = (plan.schema.pipeline, context.store.state)
            let before = try state.value(.partitions, pipeline: pipeline, stream: stream.name)?.failed ?? []
            keys.formUnion(before.intersection(result.plan.all.map(\.key)))
        }
        return keys
    }
}
