internal import SluiceJSON
internal import SluicePipeline

/// Lists within records.
extension NestingBuilder {
    /// The lists of a stream whose paginator is known.
    func nested(in stream: StreamDefinition) -> [StreamDefinition.NestedList] {
        var known: Set<String> = []
        return (node.member("nested")?.elements ?? []).compactMap { value in
            guard let list = nested(value, in: stream) else { return nil }
            if known.insert(list.entity).inserted { return list }
            if let place = value.member("entity") {
                reporter.report(
                    .duplicateName, "`nested` has two lists of `\(list.entity)`.", at: place.start,
                    help: "Make an entity for each list; the entities may have the same fields.")
            }
            return nil
        }
    }

    private func nested(_ value: ConfigNode, in stream: StreamDefinition) -> StreamDefinition.NestedList? {
        guard let path = value.member("path")?.string.flatMap({ try? JSONPath(parsing: $0) }),
            let entityNode = value.member("entity"), let name = entityNode.string
        else { return nil }
        if !path.isSingular, let place = value.member("path") {
            reporter.report(
                .conflictingKeys, "`\(path.text)` may select several values, and `nested` takes one.", at: place.start,
                help: "Write the path of one object, and let `records` select its elements.")
            return nil
        }
        guard let entity = entities.first(where: { $0.name == name }) else {
            reporter.reportUnknownEntity(name, at: entityNode.start, among: entities.map(\.name))
            return nil
        }
        var list = StreamDefinition.NestedList(
            path: path, records: value.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }, entity: name)
        check(list, value, entity, in: stream, at: entityNode.start)
        if let more = value.member("more") { list.more = self.more(more, of: list, entity, in: stream) }
        return list
    }

    private func check(
        _ list: StreamDefinition.NestedList, _ value: ConfigNode, _ entity: EntityDefinition,
        in stream: StreamDefinition, at place: SourcePlace
    ) {
        if entity.parent != stream.entity {
            let other = entity.parent.map { "a child of `\($0)`" } ?? "no child"
            reporter.report(
                .unusableChildren,
                entity.name == stream.entity
                    ? "`\(entity.name)` is what the stream itself yields."
                    : "`\(entity.name)` is \(other), and the records of `\(stream.name)` are of `\(stream.entity)`.",
                at: place, help: "Name a child of `\(stream.entity)`, or an entity that nothing else yields.")
        }
        if let records = list.records, let node = value.member("records") {
            if !records.isPlain {
                reporter.report(
                    .conflictingKeys,
                    "`\(records.text)` is no path for `nested`: it may have only names, indexes and `*`.",
                    at: node.start, help: "Write a path such as `data[*]`.")
            } else if records.isSingular {
                reporter.report(
                    .conflictingKeys,
                    "`\(records.text)` selects one value, and `nested` takes the elements of a list.", at: node.start,
                    help: "Write `\(records.text)[*]`.")
            }
        }
        let child = entities.first { $0.name == stream.entity }?.children.first { $0.entity == entity.name }
        if let child, child.entries != nil {
            reporter.report(
                .conflictingKeys,
                "The records of `\(entity.name)` are the members of an object, as `\(child.name)` says with `entries`, and `nested` takes a list.",
                at: place, help: "Leave the list of `nested` out.")
        }
    }

    // MARK: More

    private func more(
        _ value: ConfigNode, of list: StreamDefinition.NestedList, _ entity: EntityDefinition,
        in stream: StreamDefinition
    ) -> StreamDefinition.NestedList.More? {
        guard let condition = value.member("when")?.string, let path = value.member("path")?.template else {
            return nil
        }
        check(value, of: list, in: stream)
        var request = StreamDefinition(name: stream.name, entity: list.entity, path: path)
        request.parameters = RequestBuilder.merge(
            root.member("source")?.member("params")?.namedTemplates, value.member("params"), foldsCase: false)
        request.headers = RequestBuilder.merge(stream.headers, value.member("headers"), foldsCase: true)
        RequestBuilder(source: nil, reporter: reporter).build(&request, value)
        let records = value.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }
        request.records = records ?? list.records
        let paginator = PaginatorBuilder(
            node: value.member("paginator") ?? node.member("paginator"), source: nil, body: request.body,
            reporter: reporter)
        request.paginator = paginator.build()
        request.pageLimits = paginator.buildLimits()
        var more = StreamDefinition.NestedList.More(condition: condition, request: request)
        more.start = value.member("from")?.string.flatMap { try? JSONPath(parsing: $0) }
        check(more, value, in: stream)
        return more
    }

    /// Where nothing can be asked for, or nothing can be put.
    private func check(_ value: ConfigNode, of list: StreamDefinition.NestedList, in stream: StreamDefinition) {
        if source?.base.isFile == true {
            reporter.report(
                .conflictingKeys, "A `file:` source gets no requests, so it takes no `more`.", at: value.start,
                help: "Remove `more`: the list in the record is read.")
        }
        if stream.recordsProgram != nil {
            reporter.report(
                .conflictingKeys,
                "`more` needs `records` that is a path, not a program.",
                at: value.start, help: "Write `records` as a path, and use `filter` for what should be left out.")
        }
        if list.place.steps.count(where: { $0 == .wildcard }) > 1 || list.place.steps.last != .wildcard {
            reporter.report(
                .conflictingKeys, "`more` continues one list, and `\(list.place.text)` selects several.",
                at: value.start, help: "Let `records` lead to the elements of one array, such as `data[*]`.")
        }
    }

    /// Where it cannot be told how the rest goes on.
    private func check(
        _ more: StreamDefinition.NestedList.More, _ value: ConfigNode, in stream: StreamDefinition
    ) {
        if let start = more.start, let node = value.member("from") {
            if !start.isSingular {
                reporter.report(
                    .conflictingKeys, "`more.from` must lead to one value, but `*` selects several.", at: node.start,
                    help: "Name one element, such as `[0]`.")
            } else if !more.request.paginator.rule.readsNextPlace {
                reporter.report(
                    .conflictingKeys,
                    "`from` needs a paginator that reads the next place from the page, and that of `more` does not.",
                    at: node.start, help: "Leave `from` out, or use the paginator `cursor` or `json_link`.")
            }
        }
        let child = entities.first { $0.name == stream.entity }?.children.first { $0.entity == more.request.entity }
        guard child?.isOrdered == true, !more.request.paginator.rule.continuesLists else { return }
        reporter.report(
            .conflictingKeys,
            "The records of `\(more.request.entity)` are identified by their position, and the paginator of `more` does not say where the rest begins.",
            at: value.start,
            help: "Give them a `key` instead of `ordered`, or use the paginator `cursor`, `json_link` or `offset`."
        )
    }
}
