internal import SluiceReview
internal import SluiceStore

/// Open conflicts as the rows of a spreadsheet, and the decisions that people wrote into them.
enum ConflictSheet {
    /// The columns, in order; people fill in the last two.
    static let columns = [
        "id", "pipeline", "stream", "entity", "key", "field", "kind", "base", "local", "remote", "take", "value",
    ]

    /// The line with the names of the columns.
    static var header: String { CSVWriter.row(columns) }

    /// The line of a conflict.
    static func row(_ entry: ConflictEntry) -> String {
        let sides = [entry.base, entry.local, entry.remote].map(SpreadsheetText.cell)
        return CSVWriter.row(
            [
                entry.id.map { String($0) } ?? "", entry.pipeline, entry.stream, entry.entity, entry.key,
                entry.field ?? "", entry.kind,
            ] + sides + ["", ""])
    }

    /// One decision that a row holds.
    struct Entry: Equatable {
        let line: Int
        let id: Int64?
        let decision: Decision
        /// What the row says of the conflict, by column; what is empty is left out.
        let shown: [String: String]
    }

    /// What a row decides.
    enum Decision: Equatable {
        case nothing
        case take(Resolution)
        case value(String)
        /// It cannot be understood, for this reason.
        case unclear(String)
    }

    /// The rows of a file.
    ///
    /// - Throws: `CSVReader.Problem` where it is no such file.
    static func entries(_ bytes: [UInt8]) throws(CSVReader.Problem) -> [Entry] {
        let rows = try CSVReader.rows(bytes)
        guard let header = rows.first else { throw CSVReader.Problem(line: 1, message: "It is empty.") }
        let names = header.cells.map { trimmed($0).lowercased() }
        for name in ["id", "take", "value"] where !names.contains(name) {
            throw CSVReader.Problem(
                line: header.line,
                message:
                    "There is no column `\(name)`. The first line names the columns, as in `\(columns.joined(separator: ","))`."
            )
        }
        return rows.dropFirst().map { row in
            let cells = Dictionary(zip(names, row.cells)) { first, _ in first }
            return Entry(
                line: row.line, id: Int64(trimmed(cells["id"] ?? "")),
                decision: decision(take: trimmed(cells["take"] ?? "").lowercased(), value: cells["value"] ?? ""),
                shown: cells.filter { !$0.value.isEmpty && columns.prefix(10).contains($0.key) })
        }
    }

    private static func decision(take: String, value: String) -> Decision {
        switch (take, value) {
        case ("", ""): .nothing
        case ("local", ""): .take(.local)
        case ("remote", ""): .take(.remote)
        case ("base", ""): .take(.base)
        case ("", _),
            ("set", _) where !value.isEmpty:
            .value(value)
        case ("local", _), ("remote", _), ("base", _):
            .unclear("It has both a `take` and a `value`; clear one of them.")
        default: .unclear("`take` must be `local`, `remote` or `base`, not `\(take)`.")
        }
    }

    /// Why a row no longer speaks of the conflict that has its number; nil where it does.
    static func staleness(of row: Entry, _ entry: ConflictEntry) -> String? {
        let names = [
            ("pipeline", entry.pipeline), ("stream", entry.stream), ("entity", entry.entity), ("key", entry.key),
            ("field", entry.field ?? ""),
        ]
        for (column, now) in names {
            guard let shown = row.shown[column], shown != now else { continue }
            return
                "The row is about another conflict: its `\(column)` is `\(shown)`, and of conflict \(entry.id ?? 0) `\(now)`. Where that was renamed since, write `\(now)` there."
        }
        for (column, now) in [("local", entry.local), ("remote", entry.remote)] {
            guard let shown = row.shown[column], !isSame(shown, SpreadsheetText.cell(now)) else { continue }
            return
                "Its `\(column)` is not what the row shows: it changed since the export, or the spreadsheet changed how it is written. Export again, or clear the cell to decide without it."
        }
        return nil
    }

    /// Whether a cell still says the same after a spreadsheet wrote numbers, truth values and line breaks its own way.
    private static func isSame(_ shown: String, _ now: String) -> Bool {
        if shown == now { return true }
        // A double tells no more digits apart.
        if max(shown.utf8.count, now.utf8.count) <= 15, let left = Double(shown), let right = Double(now) {
            return left == right
        }
        if now == "true" || now == "false" { return shown.lowercased() == now }
        return shown.utf8.filter { $0 != UInt8(ascii: "\r") } == now.utf8.filter { $0 != UInt8(ascii: "\r") }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
