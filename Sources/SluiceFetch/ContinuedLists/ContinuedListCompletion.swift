package import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
package import SluicePages
package import SluicePipeline
package import SluiceSystem

/// Puts what continues one list into the records of a stream's pages.
package struct ContinuedListCompletion {
    /// The position of the list among those of `nested`.
    package let index: Int
    package let list: StreamDefinition.NestedList
    /// What was asked for.
    package let plan: PartitionPlan
    package let more: StreamDefinition.NestedList.More
    package let found: ContinuedListFinder.Found
    /// The pages that continue lists, each with its record.
    package let rest: FetchedPages
    /// How the records of the stream's pages are found.
    package let records: RecordsReading
    package let splicer: ListSplicer
    package let cancellation: Cancellation

    /// Makes a value of its parts.
    package init(
        index: Int, list: StreamDefinition.NestedList, plan: PartitionPlan, more: StreamDefinition.NestedList.More,
        found: ContinuedListFinder.Found, rest: FetchedPages, records: RecordsReading, splicer: ListSplicer,
        cancellation: Cancellation
    ) {
        self.index = index
        self.list = list
        self.plan = plan
        self.more = more
        self.found = found
        self.rest = rest
        self.records = records
        self.splicer = splicer
        self.cancellation = cancellation
    }

    /// Completes the records of some pages.
    ///
    /// - Parameter pages: Those with completed records get others in their places.
    /// - Returns: What became of the continued lists.
    /// - Throws: What reading a page throws, and `SystemError` where there is no room.
    package func complete(_ pages: inout FetchedPages) throws -> ContinuedListResult {
        var result = rest.partitions ?? PartitionResult(plan: plan)
        var readings: [Int: [Int: [Int: ListReading]]] = [:]
        var failed: [Int: Set<Int>] = [:]
        func note(_ page: Int, _ ordinal: Int, _ reading: ListReading) {
            readings[page, default: [:]][ordinal] = [index: reading]
        }
        for place in found.passedOver { note(place.page, place.ordinal, .partial) }
        for (place, _) in found.obstacles {
            note(place.page, place.ordinal, .partial)
            failed[place.page, default: []].insert(place.ordinal)
        }
        let continuedLists = Dictionary(grouping: rest.pages) { $0.partition.map { OpenList.ordinal(of: $0) } ?? -1 }
        let unread = Set(result.failures.map { OpenList.ordinal(of: $0.partition) })
        let incomplete = Set(result.incomplete.map { OpenList.ordinal(of: $0) })
        var splicer = splicer
        var shortfall: String?
        var spool = try Spool()
        for (page, lists) in Dictionary(grouping: found.open, by: \.page).sorted(by: { $0.key < $1.key }) {
            for list in lists where unread.contains(list.ordinal) {
                note(page, list.ordinal, .partial)
                failed[page, default: []].insert(list.ordinal)
            }
            let read = lists.filter { !unread.contains($0.ordinal) }
            if read.isEmpty { continue }
            let byPosition = Dictionary(read.map { ($0.position, $0) }) { first, _ in first }
            var copy = try PageSplicer(pages.pages[page], into: spool)
            let reader = try records.makeReader(of: PageBytes(pages.pages[page]), pages.pages[page])
            while let record = try reader.next() {
                try cancellation.check()
                guard let list = byPosition[record.ordinal] else { continue }
                do {
                    let splice = try splicer.splice(record.copy, continuedLists[list.ordinal] ?? [])
                    let start = record.byteOffset + splice.range.lowerBound
                    if start < copy.position {
                        throw ListSplicer.Failure(
                            message:
                                "It stands before the record that was read before it, so its page cannot be copied. Use a path of names, indexes and `*` for `records`."
                        )
                    }
                    try copy.put(splice.text, at: start..<start + splice.range.count)
                    if incomplete.contains(list.ordinal) {
                        note(page, list.ordinal, .partial)
                    } else if let reason = splice.shortfall {
                        note(page, list.ordinal, .partial)
                        result.incomplete.append(list.partition)
                        shortfall = shortfall ?? reason
                    } else if more.request.paginator.rule.isCounted || rest.coverage.isCounted {
                        note(page, list.ordinal, .counted)
                    } else {
                        note(page, list.ordinal, .whole)
                    }
                } catch let failure as ListSplicer.Failure {
                    result.failures.append(
                        PartitionResult.Failure(partition: list.partition, message: failure.message))
                    note(page, list.ordinal, .partial)
                    failed[page, default: []].insert(list.ordinal)
                }
            }
            let finished = try copy.finish()
            pages.pages[page] = finished.page
            spool = finished.spool
        }
        for (page, ordinals) in readings {
            let lists = ListReadings(ordinals, failed: failed[page] ?? [])
            pages.pages[page].lists = pages.pages[page].lists?.merging(lists) ?? lists
        }
        return ContinuedListResult(
            list: list.path.text, partitions: result, incompleteReason: rest.coverage.reason ?? shortfall,
            warning: rest.warning)
    }
}
