package import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
package import SluicePages
package import SluicePipeline
internal import SluiceReport

/// Lists within records that have more than their records show: the rest is asked for and put into the records before
/// they are decoded, so that all else sees whole lists.
extension SyncEngine {
    /// Completes the lists within the records of some pages.
    ///
    /// - Parameters:
    ///   - pages: The pages; those with such records get others in their places.
    ///   - stream: Their stream.
    ///   - access: The way to the source.
    ///   - reading: What an incremental stream was asked for.
    /// - Throws: What is no failure of one list: `CancelledError`, a login that is refused, a full disk.
    package func complete(
        _ pages: inout FetchedPages, of stream: StreamDefinition, _ access: SourceAccess, _ reading: CursorRange?
    ) throws {
        let lists = stream.listsWithMore
        guard !lists.isEmpty, case .http = pipeline.source.base,
            let entity = pipeline.entity(named: stream.entity)
        else { return }
        let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
        let plan = try decodePlan(stream, entity, schema, pages, reading).0
        for (index, list, more) in lists {
            let records = try RecordsReading(
                stream: stream, maximumRecordBytes: pipeline.source.maximumRecordBytes,
                showsValues: plan.redactor == nil)
            let child = plan.parts?.part(of: index)
            let finder = ContinuedListFinder(
                stream: stream, list: list, more: more, isOrdered: child?.isOrdered == true,
                shape: PartitionShape(rest: more.request, of: stream, entity), plan: plan, reading: records,
                cancellation: options.cancellation)
            let found = try finder.find(in: pages.pages)
            if found.open.isEmpty && found.obstacles.isEmpty && found.passedOver.isEmpty { continue }
            var asked = PartitionPlan(shape: finder.shape)
            asked.asked = found.open.map(\.partition)
            asked.obstacles = found.obstacles.map(\.obstacle)
            let rest = try fetch(asked, found.open, more.request, access, showsValues: plan.redactor == nil)
            let completion = ContinuedListCompletion(
                index: index, list: list, plan: asked, more: more, found: found, rest: rest, records: records,
                splicer: ListSplicer(
                    list: list, request: more.request,
                    reading: try RecordsReading(
                        stream: more.request, maximumRecordBytes: pipeline.source.maximumRecordBytes,
                        showsValues: plan.redactor == nil),
                    keys: try child.flatMap { try $0.isOrdered ? nil : ChildKeys($0.plan) },
                    maximumRecordBytes: pipeline.source.maximumRecordBytes),
                cancellation: options.cancellation)
            let result = try completion.complete(&pages)
            pages.requests += rest.requests
            pages.retries += rest.retries
            pages.bytes += rest.bytes
            if result.count > 0 { pages.continuedLists.append(result) }
        }
    }

    /// The pages of the rests of some lists, several lists at a time.
    private func fetch(
        _ plan: PartitionPlan, _ open: [OpenList], _ request: StreamDefinition, _ access: SourceAccess,
        showsValues: Bool
    ) throws -> FetchedPages {
        let values = TemplateValues(startedAt: access.startedAt)
        let starts = Dictionary(open.map { ($0.ordinal, $0.start) }) { first, _ in first }
        return try makeFetcher(access, values).fetch(
            plan, of: Series(request, values, showsValues: showsValues), secrets: secrets + access.secrets,
            cancellation: options.cancellation, onProgress: observer.progress
        ) { series in
            series.start = .list(series.values.partition.flatMap { starts[OpenList.ordinal(of: $0)] } ?? nil)
        }
    }
}

extension NestedTree {
    /// The part that a list of `nested` is, by the list's position.
    package func part(of list: Int) -> Part? { branches(below: nil).first { $0.list == list }.map { parts[$0.part] } }
}
