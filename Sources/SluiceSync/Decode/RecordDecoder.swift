internal import SluiceJSON
internal import SluiceMerge
internal import SluicePipeline

/// A record that could not be decoded, with what is needed to find and mend it.
struct DecodeFailure: Sendable {
    let reason: Mismatch.Reason
    /// The JSON pointer of the offending value within the record.
    let pointer: String
    /// The offending value as JSON text, nil where there is none.
    let value: String?
    let message: String
    /// The record as it was read.
    let record: [UInt8]
    /// The record's key, where it could be read.
    let key: RecordKey?
    let ordinal: Int
}

/// Decodes records of one stream into batches.
struct RecordDecoder {
    /// What is the same for all records of a page.
    struct Page {
        var number = 0
        /// The position within the stream of the page's first record.
        var firstOrdinal = 0
        var fileStem = ""
    }

    private let plan: DecodePlan
    private let entriesKey: [UInt8]?
    private let parser = JSONParser()
    /// For text that is no JSON: the record's elements must stay readable meanwhile.
    private let textParser = JSONParser()
    private let found: FieldFinder

    init(plan: DecodePlan, entriesKey: String?) {
        self.plan = plan
        self.entriesKey = entriesKey.map { Array($0.utf8) }
        found = FieldFinder(plan: plan)
    }

    /// Decodes one record and appends it to a batch.
    ///
    /// - Parameters:
    ///   - record: The record's bytes; they stay until the call returns.
    ///   - page: The page that it stands on.
    ///   - batch: Grows by the record, or stays as it was where it fails.
    /// - Returns: Nil, or why the record could not be taken.
    mutating func decode(_ record: RawRecord, page: Page, into batch: inout RecordBatch) -> DecodeFailure? {
        let marks = (cells: batch.cells.count, bytes: batch.bytes.count)
        let root: JSONElement
        do throws(JSONError) {
            unsafe root = try parser.parse(record.bytes)
        } catch {
            return failure(
                Mismatch(reason: .invalidJSON, message: "The record is not valid JSON at \(error)."), field: nil,
                element: nil, record: record, page: page)
        }
        guard root.kind == .object || plan.fields.allSatisfy({ $0.pointer.isEmpty }) else {
            let kind = root.kind.description
            return failure(
                Mismatch(reason: .notAnObject, message: "Expected an object, found \(kind)."), field: nil,
                element: root, record: record, page: page)
        }
        found.find(in: root)
        var rowHash: UInt64 = 0
        for index in plan.fields.indices {
            do throws(Mismatch) {
                let (cell, digest) = try value(of: index, root: root, record: record, page: page, into: &batch.bytes)
                batch.cells.append(cell)
                batch.digests.append(digest)
                if digest != 0 {
                    rowHash &+= FieldDigest.contribution(of: digest, nameDigest: plan.fields[index].nameDigest)
                }
            } catch {
                batch.cells.removeLast(batch.cells.count - marks.cells)
                batch.digests.removeLast(batch.digests.count - marks.cells)
                batch.bytes.removeLast(batch.bytes.count - marks.bytes)
                return failure(error, field: index, element: found[index], record: record, page: page, root: root)
            }
        }
        var keyHash: UInt64 = 0
        for field in plan.keyFields { keyHash = KeyHash.combine(keyHash, batch.digests[marks.cells + field]) }
        batch.rowHashes.append(rowHash)
        batch.keyHashes.append(keyHash)
        batch.origins.append(RecordOrigin(page: page.number, ordinal: page.firstOrdinal + record.ordinal))
        return nil
    }

    // MARK: Taking values

    @inline(__always)
    private func value(
        of index: Int, root: JSONElement, record: RawRecord, page: Page, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if let element = found[index], !element.isNull, plan.fields[index].map.isEmpty {
            return try plan.fields[index].converter.convert(element, into: &bytes)
        }
        return try unusualValue(plan.fields[index], found[index], root: root, record: record, page: page, into: &bytes)
    }

    private func unusualValue(
        _ field: DecodePlan.Field, _ element: JSONElement?, root: JSONElement, record: RawRecord, page: Page,
        into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if let template = field.template { return try text(Self.fill(template, page), field, into: &bytes) }
        if let path = field.openPath { return try matches(of: path, field, root: root, into: &bytes) }
        guard let element else {
            if let name = record.member, entriesKey.map({ field.pointer.utf8.dropFirst().elementsEqual($0) }) == true {
                return try text(name, field, into: &bytes)
            }
            return try absence(field, into: &bytes)
        }
        if element.isNull { return try null(field, into: &bytes) }
        if let constant = replacement(of: element, in: field) {
            if constant.value == .null { return try null(field, into: &bytes) }
            return Self.take(constant, into: &bytes)
        }
        return try field.converter.convert(element, into: &bytes)
    }

