internal import SluiceModel
internal import SluiceStore

/// What helps where a reference leads to no row, and a table takes neither null in its place nor a row for it.
///
/// Both tables are looked at, so that no way is named that the other one closes.
struct ReferenceRemedy {
    private let reference: EntityRegistry.Reference
    /// The columns of the reference that take no null.
    private let required: [String]
    /// Whether the target's table takes a row with nothing but its key, as far as its columns say.
    private let takesBareRow: Bool

    /// Looks at the tables of a reference.
    ///
    /// - Throws: What the database throws.
    init(_ reference: EntityRegistry.Reference, _ database: any SQLDatabase) throws {
        self.reference = reference
        let own = reference.link == nil ? try database.columns(of: reference.table) : []
        required = own.filter { column in
            column.isNotNull && reference.columns.contains { ColumnName.areSame($0, column.name) }
        }.map(\.name)
        takesBareRow = try database.columns(of: reference.target).allSatisfy { column in
            !column.isRequired || column.isGenerated
                || reference.targetColumns.contains { ColumnName.areSame($0, column.name) }
        }
    }

    /// Why the table does not let the reference be null, and what helps.
    func words(ofNull refusal: SQLRefusal) -> String {
        let table = reference.link?.table ?? reference.table
        guard !required.isEmpty else { return refusal.reason(table, "to let go of it") }
        let columns = required.map { "`\($0)`" }.joined(separator: ", ")
        let stub = takesBareRow && reference.rule != .stub ? ", or use `on_dangling: stub`" : ""
        return
            "\(refusal.told.words(table: table, record: "to let go of it")) Allow null in \(columns) of `\(table)`\(stub)."
    }

    /// Why the target's table takes no row with its key alone, and what helps.
    func words(ofStub refusal: SQLRefusal) -> String {
        let words = refusal.told.words(table: reference.target, record: "a row with only its key")
        let other: String? = reference.isInKey ? "fail" : required.isEmpty ? "defer" : nil
        let rest = other.map { ", allow null in it, or use `on_dangling: \($0)`." } ?? ", or allow null in it."
        return "\(words) Give the column a default\(rest)"
    }
}
