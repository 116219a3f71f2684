package import SluiceModel

/// What became of the writes that had to wait. Those that are not named were written.
package struct FinishOutcome: Sendable {
    /// The records that did not get all of their unique values.
    package var collisions: [UniqueCollision] = []
    /// The records that the table refuses; nothing of them was written.
    package var refused: [RecordKey: TableRefusal] = [:]
    /// Marks of values that several records want of which one was written before the others were met: who gets them
    /// is not certain before all of them wait, see ``RecordTable/expect(contested:)``. Marks that were expected may be
    /// among them again.
    package var contested: Set<UInt64> = []

    /// Makes the outcome of a run in which nothing was left to settle.
    package init() {}
}

/// A record whose unique values another row holds.
package struct UniqueCollision: Sendable {
    /// A field that does not get its value.
    package struct HeldField: Sendable, Equatable {
        /// The position of the field.
        package var field: Int
        /// The row that holds the value, where it could be found.
        package var holder: RecordKey?

        /// Makes a field that is held.
        package init(field: Int, holder: RecordKey?) {
            self.field = field
            self.holder = holder
        }
    }

    /// What was to be written.
    package var write: RecordWrite
    /// The fields that do not get their values, in the order of the schema.
    package var held: [HeldField]
    /// Whether the rest of the record was written; a column that takes no null may not permit it.
    package var isWritten: Bool

    /// Makes a collision.
    package init(write: RecordWrite, held: [HeldField], isWritten: Bool) {
        self.write = write
        self.held = held
        self.isWritten = isWritten
    }
}
