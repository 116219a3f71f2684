package import SluiceDecode
package import SluicePipeline

/// A page is requested by its number.
extension StreamDefinition.PageNumber: Paginator {
    package var valueParameter: String? { parameter }
    package var first: PageValue? { PageValue(start) }
    package var needs: PageView.Needs { totalPath == nil ? .count : .body }

    package func furtherNeeds(of page: PageView) -> PageView.Needs {
        // Without the number of pages the end is told by a page without records.
        totalPath != nil && total(of: page) == nil ? .count : []
    }

    package func next(after page: ReceivedPage, _ counts: PageCounts) -> NextPage {
        // Some sources refuse the page behind the last one, and tell in a header which one that is.
        let total = counts.total ?? HeaderMember.pageTotal(of: page.head)
        let isLast = total.map { counts.pages >= $0 } ?? (counts.pageRecords == 0)
        return isLast ? .end : NextPage(value(behind: counts.pages))
    }

    package func value(ahead distance: Int, _ counts: PageCounts) -> PageValue? {
        let pages = counts.pages.addingReportingOverflow(distance)
        guard let total = counts.total, !pages.overflow, pages.partialValue < total else { return nil }
        return value(behind: pages.partialValue)
    }

    package func beginning(of list: ListBeginning) -> PageToken? {
        guard let size = list.pageSize, list.count > 0, list.count.isMultiple(of: size) else { return nil }
        let pages = list.count / size
        return value(behind: pages).map { PageToken(pages: pages, lead: .value($0)) }
    }

    /// The number of the page behind some others; nil where there is no such number.
    private func value(behind pages: Int) -> PageValue? {
        let number = start.addingReportingOverflow(pages)
        return number.overflow ? nil : PageValue(number.partialValue)
    }
}
