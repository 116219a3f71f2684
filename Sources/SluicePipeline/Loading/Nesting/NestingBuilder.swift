internal import SluiceDiagnostics
internal import SluiceJSON

/// Makes what a stream says of other streams, of lists of texts and of lists within its records.
struct NestingBuilder {
    let root: ConfigNode
    /// The stream over the defaults.
    let node: ConfigNode
    let entities: [EntityDefinition]
    let reporter: Reporter

    func build(_ stream: inout StreamDefinition) {
        stream.parent = node.member("parent").flatMap(parent)
        stream.items = node.member("for_each").map(items) ?? []
        stream.nested = (node.member("nested")?.elements ?? []).compactMap { nested($0, in: stream) }
    }

    // MARK: Parent

    private func parent(_ value: ConfigNode) -> StreamDefinition.Parent? {
        guard let streamNode = value.member("stream"), let name = streamNode.string else { return nil }
        let streams = root.member("streams")?.elements ?? []
        guard let other = streams.first(where: { $0.member("name")?.string == name }) else {
            let names = streams.compactMap { $0.member("name")?.string }
            reporter.report(
                .unknownStream, "There is no stream `\(name)` in this pipeline.", at: streamNode.start,
                suggestion: Suggestion.nearest(to: name, among: names), help: "The streams are \(names.quotedList).")
            return nil
        }
        guard let entity = entities.first(where: { $0.name == other.member("entity")?.string }) else { return nil }
        let keyNodes = value.member("key")?.names ?? []
        for node in keyNodes { check(node, isFieldOf: entity) }
        let key = keyNodes.compactMap(\.string)
        var parent = StreamDefinition.Parent(stream: name, key: key.isEmpty ? entity.primaryKey : key)
        parent.only = value.member("only")?.choice(StreamDefinition.Parent.Selection.self) ?? .all
        return parent
    }

    private func check(_ node: ConfigNode, isFieldOf entity: EntityDefinition) {
        let names = entity.fields.map(\.name)
        guard let name = node.string, !names.contains(name), !names.isEmpty else { return }
        reporter.report(
            .unknownField, "`parent.key` names `\(name)`, which is no field of `\(entity.name)`.", at: node.start,
            suggestion: Suggestion.nearest(to: name, among: names), help: "The fields are \(names.quotedList).")
    }

    // MARK: Items

    private func items(_ value: ConfigNode) -> [StreamDefinition.ItemList] {
        if let elements = value.elements { return [list(nil, elements)] }
        return (value.members ?? []).map { list($0.name, $0.value.elements ?? []) }
    }

    private func list(_ name: String?, _ elements: [ConfigNode]) -> StreamDefinition.ItemList {
        var values: [String] = []
        for element in elements {
            guard let text = element.string else { continue }
            if values.contains(text) {
                reporter.report(.duplicateName, "`for_each` has `\(text)` twice.", at: element.start)
            }
            values.append(text)
        }
        return StreamDefinition.ItemList(name: name, values: values)
    }

    // MARK: Nested lists

    private func nested(_ value: ConfigNode, in stream: StreamDefinition) -> StreamDefinition.NestedList? {
        guard let path = value.member("path")?.string.flatMap({ try? JSONPath(parsing: $0) }),
            let entityNode = value.member("entity"), let name = entityNode.string
        else { return nil }
        if !path.isSingular, let place = value.member("path") {
            reporter.report(
                .conflictingKeys, "`\(path.text)` may select several values, and `nested` takes one.", at: place.start,
                help: "Name what is like a page; `records` leads to its records.")
        }
        guard let entity = entities.first(where: { $0.name == name }) else {
            let names = entities.map(\.name)
            reporter.report(
                .unknownEntity, "There is no entity `\(name)`.", at: entityNode.start,
                suggestion: Suggestion.nearest(to: name, among: names), help: "The entities are \(names.quotedList).")
            return nil
        }
        if let parent = entity.parent, parent != stream.entity {
            reporter.report(
                .unusableChildren,
                "`\(name)` is a child of `\(parent)`, and the records of `\(stream.name)` are of `\(stream.entity)`.",
                at: entityNode.start, help: "Name a child of `\(stream.entity)`, or an entity that is no child.")
        }
        var list = StreamDefinition.NestedList(
            path: path, records: value.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }, entity: name)
        if let more = value.member("more"), let condition = more.member("when")?.string,
            let path = more.member("path")?.template
        {
            list.more = StreamDefinition.NestedList.More(condition: condition, path: path)
        }
        return list
    }
}
