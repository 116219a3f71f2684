/// What the model holds, in the words in which a store is read.
extension MergeModel {
    /// The table as ``Workshop/rows(of:)`` shows it: key, fields, and whether the row is marked as deleted.
    var items: [String] {
        (rows.map { ($0, $1, "0") } + marked.map { ($0, $1, "1") }).sorted { $0.0 < $1.0 }.map { id, row, mark in
            (["\(id)"] + rules.fields.map { Self.sql(row[$0]) } + (rules.deletes == "soft" ? [mark] : []))
                .joined(separator: "|")
        }
    }

    /// The base of a source as ``Workshop/bases(of:)`` shows it.
    func baseTexts(of source: String) -> [String] {
        (bases[source] ?? [:]).sorted { $0.key < $1.key }.map { id, base in
            let state = base.state.rawValue + (open[source]?[id]?.isEmpty == false ? " open" : "")
            let fields = rules.fields.map { field in
                switch base.values[field] ?? .nothing {
                case .nothing: "\(field)=∅"
                case .null: "\(field)=null"
                case .text(let text) where !Self.isKept(.text(text)): "\(field)=#"
                case .text(let text): "\(field)='\(text)'"
                }
            }
            return (["\(id)", state] + fields).joined(separator: " ")
        }
    }

    /// Whether a base keeps a value, and not its digest alone.
    static func isKept(_ said: Said) -> Bool {
        if case .text(let text) = said { text.utf8.count <= 24 } else { true }
    }

    /// The open conflicts: source, key, field, kind, local and remote.
    var conflictTexts: [String] {
        open.flatMap { source, records in
            records.flatMap { id, conflicts in
                conflicts.map { field, conflict in
                    "\(source) {\"id\":\(id)} \(field) \(conflict.kind) "
                        + "\(json(conflict.local, field, id)) \(json(conflict.remote, field, id))"
                }
            }
        }.sorted()
    }

    /// All that the next run depends on.
    var all: [String] {
        let void = bases.flatMap { source, records in
            records.compactMap { id, base in base.isVoid ? "\(source) \(id)" : nil }
        }
        return items + rules.sources.flatMap(baseTexts) + conflictTexts + void.sorted()
    }

    private static func sql(_ said: Said?) -> String {
        if case .text(let text)? = said { "'\(text)'" } else { "NULL" }
    }

    private func json(_ values: Values?, _ field: String, _ id: Int) -> String {
        guard let values else { return "-" }
        func text(_ said: Said) -> String { if case .text(let text) = said { Tree.quoted(text) } else { "null" } }
        if field != "*" { return text(values[field] ?? .null) }
        let members = rules.fields.filter { values[$0] != nil }.map { "\"\($0)\":\(text(values[$0] ?? .null))" }
        return "{" + (["\"id\":\(id)"] + members).joined(separator: ",") + "}"
    }
}
