internal import SluiceModel
internal import SluiceStore

/// Where a column comes from, in words that people read.
struct ColumnWords {
    let table: StoredTable

    /// The origin of one of the table's columns. Names are as they are, so what shows the words escapes them.
    func of(_ column: StoredTable.Column) -> String {
        switch column.origin {
        case .fields(let fields): fieldWords(fields)
        case .given(let fields):
            "left by field " + Set(fields.map(\.name)).sorted().joined(separator: ", ") + ", which was given up"
        case .link(let name): linkWords(column.name, name)
        case .mark: "marks deleted rows"
        case .own: "your own"
        }
    }

    /// Of a table of links, whose key a column holds; of another one, what refers to it.
    private func linkWords(_ column: String, _ reference: String) -> String {
        guard table.role == .links else { return "\(reference) refers to it" }
        let target = table.references.first { $0.columns.contains(column) }?.target
        return "key of \(target ?? reference)"
    }

    /// The fields that fill a column, each with its sources where not all of the table's fill it alike.
    private func fieldWords(_ fields: [StoredTable.Field]) -> String {
        var kinds: [(words: String, sources: [RecordMapping])] = []
        for field in fields {
            let values = field.values.map { " of " + $0.map { FieldJSON.quoted($0) }.joined(separator: ", ") } ?? ""
            let words = "field \(field.name), \(field.type.rawValue)\(values)\(Self.words(of: field.redaction))"
            if let index = kinds.firstIndex(where: { ExactText($0.words) == ExactText(words) }) {
                kinds[index].sources.append(field.mapping)
            } else {
                kinds.append((words, [field.mapping]))
            }
        }
        return kinds.map { kind in
            if kind.sources.count == table.sources.count { return kind.words }
            return kind.words + " from " + kind.sources.map(\.path).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func words(of redaction: FieldRedaction?) -> String {
        switch redaction {
        case nil: ""
        case .hash: ", as a hash"
        case .drop: ", dropped"
        case .mask: ", masked"
        }
    }
}
