internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
package import SluiceStore

/// How a record is called, `Book 17` or `Match round="1", team="A"`, and what it holds in short.
package enum RecordLabel {
    /// The widest value in a line that shows a whole record.
    private static let widestValue = 28
    /// Of a value that alone is too wide at least so much is shown.
    private static let narrowestValue = 6

    /// The label of what a conflict is about: a record, or a list that is one value.
    package static func of(_ entry: ConflictEntry) -> String {
        entry.isOfList
            ? list(of: entry.entity, key: entry.key) : of(entity: entry.entity, key: entry.key)
    }

    /// The label of what a run did something to besides records, likewise.
    static func of(_ entry: RecordedEntry) -> String {
        let isOfList = entry.subject == .conflict && entry.field == nil && entry.kind == FieldClass.editEdit.rawValue
        guard isOfList, let key = entry.key else { return of(entity: entry.mapping.entity, key: entry.key) }
        return list(of: entry.mapping.entity, key: key)
    }

    /// The labels of what a problem lists: records, or lists that are one value; none where it is about no entity.
    static func all(of problem: RunProblem) -> [String] {
        guard let entity = problem.entity else { return [] }
        return problem.keys.map { problem.areLists ? list(of: entity, key: $0) : of(entity: entity, key: $0) }
    }

    /// How many more there are than a problem lists; nil where it lists all.
    static func rest(of problem: RunProblem) -> String? {
        problem.entity == nil || problem.unlisted == 0 ? nil : "… and \(CountText.grouped(problem.unlisted)) more"
    }

    /// The label of a list that is one value, by the key that its elements share.
    private static func list(of entity: String, key: String) -> String {
        guard let parts = ValueText.members(of: key) else { return "\(list(of: entity)) \(ShortText.of(key))" }
        let names = parts.map { "\(ShortText.of($0.name))=\(ShortText.of($0.value))" }.joined(separator: ", ")
        return "\(list(of: entity)) with \(names)"
    }

    /// What a list that is one value is called.
    static func list(of entity: String) -> String { "List of \(ShortText.of(entity))" }

    /// The label of a record.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - key: The key as a JSON object, nil where it could not be read.
    /// - Returns: The entity's name and what its key holds, long texts shortened.
    package static func of(entity: String, key: String?) -> String {
        guard let key else { return "\(entity) without a readable key" }
        guard let parts = ValueText.members(of: key) else { return "\(ShortText.of(entity)) \(ShortText.of(key))" }
        return of(entity: entity, members: parts)
    }

    /// The label of a record.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - members: The fields of its key with their values as JSON text.
    /// - Returns: The entity's name and what its key holds, long texts shortened.
    static func of(entity: String, members: [(name: String, value: String)]) -> String {
        let name = ShortText.of(entity)
        if members.count == 1 { return "\(name) \(ShortText.of(bare(members[0].value)))" }
        return name + " " + members.map { "\(ShortText.of($0.name))=\(ShortText.of($0.value))" }.joined(separator: ", ")
    }

    /// What a record holds, on one line.
    ///
    /// - Parameters:
    ///   - record: The record as a JSON object.
    ///   - key: Its key as a JSON object; these members are left out.
    ///   - width: The most columns.
    /// - Returns: The members that are not null, as far as they fit.
    static func members(of record: String, except key: String, width: Int) -> String {
        let keys = Set((ValueText.members(of: key) ?? []).map(\.name))
        guard let members = ValueText.members(of: record) else { return ShortText.of(record, width: width) }
        return line(members.lazy.filter { !keys.contains($0.name) && $0.value != "null" }, width: width)
    }

    /// Members on one line, as far as they fit; the first one is cut where it is too long.
    package static func line(_ members: some Sequence<(name: String, value: String)>, width: Int) -> String {
        var text = ""
        for member in members {
            let name = ShortText.of(member.name)
            let room = text.isEmpty ? max(width - TextWidth.of(name) - 4, narrowestValue) : widestValue
            let part = "\(name) \(ShortText.of(member.value, width: min(room, widestValue)))"
            if TextWidth.of(text) + TextWidth.of(part) + 3 > width { return text + (text.isEmpty ? "…" : ", …") }
            text += text.isEmpty ? part : ", " + part
        }
        return text
    }

    /// A string without its quotes, where they are not needed to see its ends.
    private static func bare(_ json: String) -> String {
        guard json.utf8.count > 2, json.hasPrefix("\""), json.hasSuffix("\"") else { return json }
        let inner = json.dropFirst().dropLast()
        return inner.contains { $0 == "\\" || $0 == "\"" || $0.isWhitespace } ? json : String(inner)
    }
}
