package import SluiceModel
package import SluiceStore

/// A record before something of it is written, or afterwards.
package struct RecordSnapshot {
    /// Nil where there is no row, or where none is written.
    package var row: RowImage?
    package var base: BaseImage?
    /// The references of the row that are null for good, see ``RecordedChange/emptied``.
    package var emptied: [RecordedChange.Column]

    /// Makes a snapshot.
    package init(row: RowImage?, base: BaseImage?, emptied: [RecordedChange.Column] = []) {
        (self.row, self.base, self.emptied) = (row, base, emptied)
    }
}
