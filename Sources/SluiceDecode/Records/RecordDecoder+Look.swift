internal import SluiceJSON
internal import SluiceModel
internal import SluiceReport

/// What a program makes of records.
extension RecordDecoder {
    /// Has a program look at a batch's last record, of which the values are there and the hashes are not yet.
    ///
    /// - Parameters:
    ///   - batch: Has other values afterwards, where the program says so.
    ///   - rowHash: The hash of the record's values.
    /// - Returns: Whether the record is merged.
    /// - Throws: Why it cannot be taken.
    mutating func passes(_ batch: inout RecordBatch, _ rowHash: inout UInt64) throws(Mismatch) -> Bool {
        guard let look else { return true }
        let verdict = look.verdict(onLastOf: batch)
        switch verdict {
        case .skip:
            leaveOut(lastOf: batch)
            return false
        case .refuse, .misfit: throw refusal(of: verdict)
        case .keep(let values):
            for (field, value) in values.sorted(by: { $0.key < $1.key }) { try put(value, field, &batch, &rowHash) }
            return true
        }
    }

    /// Why a record is kept aside, with the place of the value that does not fit.
    func refusal(of verdict: RecordVerdict) -> Mismatch {
        switch verdict {
        case .keep, .skip: Mismatch(reason: .notAllowed, message: "")
        case .refuse(let reason): Mismatch(reason: .notAllowed, message: reason)
        case .misfit(let reason, let plain, let field):
            Mismatch(reason: .notAllowed, message: reason, plain: plain).at(
                plan.fields[field].pointer, found[field]?.text ?? [])
        }
    }

    /// Gives a field of a batch's last record another value.
    private func put(
        _ value: FieldValue, _ index: Int, _ batch: inout RecordBatch, _ rowHash: inout UInt64
    ) throws(Mismatch) {
        let field = plan.fields[index]
        if field.redaction != nil {
            throw Mismatch(
                reason: .notAllowed,
                message: "The field `\(field.name)` is redacted, so a program cannot give it another value.")
        }
        if field.isRequired && value == .null {
            throw Mismatch(
                reason: .missingValue, message: "The field `\(field.name)` is required, and a program made it null.")
        }
        // Runs read on from what the source said.
        if let cursor = plan.cursor?.field ?? plan.partitionCursors.first?.value.field, cursor == index {
            throw Mismatch(
                reason: .notAllowed,
                message:
                    "The next run reads on from the field `\(field.name)`, so a program cannot give it another value.")
        }
        let position = batch.count * plan.fields.count + index
        let before = batch.digests[position]
        if before != 0 { rowHash &-= FieldDigest.contribution(of: before, nameDigest: field.nameDigest) }
        let (cell, digest) = try stored(value, field, into: &batch.bytes)
        batch.cells[position] = cell
        batch.digests[position] = digest
        rowHash &+= FieldDigest.contribution(of: digest, nameDigest: field.nameDigest)
    }

    private func stored(
        _ value: FieldValue, _ field: DecodePlan.Field, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        let json = FieldJSON.text(value, type: field.converter.type)
        guard let root = try? JSONDocument(json).root else {
            throw Mismatch(reason: .invalidJSON, message: "The field `\(field.name)` was given what is no JSON.")
        }
        if root.isNull { return (Cell(kind: .null), FieldDigest.null) }
        let (taken, digest) = try field.converter.ofStoredValues.value(of: root)
        return Self.accept(FieldConstant(value: taken, digest: digest), into: &bytes)
    }
}
