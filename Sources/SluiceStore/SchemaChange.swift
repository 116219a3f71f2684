package import SluiceModel

/// A change of the database's schema that the pipeline asks for.
package struct SchemaChange: Codable, Sendable, Hashable {
    /// What is done.
    package enum Kind: String, Codable, Sendable {
        case createTable = "create_table"
        case addColumn = "add_column"
        case createIndex = "create_index"
        /// A foreign key of a table that is there, or whose target came later than the table.
        case addForeignKey = "add_foreign_key"
        /// An index that this program made for a group of `unique` goes: no source wants the group any more.
        case dropIndex = "drop_index"
        case adoptTable = "adopt_table"
        case renameTable = "rename_table"
        case renameColumn = "rename_column"
        /// What is kept of a source goes on under another name, ``SchemaChange/name``; its old one stands in the statement's place.
        case renameSource = "rename_source"
        /// What is kept of a source that the pipeline no longer has is forgotten; the table stays.
        case forgetSource = "forget_source"
        /// What is stored in clear of a field that is redacted from now on is replaced.
        case redactValues = "redact_values"
        /// A column takes the type that its field has now, with what it holds.
        case changeType = "change_type"
        /// A table gets the identifier that its entity has now, with all that is kept by it.
        case changeKey = "change_key"
        /// Identifiers that people wrote in another spelling have the one by which they are compared.
        case spellKeys = "spell_keys"
        /// Columns that refer to records take the identifier that these have now.
        case changeReference = "change_reference"
        /// What cannot pass to a new type goes to the quarantine, and its column becomes null.
        case quarantineValues = "quarantine_values"
        /// What a change of a type had put into the quarantine is back in its rows.
        case restoreValues = "restore_values"
        /// An index, trigger or view of people is not made again: what it names is gone. Its statement is given.
        case leaveOutObject = "leave_out_object"
        /// An index, trigger or view of people that a run could not make again is there again. Its statement is given.
        case restoreObject = "restore_object"
        /// A column that no field fills any more stays as it is.
        case leaveColumn = "leave_column"
        /// A table that nothing fills any more stays as it is; of a table of links the field stands in the statement's place.
        case leaveTable = "leave_table"
        /// Open conflicts end: no pipeline fills any more what they are about. Their source stands in the statement's place.
        case closeConflicts = "close_conflicts"
        /// The view of a table's conflicts is not made: something else has its name.
        case leaveOutView = "leave_out_view"
        /// The foreign key of a reference of several columns is not made: SQLite adds none to a table that is there.
        case leaveOutForeignKey = "leave_out_foreign_key"
        /// The index of a reference is not made: only the owner of the table may do that. Its statement is given.
        case leaveOutIndex = "leave_out_index"
    }

    /// The table.
    package var table: String
    /// What is done.
    package var kind: Kind
    /// The statement; empty where nothing has to be executed.
    package var sql: String
    /// The statements that it runs on tables of people, in their order; nil where nobody knows them, as of a run in the history.
    package var statements: [String]?
    /// Where clear values were replaced; nil for other changes.
    package var redacted: RedactedCounts?
    /// What a renamed source is called now, as its old name stands in ``sql``, or the field of conflicts that end, nil where they are all of
    /// their source; nil for other changes.
    package var name: String?
    /// How many rows the change touches; nil where it touches none, and where that is not counted.
    package var rows: Int?
    /// A digest of the values that go to the quarantine, each with its row; nil for other changes.
    package var values: UInt64?
    /// The first values that go to the quarantine, as texts that say in which rows they stand; nil for other changes.
    package var examples: [String]?

    /// Makes a change.
    package init(table: String, kind: Kind, sql: String) {
        self.table = table
        self.kind = kind
        self.sql = sql
    }

    /// A source that goes on under another name.
    ///
    /// - Parameters:
    ///   - table: The table that it fills.
    ///   - old: Its name before.
    ///   - new: Its name now.
    package init(table: String, renaming old: RecordMapping, to new: RecordMapping) {
        self.init(table: table, kind: .renameSource, sql: "\(old.path) \(old.entity)")
        name = "\(new.path) \(new.entity)"
    }
}

extension SchemaChange {
    /// What tells the change from others: its statement, and what goes to the quarantine.
    package var mark: String { values.map { "\(sql) \(String($0, radix: 16))" } ?? sql }

    /// Whether it is told in every run and changes nothing: what is left out because of others, until they do something.
    package var isStanding: Bool { [.leaveOutView, .leaveOutIndex].contains(kind) }

    /// Whether it changes a table that is there: what programs of others read of it may be another thing then.
    fileprivate var changesTable: Bool {
        switch kind {
        case .addColumn, .createIndex, .addForeignKey, .dropIndex, .renameTable, .renameColumn, .redactValues,
            .changeType,
            .changeKey, .spellKeys, .changeReference, .quarantineValues, .restoreValues:
            true
        case .createTable, .adoptTable, .renameSource, .forgetSource, .leaveOutObject, .restoreObject, .leaveColumn,
            .leaveTable, .closeConflicts, .leaveOutView, .leaveOutForeignKey, .leaveOutIndex:
            false
        }
    }
}

extension [SchemaChange] {
    /// The tables that were there before and are changed, in their order. One that is made anew is none of them.
    package var changedTables: [String] {
        let made = Set(lazy.filter { $0.kind == .createTable }.map(\.table))
        var tables: [String] = []
        for change in self where change.changesTable && !made.contains(change.table) && !tables.contains(change.table) {
            tables.append(change.table)
        }
        return tables
    }

    /// The changes without those that say once more what one said: that a column or table of links is filled by no field
    /// any more holds for all sources of a table together.
    package var toldOnce: [SchemaChange] {
        var told: Set<SchemaChange> = []
        return filter { change in
            ![.leaveColumn, .leaveTable].contains(change.kind) || told.insert(change).inserted
        }
    }
}
