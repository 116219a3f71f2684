/// One field of a record as a report shows it. Values are JSON text.
struct FieldRow {
    /// What happens to the field.
    enum Content {
        /// A new value takes the place of another.
        case changed(old: String, new: String, note: String)
        /// The value stays, and why.
        case kept(value: String, note: String)
        /// Somebody must decide; the local value stays. The sides that are not known are nil.
        case conflict(base: String?, local: String?, remote: String?, id: Int64?)
    }

    let name: String
    let content: Content
}

/// The fields of one record, one below the other.
struct FieldRows {
    private static let indent = "    "
    private static let widestName = 24
    private static let widestOld = 28
    let style: TextStyle

    /// Lines of text for fields.
    func text(_ rows: [FieldRow]) -> String {
        let names = rows.map { ShortText.of($0.name) }
        let width = min(names.map(\.count).max() ?? 0, Self.widestName)
        let pairs = rows.map(shortened)
        let oldWidth = pairs.compactMap { $0?.old.count }.filter { $0 <= Self.widestOld }.max() ?? 0
        var text = ""
        for (index, row) in rows.enumerated() {
            let name = ShortText.padded(names[index], to: width)
            text += line(row, name: name, pair: pairs[index], oldWidth: oldWidth)
        }
        return text
    }

    private func shortened(_ row: FieldRow) -> (old: String, new: String)? {
        guard case .changed(let old, let new, _) = row.content else { return nil }
        return ShortText.pair(old, new)
    }

    private func line(_ row: FieldRow, name: String, pair: (old: String, new: String)?, oldWidth: Int) -> String {
        switch row.content {
        case .changed(_, _, let note):
            let (old, new) = pair ?? ("", "")
            return "\(Self.indent)\(name)  \(ShortText.padded(old, to: oldWidth)) → \(new)\(aside(note))\n"
        case .kept(let value, let note):
            return "\(Self.indent)\(name)  \(ShortText.of(value))\(aside(note))\n"
        case .conflict(let base, let local, let remote, let id):
            return conflict(name: name, sides: (base, local, remote), id: id)
        }
    }

    private func conflict(name: String, sides: (base: String?, local: String?, remote: String?), id: Int64?) -> String {
        let number = id.map { ", conflict \($0)" } ?? ""
        let (local, remote) = ShortText.pair(sides.local ?? "no row", sides.remote ?? "gone")
        var lines = sides.base.map { ["base    \(ShortText.of($0))"] } ?? []
        lines.append("local   " + local + aside("kept" + number))
        lines.append("remote  " + remote)
        let blank = String(repeating: " ", count: name.count)
        let starts = [style.paint(name, .conflict)] + [String](repeating: blank, count: lines.count - 1)
        return zip(starts, lines).map { "\(Self.indent)\($0)  \($1)\n" }.joined()
    }

    private func aside(_ note: String) -> String { note.isEmpty ? "" : "  " + style.paint("(\(note))", .faint) }
}
