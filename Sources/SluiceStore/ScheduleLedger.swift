package import SluiceSchedule

/// What became of the due times of pipelines: the rows that a service goes on from after whatever ended it.
package protocol ScheduleLedger: AnyObject {
    /// All rows.
    ///
    /// - Returns: The rows; none where none were written.
    /// - Throws: ``StoreError``.
    func read() throws -> ScheduleRows

    /// Removes the rows that are forgotten, and then writes rows in the place of what was written of them, all at once, in a
    /// transaction of its own.
    ///
    /// A run that a row says was started is in the store only if the row is.
    ///
    /// - Parameter rows: The rows.
    /// - Throws: ``StoreError``, with ``StoreError/Code/locked`` where another program is writing.
    func write(_ rows: ScheduleRows) throws

    /// The workers that share the due times; nil for a store that belongs to one service at a time.
    var pool: (any SchedulePool)? { get }
}
