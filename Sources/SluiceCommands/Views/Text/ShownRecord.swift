internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile

/// The row of a conflict over a whole record, as people read it: the mark of what was edited below it is told in words.
package struct ShownRecord {
    /// The row as JSON, without the mark.
    package let row: String
    /// What people did below it and beside it, such as `1 row within it was changed here`; nil where nothing was.
    package let within: String?

    /// The row as JSON, in which the mark is a count, such as `1 row`.
    ///
    /// - Parameter kept: The row as a conflict keeps it.
    /// - Returns: The row.
    static func counted(_ kept: String) -> String {
        let json = StoredJSON()
        guard let members = json.members(kept), members.contains(where: { $0.name == RecordSchema.withinName })
        else { return kept }
        let shown = members.map { member -> String in
            var text = member.json
            if member.name == RecordSchema.withinName, case .text(let bytes)? = json.value(text, type: .string) {
                let words = String(decoding: bytes, as: UTF8.self)
                text = FieldJSON.quoted(String(words.prefix { $0 != "(" }.dropLast()))
            }
            return FieldJSON.quoted(member.name) + ":" + text
        }
        return "{" + shown.joined(separator: ",") + "}"
    }

    /// Takes a row apart.
    ///
    /// - Parameter kept: The row as a conflict keeps it.
    package init(_ kept: String) {
        let json = StoredJSON()
        guard let members = json.members(kept),
            let mark = members.first(where: { $0.name == RecordSchema.withinName }),
            case .text(let bytes)? = json.value(mark.json, type: .string)
        else {
            (row, within) = (kept, nil)
            return
        }
        let others = members.filter { $0.name != RecordSchema.withinName }
        row = "{" + others.map { FieldJSON.quoted($0.name) + ":" + $0.json }.joined(separator: ",") + "}"
        // As in `2 rows, 1 column (03ab…)`.
        let counts = String(decoding: bytes.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self).split(separator: ",")
        var total = 0
        let nouns = counts.map { words in
            let parts = words.split(separator: " ")
            let count = parts.first.flatMap { Int($0) } ?? 1
            total += count
            return parts.last?.hasPrefix("column") == true
                ? CountText.of(count, "column beside it", "columns beside it")
                : CountText.of(count, "row within it", "rows within it")
        }
        within = "\(nouns.joined(separator: " and ")) \(CountText.word(total, "was", "were")) changed here"
    }
}
