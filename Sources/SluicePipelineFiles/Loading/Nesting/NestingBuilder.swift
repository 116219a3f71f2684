internal import SluiceDiagnostics
internal import SluicePipeline

/// Makes what a stream says of other streams, of lists of texts and of lists within its records.
struct NestingBuilder {
    let root: ConfigNode
    /// The stream over the defaults.
    let node: ConfigNode
    /// The source, or nil where it is not known.
    let source: SourceDefinition?
    let entities: [EntityDefinition]
    let reporter: Reporter

    func build(_ stream: inout StreamDefinition) {
        stream.parent = node.member("parent").flatMap(parent)
        stream.items = node.member("for_each").map(items) ?? []
        stream.isSpread = node.member("spread")?.bool ?? false
        stream.nested = nested(in: stream)
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
}
