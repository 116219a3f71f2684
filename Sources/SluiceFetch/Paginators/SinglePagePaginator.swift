package import SluicePipeline

/// There is nothing behind the first page.
extension StreamDefinition.SinglePage: Paginator {
    package func next(after page: ReceivedPage, _ counts: PageCounts) -> NextPage { .end }
}
