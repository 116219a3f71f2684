package import SluiceModel

/// The view `conflicts_<table>`: a row for each record with open conflicts, its three sides beside each other.
///
///     id  base_title  local_title  remote_title  …  conflict_ids  conflict_source  conflict_with
///     1   One         Eins         Uno           …  3             shop/books
///
/// Of a record that is gone on one side, that side is null. `conflict_with` is the source that gave the local value,
/// where two sources disagree. Other mappings of the same table come by themselves, since the view looks them up; only
/// columns and keys are part of its text.
package struct ConflictView {
    /// What was found or done.
    enum Outcome {
        case upToDate
        /// Something else of the user's has the name, and that was not told before.
        case nameIsTaken
    }

    /// What the names of these views begin with.
    static let prefix = "conflicts_"
    private static let registered = "view"
    /// What may be noted of a view: that it was made, or that its name was taken.
    static let states = ["made", "left out"]
    let database: any SQLDatabase
    /// The entity's table.
    let table: String

    /// Its name, shortened where the database keeps less of it.
    var name: String { database.derivedName(Self.prefix + table) }

    /// Makes the view, or makes it anew where a column came.
    func refresh() throws -> Outcome {
        let found = try database.object(name)
        let state = try registry.entry(Self.registered, name)
        if let found, found != .view || state != "made" {
            if state == "left out" { return .upToDate }
            try registry.put(Self.registered, name, "left out")
            return .nameIsTaken
        }
        let wanted = database.conflictView(name, of: table, try columns())
        if try found != nil && database.viewText(name) == wanted { return .upToDate }
        if found == nil { try database.makeView(name, wanted) } else { try database.replaceView(name, wanted) }
        if state != "made" { try registry.put(Self.registered, name, "made") }
        return .upToDate
    }

    /// Whether it was made; nil where that is not noted.
    func isMade() throws -> Bool? { try registry.entry(Self.registered, name).map { $0 == "made" } }

    /// Makes the view anew where it is ours and no longer says what it should.
    func renew() throws {
        guard try registry.entry(Self.registered, name) == "made" else { return }
        _ = try refresh()
    }

    private var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Drops a view of ours whose name an entity's table needs.
    static func giveUp(_ name: String, _ database: any SQLDatabase) throws -> Bool {
        let registry = EntityRegistry(database: database)
        guard try registry.entry(registered, name) == "made" else { return false }
        try database.execute("DROP VIEW \(database.table(name))")
        try registry.put(registered, name, "left out")
        return true
    }

    /// Has the view go on under the name that its table gets: as it is, so that it keeps what was granted on it, until it is made
    /// anew for that table. Where that name is taken, or views keep their names, it goes.
    ///
    /// - Parameter new: The table's new name.
    /// - Throws: What the database throws.
    func follow(to new: String) throws {
        guard try registry.entry(Self.registered, name) == "made", try database.object(name) != nil else { return }
        let next = ConflictView(database: database, table: new)
        if try database.object(next.name) == nil, try database.renameView(name, to: next.name) {
            try registry.rename(Self.registered, name, to: next.name)
        } else if try Self.giveUp(name, database) {
            try registry.remove(Self.registered, name)
        }
    }

    // MARK: The statement

    /// A column of the table and the fields that fill it, more than one where several pipelines do.
    package struct Column {
        package let name: String
        /// Its position in the identifier; nil where it is no part of it.
        fileprivate let keyPosition: Int?
        package var isKey: Bool { keyPosition != nil }
        package fileprivate(set) var fields: [String]
        package let type: FieldType
    }

    /// The columns of the identifier first, in its order. What gave its place to another field is none.
    private func columns() throws -> [Column] {
        var columns: [Column] = []
        for mapping in try registry.mappings(of: table) {
            for slot in try registry.slots(of: mapping) where !slot.isRetired {
                if let known = columns.firstIndex(where: { $0.name == slot.column }) {
                    if !columns[known].fields.contains(slot.field) { columns[known].fields.append(slot.field) }
                } else {
                    columns.append(
                        Column(
                            name: slot.column, keyPosition: slot.keyPosition, fields: [slot.field], type: slot.type))
                }
            }
        }
        let keys = columns.filter(\.isKey).sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        return keys + columns.filter { !$0.isKey }
    }
}
