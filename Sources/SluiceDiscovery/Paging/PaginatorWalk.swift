internal import SluiceDecode
internal import SluiceFetch
internal import SluicePages
internal import SluicePipeline

/// A run's way from page to page by a paginator.
struct PaginatorWalk {
    private var pagination: Pagination
    private let reading: RecordsReading

    init(_ paginator: StreamDefinition.Paginator, search: PaginatorSearch) throws {
        var stream = search.stream
        stream.paginator = paginator
        pagination = try Pagination(stream: stream, first: try stream.url(base: search.source.base), showsValues: true)
        reading = try RecordsReading(
            stream: stream, maximumRecordBytes: search.source.definition.maximumRecordBytes, showsValues: true)
    }

    /// What a run would ask for after a page; nil where it would end.
    mutating func next(after page: ProbedPage) throws -> PageRequest? {
        let answer = page.answer
        let view =
            answer.byteCount == 0
            ? PageView() : try pagination.view(of: answer.page, reading: reading, showsValues: true)
        guard case .next(let request) = try pagination.step(after: answer.head, view, name: answer.page.name) else {
            return nil
        }
        return request
    }
}
