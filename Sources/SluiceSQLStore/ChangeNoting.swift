package import SluiceModel
package import SluiceStore

/// Writes down what a run changes, as it changes it. Tables and ledgers of a store share one.
///
///     kind        one row for each                        old, new
///     record      record that was written                 the base: whole, and what became different of it
///     field       field of its row that changed           the values, as the table holds them
///     column      other column that changed               the values
///     conflict    conflict that was opened or changed     the conflict as JSON
///     quarantine  record put there or let go              its status
///     stub        row made since something refers to it        the columns of its key
///                 (`insert`), gone since nothing does
///                 (`delete`), or filled (`update`)
///     schema      table that followed the pipeline        what of it was, and is
///     state       text remembered of a stream             the text, such as the cursor
///
/// The fields and columns of a record follow its own row. `field` of a record is the page that says it. `entry` is the
/// number of the conflict or of the record in quarantine.
package protocol ChangeNoting: AnyObject {
    /// The run whose changes are written down; nil where none are.
    var run: Int64? { get }
    /// Writes down what happened to records.
    func record(_ notes: [RecordNote], _ schema: RecordSchema) throws
    /// Writes down what happened to entries of ledgers, in this order.
    func record(_ entries: [RecordedEntry]) throws
    /// Writes down what became of rows that stand for records: they were made, went, or were filled.
    func record(
        stubs rows: [RowImage], of reference: EntityRegistry.Reference, _ action: RecordedChange.Action) throws
}

extension ChangeNoting {
    /// Whether anything is written down.
    package var isRecording: Bool { run != nil }

    /// Writes down what happened to an entry of a ledger.
    package func record(_ entry: RecordedEntry) throws { try record([entry]) }
}
