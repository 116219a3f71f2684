package import SluiceJSON
internal import SluiceModel
package import SluiceReport

/// What is said and kept of records that cannot be taken.
extension RecordDecoder {
    package func failure(
        _ mismatch: Mismatch, field: Int?, element: JSONElement?, record: RawRecord, page: Page,
        root: JSONElement? = nil
    ) -> DecodeFailure {
        var value: [UInt8]?
        var message = mismatch.message
        var bytes = unsafe Array(record.bytes)
        if let redactor = plan.redactor {
            value = element.map { redactor.value($0, of: field) }
            message = redactor.message(mismatch, of: field.map { plan.fields[$0].name })
            bytes = redactor.record(bytes)
        } else if let element {
            var text: [UInt8] = []
            JSONWriter.append(element, to: &text)
            value = text
        } else {
            value = mismatch.place?.value
        }
        if mismatch.reason == .missingKey, plan.takesDocuments, record.byteOffset == 0,
            let list = root.flatMap(Self.firstList)
        {
            let path = JSONPath(names: [list], then: [.wildcard]).text
            message +=
                " The document itself was taken for the record, and has a list of objects at `\(path)`: if those are the records, set `records`."
        }
        var failure = DecodeFailure(
            reason: mismatch.reason, pointer: mismatch.place?.pointer ?? field.map { plan.fields[$0].pointer } ?? "",
            value: value.map { String(decoding: $0, as: UTF8.self) }, message: message, record: bytes,
            key: root.flatMap { key(root: $0, record: record, page: page) },
            ordinal: page.firstOrdinal + record.ordinal, page: page.number)
        failure.plain = mismatch.plain
        return failure
    }

    /// Whether the record that was looked at last has something for a field; true of fields whose values are made of more than
    /// what stands at one place.
    ///
    /// - Parameter field: The field's position.
    /// - Returns: Whether it may have a value.
    package func mayGive(_ field: Int) -> Bool {
        let described = plan.fields[field]
        if described.program != nil || described.template != nil || described.openPath != nil
            || described.inherited != nil || described.fallback != nil || described.isKey
        {
            return true
        }
        return found[field] != nil
    }

    /// The name of an object's first member that is a list of objects; nil where none is.
    private static func firstList(in object: JSONElement) -> String? {
        var members = object.members()
        while members.next() {
            var elements = members.value.elements()
            if elements.next(), elements.value.kind == .object { return members.name }
        }
        return nil
    }

    /// A row that fits no header, kept as it is written.
    package func refused(_ fault: RowFault, record: RawRecord, page: Page) -> DecodeFailure {
        let text = Array(fault.text.utf8)
        return unsafe text.withUnsafeBytes { bytes in
            let row = unsafe RawRecord(bytes: bytes, byteOffset: record.byteOffset, ordinal: record.ordinal)
            return failure(
                Mismatch(reason: .invalidRow, message: fault.message), field: nil, element: nil, record: row,
                page: page)
        }
    }

    /// A key that no field takes, which ends the run.
    package func excess(_ path: JSONPath, _ value: JSONElement, record: RawRecord, page: Page) -> DecodeFailure {
        var text: [UInt8] = []
        JSONWriter.append(value, to: &text)
        let shown = String(decoding: text.prefix(60), as: UTF8.self) + (text.count > 60 ? "…" : "")
        // Of a redacted record nobody knows what else must not be seen.
        let value = plan.redactor == nil ? ", with the value \(shown)," : ""
        var failure = failure(
            Mismatch(
                reason: .unmappedKey, message: "The key\(value) is not mapped to a field of `\(plan.schema.entity)`."),
            field: nil, element: nil, record: record, page: page)
        failure.pointer = DecodePlan.pointer(path)
        failure.runEnd = .keys
        return failure
    }

    /// Why a record could not be taken that is no JSON, or holds a value that cannot be read.
    func invalid(_ error: JSONError, record: RawRecord, page: Page) -> DecodeFailure {
        let fault = unsafe plan.redactor == nil ? error.found(in: record.bytes) : error
        let what = error.isOfValueAlone ? "cannot be read" : "is not valid JSON"
        var invalid = failure(
            Mismatch(
                reason: .invalidJSON, message: "The record \(what) at \(fault.advice)",
                plain: "The record \(what) at \(fault.plainAdvice)"),
            field: nil, element: nil, record: record, page: page)
        if error.isOfValueAlone {
            invalid.key = tamedKey(of: record, page: page)
        } else {
            invalid.syntaxError = error
        }
        return invalid
    }

    /// The key of a record that holds something that cannot be taken; nil where that is the key itself.
    func tamedKey(of record: RawRecord, page: Page) -> RecordKey? {
        guard plan.keyFields.allSatisfy({ plan.fields[$0].isPlain }) else { return nil }
        let parser = JSONParser()
        // The elements read the parser's memory.
        return withExtendedLifetime(parser) {
            guard let root = try? unsafe parser.parseTamed(Array(record.bytes)), root.kind == .object else {
                return nil
            }
            found.find(in: root)
            let key = key(root: root, record: record, page: page)
            let replacement = Array("\u{FFFD}".utf8)
            let isMended = key?.values.contains { value in
                if case .text(let text) = value { text.contains(replacement) } else { false }
            }
            return isMended == true ? nil : key
        }
    }

    /// The key of a record that failed for another reason.
    private func key(root: JSONElement, record: RawRecord, page: Page) -> RecordKey? {
        if plan.contentKey != nil { return nil }
        var batch = RecordBatch(fieldCount: plan.keyFields.count)
        for field in plan.keyFields {
            guard
                let (cell, _) = try? value(of: field, root: root, record: record, page: page, into: &batch.bytes)
            else { return nil }
            batch.cells.append(cell)
        }
        let values = plan.keyFields.indices.map { batch.value(record: 0, field: $0) ?? .null }
        return values.contains(.null) ? nil : RecordKey(values)
    }
}
