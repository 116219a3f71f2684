package import SluiceDecode
package import SluicePipeline

/// A page is requested by the number of records before it.
extension StreamDefinition.Offset: Paginator {
    package var valueParameter: String? { parameter }
    package var sizeParameter: String? { limitParameter }
    package var first: PageValue? { PageValue(0) }
    package var needs: PageView.Needs { totalPath == nil ? [.count] : [.body, .count] }
    package var countsRecords: Bool { true }

    package func next(after page: ReceivedPage, _ counts: PageCounts) -> NextPage {
        if let total = counts.total, counts.records >= total { return .end }
        if counts.pageRecords == 0 {
            return counts.total == nil ? .end : .stop("a page was empty before the total was reached")
        }
        return .value(PageValue(counts.records))
    }

    package func value(ahead distance: Int, _ counts: PageCounts) -> PageValue? {
        let skipped = counts.pageRecords.multipliedReportingOverflow(by: distance)
        let offset = counts.records.addingReportingOverflow(skipped.partialValue)
        guard let total = counts.total, !skipped.overflow, !offset.overflow, offset.partialValue < total else {
            return nil
        }
        return PageValue(offset.partialValue)
    }

    package func beginning(of list: ListBeginning) -> PageToken? {
        list.count == 0 ? nil : PageToken(records: list.count, lead: .value(PageValue(list.count)))
    }
}
