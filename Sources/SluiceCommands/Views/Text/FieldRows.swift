internal import SluiceDiagnostics

/// The fields of one record, one below the other: short values side by side, long ones word by word.
struct FieldRows {
    private static let indent = "    "
    private static let widestName = 24
    /// The widest value that stands beside another.
    private static let widestCell = 30
    let style: TextStyle
    /// The most lines of a long text, nil for all.
    var diffLimit: Int? = 8

    /// Lines of text for fields.
    func text(_ rows: [FieldRow]) -> String {
        let names = rows.map { ShortText.of($0.name) }
        let nameWidth = min(names.map { TextWidth.of($0) }.max() ?? 0, Self.widestName)
        let room = max(style.width - Self.indent.count - nameWidth - 2, 40)
        let columns = columns(of: rows)
        var text = ""
        for (name, row) in zip(names, rows) {
            var start = StyledText(name)
            if case .sides = row.content { start = StyledText(name, .conflict) }
            for line in lines(row, room: room, columns) {
                text += Self.indent + (start.padded(to: nameWidth) + StyledText("  ") + line).painted(style) + "\n"
                start = StyledText()
            }
        }
        return text
    }

    // MARK: One field

    private func lines(_ row: FieldRow, room: Int, _ columns: Columns) -> [StyledText] {
        switch row.content {
        case .changed(let old, let new):
            if ValueText.areLong(old, new) { return diff(old, new, room) + asides(row.note, room) }
            let (old, new) = ShortText.pair(old, new)
            return fit(
                StyledText(ShortText.padded(old, to: columns.old) + " → " + new),
                parts: [StyledText(old), StyledText("→ " + new)], note: row.note, room)
        case .members(let added, let removed):
            let lines = [("+", TextStyle.Role.added, added), ("-", .removed, removed)].filter { !$0.2.isEmpty }
            return lines.map { StyledText($0, $1) + StyledText(" " + Self.list($2, room - 2)) }
                + asides(row.note, room)
        case .kept(let local, let remote): return kept(local, remote, note: row.note, room)
        case .sides(let sides): return lines(sides, note: row.note, room, columns)
        }
    }

    /// Values side by side, as many as fit.
    private static func list(_ values: [String], _ room: Int) -> String {
        var text = ""
        for (index, value) in values.enumerated() {
            let part = (index == 0 ? "" : ", ") + ShortText.of(value, width: widestCell)
            let rest = values.count - index
            if index > 0 && TextWidth.of(text) + TextWidth.of(part) + (rest > 1 ? 16 : 0) > room {
                return "\(text) and \(CountText.grouped(rest)) more"
            }
            text += part
        }
        return text
    }

    private func kept(_ local: String, _ remote: String?, note: String, _ room: Int) -> [StyledText] {
        if let remote, ValueText.areLong(local, remote) {
            return asides(note, room) + diff(from: ("local", local), to: ("remote", remote), room)
        }
        let says = remote.map { "the source says \(ShortText.of($0))" } ?? "the source says nothing of it"
        let value = StyledText(ShortText.of(local))
        return fit(value, parts: [value], note: note.isEmpty ? says : "\(note); \(says)", room)
    }

    private func lines(_ sides: FieldSides, note: String, _ room: Int, _ columns: Columns) -> [StyledText] {
        func label(_ side: FieldSides.Side, width: Int) -> StyledText {
            StyledText(side.label, .faint).padded(to: width)
        }
        func alone(_ side: FieldSides.Side) -> StyledText {
            label(side, width: side.labelWidth) + StyledText(side.gap + ShortText.of(side.value))
        }
        let pairs = sides.longPairs
        if !pairs.isEmpty {
            let compared = pairs.flatMap { [$0.old.label, $0.new.label] }
            let others = sides.sides.filter { !compared.contains($0.label) }
            let lines = others.map { alone($0) }
            return lines
                + pairs.flatMap { diff(from: ($0.old.label, $0.old.value), to: ($0.new.label, $0.new.value), room) }
                + asides(note, room)
        }
        var line = StyledText()
        var width = 0
        for (side, column) in zip(sides.sides, columns.sides) {
            line = line.padded(to: width)
            line = line + label(side, width: 0) + StyledText(" " + ShortText.of(side.value))
            width += column + 3
        }
        let stack = sides.sides.map { alone($0) }
        let isShort = sides.sides.allSatisfy { TextWidth.of(ShortText.of($0.value)) <= Self.widestCell }
        // A note stands below the notes of the other fields, where there are any.
        return isShort ? fit(line, noteAt: width - 3, parts: stack, note: note, room) : stack + asides(note, room)
    }

    private func diff(from old: (String, String), to new: (String, String), _ room: Int) -> [StyledText] {
        [StyledText(Self.legend(from: old.0, to: new.0), .faint)] + diff(old.1, new.1, room)
    }

    /// What the marks of a word diff mean.
    static func legend(from old: String, to new: String) -> String {
        "\(old) to \(new) ([-…-] is in \(old) alone, {+…+} in \(new) alone):"
    }

    private func diff(_ old: String, _ new: String, _ room: Int) -> [StyledText] {
        WordDiffLayout(width: room, limit: diffLimit)
            .lines(of: WordDiff(from: ValueText.plain(old), to: ValueText.plain(new)))
    }

    // MARK: Lines

    /// One line with its note where that fits, else several.
    private func fit(
        _ line: StyledText, noteAt column: Int = 0, parts: [StyledText], note: String, _ room: Int
    ) -> [StyledText] {
        if line.width > room { return parts + asides(note, room) }
        if note.isEmpty || max(line.width, column) + TextWidth.of(note) + 4 > room {
            return [line] + asides(note, room)
        }
        return [line.padded(to: column) + StyledText("  ") + StyledText("(\(note))", .faint)]
    }

    /// A note on lines of its own, broken between words.
    private func asides(_ note: String, _ room: Int) -> [StyledText] {
        if note.isEmpty { return [] }
        var lines = [""]
        for word in "(\(note))".split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if !line.isEmpty && TextWidth.of(line) + 1 + TextWidth.of(word) > room {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = line.isEmpty ? String(word) : "\(line) \(word)"
            }
        }
        return lines.map { StyledText($0, .faint) }
    }

    // MARK: Columns

    /// How wide the values of a record are where they stand below each other.
    private struct Columns {
        /// What was there before a change.
        var old = 0
        /// The sides of a conflict, with their labels.
        var sides = [0, 0, 0]
    }

    private func columns(of rows: [FieldRow]) -> Columns {
        var columns = Columns()
        for row in rows {
            switch row.content {
            case .changed(let old, let new) where !ValueText.areLong(old, new):
                let width = TextWidth.of(ShortText.pair(old, new).old)
                if width <= Self.widestCell { columns.old = max(columns.old, width) }
            case .sides(let sides):
                let widths = sides.sides.map { TextWidth.of(ShortText.of($0.value)) }
                guard widths.allSatisfy({ $0 <= Self.widestCell }) else { continue }
                for (index, width) in zip(sides.sides, widths).map({ TextWidth.of($0.label) + 1 + $1 }).enumerated() {
                    columns.sides[index] = max(columns.sides[index], width)
                }
            case .changed, .members, .kept: continue
            }
        }
        return columns
    }
}
