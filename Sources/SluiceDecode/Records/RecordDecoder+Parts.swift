package import SluiceJSON
package import SluiceModel
internal import SluicePipeline
package import SluiceReport

/// Records within the records of a stream.
extension RecordDecoder {
    /// A field that could not be taken.
    package struct FieldFailure: Error {
        package let mismatch: Mismatch
        /// The field's position, nil where it is the record as a whole.
        package let field: Int?
        /// The offending value as JSON text, nil where there is none.
        package let value: [UInt8]?
    }

    /// Appends a value that stands within a stream's record as a record of its own.
    ///
    /// It changes nothing of the decoder and is mutating all the same: a method that is not is called with a copy of a decoder that
    /// lies in memory of its own, which costs more than a small object.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - place: What it takes from around it.
    ///   - around: The stream's record.
    ///   - batch: Grows by the record, or stays as it was.
    /// - Throws: ``FieldFailure``.
    package mutating func append(
        _ element: JSONElement, at place: NestedDecoder.Place, _ around: NestedDecoder.Around,
        to batch: inout RecordBatch
    ) throws(FieldFailure) {
        let marks = (cells: batch.cells.count, bytes: batch.bytes.count)
        guard element.kind == .object || takesScalars else {
            let message = "Expected an object, found \(element.kind.description)."
            throw FieldFailure(
                mismatch: Mismatch(reason: .notAnObject, message: message), field: nil, value: element.text)
        }
        found.find(in: element)
        if let mismatch = found.mismatch {
            throw FieldFailure(mismatch: mismatch, field: nil, value: mismatch.place?.value)
        }
        var rowHash: UInt64 = 0
        for index in plan.fields.indices {
            do throws(Mismatch) {
                let (cell, digest) = try value(index, of: element, at: place, around, into: &batch.bytes)
                batch.cells.append(cell)
                batch.digests.append(digest)
                if digest != 0 {
                    rowHash &+= FieldDigest.contribution(of: digest, nameDigest: plan.fields[index].nameDigest)
                }
            } catch {
                batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
                let isOne = plan.fields[index].target?.many == nil
                throw FieldFailure(
                    mismatch: naming(error, index), field: index,
                    value: made(index, of: element) ?? (isOne ? found[index]?.text : error.place?.value))
            }
        }
        if plan.unsaidMember != nil { markUnsaid(in: element, lastOf: &batch) }
        // What stands within a record is taken as it is, or not at all.
        if let verdict = look?.verdict(onLastOf: batch), verdict.refuses {
            batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
            let mismatch = refusal(of: verdict)
            throw FieldFailure(mismatch: mismatch, field: nil, value: mismatch.place?.value)
        }
        batch.close(
            rowHash: rowHash, keyHash: keyHash(of: batch),
            origin: RecordOrigin(
                page: around.page.number, ordinal: around.page.firstOrdinal + around.record.ordinal))
        if let name = around.page.name { batch.name(page: around.page.number, name) }
    }

    private func value(
        _ index: Int, of element: JSONElement, at place: NestedDecoder.Place, _ around: NestedDecoder.Around,
        into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        switch plan.fields[index].inherited {
        case .ownerKey(let part):
            guard let owner = place.owner, owner.key.values.indices.contains(part) else {
                return (Cell(kind: .null), FieldDigest.null)
            }
            return Self.accept(
                FieldConstant(value: owner.key.values[part], digest: owner.digests[part]), into: &bytes)
        case .position:
            let position = Int64(place.position)
            return (Cell(kind: .integer, payload: position), FieldDigest.integer(position))
        case nil:
            // A member's name stands for the key that it becomes.
            if let name = place.member, isMemberName(plan.fields[index]) {
                return try text(String(decoding: name, as: UTF8.self), plan.fields[index], into: &bytes)
            }
            return try taken(index, root: element, record: around.record, page: around.page, into: &bytes)
        }
    }
}

extension FieldFinder {
    /// That something else stands in the place of an object; nil where nothing does.
    var mismatch: Mismatch? {
        misplaced.map { pointer, value in
            Mismatch(reason: .typeMismatch, message: "Expected an object, found \(value.kind.description).")
                .at(pointer, value.text)
        }
    }
}

extension JSONElement {
    /// Its JSON text.
    package var text: [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(self, to: &text)
        return text
    }
}
