package import SluiceModel
package import SluiceStore

/// What the history keeps of one written record.
package struct RecordNote {
    package let key: RecordKey
    package let action: RecordedChange.Action
    package let kind: String?
    package let before: BaseImage?
    package let after: BaseImage?
    package let row: RowImage?
    package let columns: [RecordedChange.Column]
    package let page: Int64?

    /// Makes a note.
    package init(
        key: RecordKey, action: RecordedChange.Action, kind: String?, before: BaseImage?, after: BaseImage?,
        row: RowImage?, columns: [RecordedChange.Column], page: Int64? = nil
    ) {
        (self.key, self.action, self.kind) = (key, action, kind)
        (self.before, self.after, self.row, self.columns) = (before, after, row, columns)
        self.page = page
    }

    /// The base before, and what became different of it; where there was none, the base.
    package var images: (old: [UInt8]?, new: [UInt8]?) {
        guard let before else { return (nil, after?.encoded) }
        return (before.encoded, after.map { before.difference(to: $0) })
    }
}
