package import SluiceJSON

extension FieldDigest {
    /// The digest of the text of a string, or of a number as its source wrote it.
    package static func text(of element: JSONElement) -> UInt64 {
        unsafe text(element.kind == .string ? element.utf8 : element.token)
    }

    /// The digest of the text of a record.
    package static func text(of record: RawRecord) -> UInt64 { unsafe text(record.bytes) }
}
