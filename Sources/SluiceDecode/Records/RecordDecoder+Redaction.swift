internal import SluiceModel

extension RecordDecoder {
    /// What is kept of a value, in its place, where the field is redacted.
    func redacted(
        _ clear: (Cell, UInt64), of index: Int, from start: Int, in bytes: inout [UInt8]
    ) -> (Cell, UInt64) {
        let field = plan.fields[index]
        guard let redaction = field.redaction, clear.0.kind != .absent, clear.0.kind != .null else { return clear }
        var value = FieldValue.integer(0)
        if clear.0.kind == .text { value = .text(Array(bytes[start...])) }
        bytes.removeLast(bytes.count - start)
        let kept = redaction.kept(value, comparison: field.converter.comparison)
        guard case .text(let text) = kept else { return (Cell(kind: .null), FieldDigest.null) }
        let digest = unsafe text.withUnsafeBytes { text in
            unsafe field.converter.comparison == .ignoringCase ? FieldDigest.ignoringCase(text) : FieldDigest.text(text)
        }
        var taken = Self.accept(FieldConstant(value: kept, digest: digest), into: &bytes)
        taken.0.isAssumed = clear.0.isAssumed
        return taken
    }
}
