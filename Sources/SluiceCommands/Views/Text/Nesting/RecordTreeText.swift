internal import SluiceModel

/// A record of a report with what belongs to it, each below what it belongs to and further in.
struct RecordTreeText {
    /// How much further in a record stands than the one that it belongs to.
    static let indent = 2
    let families: EntityFamilies
    let style: TextStyle

    /// Whole lines for a record and all that is listed of it.
    func text(_ tree: RecordTree) -> String {
        var text = ""
        append(tree.node(families.place), of: tree, depth: 0, to: &text)
        if tree.left > 0 {
            let rest = "… and \(CountText.grouped(tree.left)) more within \(families.label(of: tree.root))"
            text += Self.indented(style.paint("  " + rest, .faint) + "\n", depth: 1)
        }
        return text
    }

    private func append(_ node: RecordTree.Node, of tree: RecordTree, depth: Int, to text: inout String) {
        if node.entries.isEmpty {
            let note = tree.isWhole ? "  " + style.paint("(changes within it)", .faint) : ""
            let line = "  " + style.paint(families.label(of: node.name), .strong) + note + "\n"
            text += Self.indented(line, depth: depth)
        }
        for entry in node.entries { text += Self.indented(entry.text, depth: depth) }
        for child in node.children { append(child, of: tree, depth: depth + 1, to: &text) }
    }

    /// How texts look that stand so far in.
    func style(depth: Int) -> TextStyle { style.narrowed(by: depth * Self.indent) }

    private static func indented(_ text: String, depth: Int) -> String {
        if depth == 0 { return text }
        let blank = String(repeating: " ", count: depth * indent)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.isEmpty ? "\n" : blank + $0 + "\n" }.joined()
    }
}

extension EntityFamilies {
    /// How a record is called below the one that it belongs to: `Line 12`, `Title lang="de", kind=1`.
    func label(of name: RecordName) -> String {
        if name.key.isEmpty { return RecordLabel.list(of: name.entity) }
        return RecordLabel.of(
            entity: name.entity, members: Array(zip(ownKeyNames(of: name.entity), name.key.map(\.text))))
    }
}
