package import SluiceModel

/// A record before something of it is written, or afterwards.
package struct RecordSnapshot {
    /// Nil where there is no row, or where none is written.
    package var row: RowImage?
    package var base: BaseImage?

    /// Makes a snapshot.
    package init(row: RowImage?, base: BaseImage?) { (self.row, self.base) = (row, base) }
}
