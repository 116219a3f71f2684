internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// A conflict as the history keeps it: a JSON object of all that may change of it.
struct ConflictImage: Equatable {
    /// The columns in the order in which they are written.
    static let columns = [
        "kind", "base", "local", "remote", "policy", "status", "resolution", "who", "note", "first_run", "last_run",
        "seen", "other_source",
    ]
    private static let numbers: Set<String> = ["first_run", "last_run", "seen"]

    /// One value for each of ``columns``.
    var values: [FieldValue]

    /// An image of values as a row gives them.
    init(_ values: [FieldValue]) { self.values = values }

    /// Reads what the history keeps; nil where it is no such object.
    init?(_ json: String) {
        guard let object = try? JSONDocument(json).root, object.kind == .object else { return nil }
        values = Self.columns.map { name in
            guard let member = object.member(named: name), !member.isNull else { return .null }
            if Self.numbers.contains(name) { return .integer(member.integer) }
            return FieldValue(member.string)
        }
    }

    subscript(column: String) -> FieldValue {
        get { Self.columns.firstIndex(of: column).map { values[$0] } ?? .null }
        set { if let index = Self.columns.firstIndex(of: column) { values[index] = newValue } }
    }

    var isOpen: Bool { self["status"].string == ConflictStatus.open.rawValue }
    var isWithin: Bool { self["status"].string == ConflictStatus.within.rawValue }

    /// The object's text.
    var json: String {
        let members = zip(Self.columns, values).map { name, value in
            "\(FieldJSON.quoted(name)):\(FieldJSON.text(value, type: .string))"
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
