/// What the store needs to know of a field that leads to other records.
package struct RecordReference: Sendable, Hashable {
    /// What becomes of a record that is not in its table when a run ends.
    package enum DanglingRule: String, Sendable, CaseIterable {
        /// Nothing refers to it until it arrives.
        case `defer`
        /// Nothing refers to it, also when it arrives.
        case setNull = "set_null"
        /// A row that has its key and nothing else stands for it.
        case stub
        /// The run fails.
        case fail
        /// What refers to it belongs to it, and cannot be without it.
        case owner
    }

    /// The name in the pipeline.
    package var name: String
    /// The positions of the fields that hold it, in the order of the target's key.
    package var fields: [Int]
    /// The table of the target.
    package var target: String
    /// The columns of the target's key.
    package var targetColumns: [String]
    /// The types of these columns; empty where the store alone knows of it.
    package var targetTypes: [FieldType] = []
    /// The table that holds the pairs, where it leads to several records.
    package var link: RecordLink?
    /// What becomes of a record that is not there.
    package var onDangling: DanglingRule
    /// Whether a program's model needs the record, so that the reference is never taken away.
    package var isRequired = false

    /// Makes a reference.
    package init(
        name: String, fields: [Int], target: String, targetColumns: [String], link: RecordLink? = nil,
        onDangling: DanglingRule = .defer
    ) {
        self.name = name
        self.fields = fields
        self.target = target
        self.targetColumns = targetColumns
        self.link = link
        self.onDangling = onDangling
    }
}

/// A table whose rows are pairs of records.
package struct RecordLink: Sendable, Hashable {
    /// The table's name.
    package var table: String
    /// The columns of the owner's key, in the order of its primary key.
    package var ownerColumns: [String]
    /// The columns of the target's key, in the order of its primary key.
    package var targetColumns: [String]

    /// Makes a table.
    package init(table: String, ownerColumns: [String], targetColumns: [String]) {
        self.table = table
        self.ownerColumns = ownerColumns
        self.targetColumns = targetColumns
    }
}
