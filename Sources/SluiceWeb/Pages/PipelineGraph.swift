internal import SluiceDiagnostics
internal import SluiceHTTPServer
internal import SluicePipeline

/// Where a pipeline's records come from and where they go, as a picture: source, streams, entities and references.
struct PipelineGraph {
    private struct Node {
        let label: String
        let column: Int
        let row: Int

        var x: Int { 10 + column * 230 }
        var y: Int { 10 + row * 46 }
        var right: (Int, Int) { (x + 180, y + 16) }
        var left: (Int, Int) { (x, y + 16) }
    }

    private static let mostNodes = 200
    let definition: PipelineDefinition

    /// The picture; nothing where there is too much for one.
    var html: HTML {
        let streams = definition.streams
        let entities = definition.entities
        if streams.count + entities.count > Self.mostNodes || entities.isEmpty { return "" }
        let rows = max(streams.count, entities.count)
        let source = Node(label: sourceName, column: 0, row: max(0, streams.count - 1) / 2)
        let streamNodes = streams.enumerated().map { Node(label: $1.name, column: 1, row: $0) }
        let entityNodes = entities.enumerated().map { Node(label: "\($1.name) → \($1.table)", column: 2, row: $0) }
        func entity(_ name: String) -> Node? {
            entities.firstIndex { $0.name == name }.map { entityNodes[$0] }
        }
        var paths: [HTML] = []
        for (stream, node) in zip(streams, streamNodes) {
            if let parent = stream.parent, let above = streams.firstIndex(where: { $0.name == parent.stream }) {
                paths.append(Self.bend(streamNodes[above].left, node.left, "parent"))
            } else {
                paths.append(Self.line(source.right, node.left))
            }
            if let target = entity(stream.entity) { paths.append(Self.line(node.right, target.left)) }
        }
        for (own, node) in zip(entities, entityNodes) {
            for reference in own.references {
                if let target = entity(reference.target) {
                    paths.append(Self.bend(node.right, target.right, reference.name))
                }
            }
            for child in own.children {
                if let target = entity(child.entity) { paths.append(Self.bend(target.right, node.right, child.entity)) }
            }
        }
        let height = 20 + rows * 46
        let words =
            "\(Plural.of(streams.count, "stream fills", "streams fill")) \(Plural.of(entities.count, "entity", "entities"))"
        return """
            <div class="wide"><svg class="graph" width="780" height="\(height)" viewBox="0 0 780 \(height)" role="img" aria-label="\(value: words)">\(paths)\(([source] + streamNodes + entityNodes).map(Self.box))</svg></div>
            """
    }

    private var sourceName: String {
        switch definition.source.base {
        case .http(let text): "\(text)"
        case .file(let path): path
        }
    }

    private static func box(_ node: Node) -> HTML {
        let shown = node.label.count > 26 ? String(node.label.prefix(25)) + "…" : node.label
        return """
            <g><title>\(node.label)</title><rect x="\(node.x)" y="\(node.y)" width="180" height="32" rx="5"/><text x="\(node.x + 8)" y="\(node.y + 21)">\(shown)</text></g>
            """
    }

    private static func line(_ from: (Int, Int), _ to: (Int, Int)) -> HTML {
        "<path d=\"M\(from.0) \(from.1) C\(from.0 + 25) \(from.1) \(to.0 - 25) \(to.1) \(to.0) \(to.1)\"/>"
    }

    /// A reference, on the side where nothing else is.
    private static func bend(_ from: (Int, Int), _ to: (Int, Int), _ name: String) -> HTML {
        let isRight = from.0 > 400
        let distance = (isRight ? 1 : -1) * min(25 + abs(from.1 - to.1) / 4, 120)
        let end = from == to ? (to.0, to.1 + 10) : to
        return """
            <path class="reference" d="M\(from.0) \(from.1) C\(from.0 + distance) \(from.1) \(end.0 + distance) \(end.1) \(end.0) \(end.1)"><title>\(name)</title></path>
            """
    }
}