    private func replacement(of element: JSONElement, in field: DecodePlan.Field) -> DecodePlan.Constant? {
        switch element.kind {
        case .string: unsafe field.map[Array(element.utf8)]
        case .integer, .number: unsafe field.map[Array(element.token)]
        case .bool: field.map[Array((element.boolean ? "true" : "false").utf8)]
        case .null, .array, .object: nil
        }
    }

    private func absence(_ field: DecodePlan.Field, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        switch field.onMissing {
        case .default:
            if let fallback = field.fallback {
                if fallback.value == .null { return try null(field, into: &bytes) }
                return Self.take(fallback, into: &bytes)
            }
        case .setNull: return try null(field, into: &bytes)
        case .fail:
            throw Mismatch(reason: .missingValue, message: "The key of `\(field.name)` is missing.")
        case .keep: break
        }
        if field.isRequired { throw missing(field, what: "is missing") }
        return (Cell(kind: .absent), 0)
    }

    private func null(_ field: DecodePlan.Field, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        if field.isRequired { throw missing(field, what: "is null") }
        switch field.onNull {
        case .setNull: return (Cell(kind: .null), FieldDigest.null)
        case .keep: return (Cell(kind: .absent), 0)
        case .fail: throw Mismatch(reason: .missingValue, message: "The value of `\(field.name)` is null.")
        }
    }

    private func missing(_ field: DecodePlan.Field, what: String) -> Mismatch {
        field.isKey
            ? Mismatch(
                reason: .missingKey,
                message: "The identifier `\(field.name)` \(what), so the record cannot be told from others.")
            : Mismatch(reason: .missingValue, message: "The required field `\(field.name)` \(what).")
    }

    private func matches(
        of path: JSONPath, _ field: DecodePlan.Field, root: JSONElement, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if field.converter.type == .json && !path.isSingular {
            let start = bytes.count
            var count = 0
            bytes.append(UInt8(ascii: "["))
            path.forEach(in: root) { element in
                if count > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(element, to: &bytes)
                count += 1
            }
            bytes.append(UInt8(ascii: "]"))
            let digest = CanonicalValue().digest(of: .text(Array(bytes[start...])), type: .json)
            return (
                Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count - start)),
                digest
            )
        }
        var first: JSONElement?
        var count = 0
        path.forEach(in: root) { element in
            if count == 0 { first = element }
            count += 1
        }
        if count > 1 {
            throw Mismatch(
                reason: .typeMismatch,
                message:
                    "The path `\(path.text)` selects \(count) values, and `\(field.name)` holds one; `type: json` holds all."
            )
        }
        guard let first else { return try absence(field, into: &bytes) }
        if first.isNull { return try null(field, into: &bytes) }
        return try field.converter.convert(first, into: &bytes)
    }

    /// Takes text that is no JSON: a member's name or a filled template.
    private func text(
        _ text: String, _ field: DecodePlan.Field, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        guard let element = try? unsafe textParser.parse(json) else {
            throw Mismatch(reason: .typeMismatch, message: "The text for `\(field.name)` cannot be read.")
        }
        return try field.converter.convert(element, into: &bytes)
    }

    private static func fill(_ template: TextTemplate, _ page: Page) -> String {
        template.parts.reduce(into: "") { text, part in
            switch part {
            case .text(let literal): text += literal
            case .fileStem: text += page.fileStem
            }
        }
    }

    private static func take(_ constant: DecodePlan.Constant, into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = Int64(bytes.count)
        switch constant.value {
        case .null: return (Cell(kind: .null), FieldDigest.null)
        case .integer(let value): return (Cell(kind: .integer, payload: value), constant.digest)
        case .real(let value):
            return (Cell(kind: .real, payload: Int64(bitPattern: value.bitPattern)), constant.digest)
        case .text(let slice):
            bytes.append(contentsOf: slice)
            return (Cell(kind: .text, payload: start, length: UInt32(truncatingIfNeeded: slice.count)), constant.digest)
        case .blob(let slice):
            bytes.append(contentsOf: slice)
            return (Cell(kind: .blob, payload: start, length: UInt32(truncatingIfNeeded: slice.count)), constant.digest)
        }
    }

    // MARK: Failing

    private func failure(
        _ mismatch: Mismatch, field: Int?, element: JSONElement?, record: RawRecord, page: Page,
        root: JSONElement? = nil
    ) -> DecodeFailure {
        var value: [UInt8]?
        if let element {
            var text: [UInt8] = []
            JSONWriter.append(element, to: &text)
            value = text
        }
        return DecodeFailure(
            reason: mismatch.reason, pointer: field.map { plan.fields[$0].pointer } ?? "",
            value: value.map { String(decoding: $0, as: UTF8.self) }, message: mismatch.message,
            record: unsafe Array(record.bytes), key: root.flatMap { key(root: $0, record: record, page: page) },
            ordinal: page.firstOrdinal + record.ordinal)
    }

    /// The key of a record that failed for another reason.
    private func key(root: JSONElement, record: RawRecord, page: Page) -> RecordKey? {
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
