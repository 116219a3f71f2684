package import SluiceModel
internal import SluicePipeline

/// What becomes of a record by its cursor, before it is merged.
package struct CursorFilter {
    package enum Verdict {
        case take
        case leaveOut
        /// It has no cursor, and the rule is that then the run fails.
        case fail
    }

    /// The position of the cursor's field.
    package let field: Int
    private let onMissing: IncrementalRule.MissingRule
    /// Whether what is left out is to be known: a scan of everything that has it in its pages shows that it is not gone.
    let keepsKeys: Bool
    private let from: CursorPoint?
    private let to: CursorPoint?

    package init(_ reading: CursorRange, field: Int) {
        self.field = field
        onMissing = reading.rule.onMissing
        from = reading.rule.isClientSide ? reading.start : nil
        keepsKeys = !reading.isFiltered
        // Without `--to` the end is only now, and what is newer still is no less welcome.
        to = reading.rule.isClientSide && !reading.advances ? reading.end : nil
    }

    /// Decides about a record.
    ///
    /// - Parameters:
    ///   - record: Its position in a batch.
    ///   - batch: The batch.
    /// - Returns: What becomes of it.
    package func verdict(on record: Int, of batch: borrowing RecordBatch) -> Verdict {
        let kind = batch.cells[record * batch.fieldCount + field].kind
        if kind == .absent || kind == .null {
            switch onMissing {
            case .fail: return .fail
            case .include: return .take
            case .exclude: return .leaveOut
            }
        }
        if from == nil && to == nil { return .take }
        guard let point = batch.value(record: record, field: field).flatMap({ CursorPoint($0) }) else { return .take }
        if let from, point < from { return .leaveOut }
        if let to, to < point { return .leaveOut }
        return .take
    }
}
