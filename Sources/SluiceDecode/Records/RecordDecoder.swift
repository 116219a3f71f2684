package import SluiceJSON
package import SluiceModel
internal import SluicePipeline
package import SluiceReport

/// Decodes records of one stream into batches.
package struct RecordDecoder {
    package let plan: DecodePlan
    private let entriesKey: [UInt8]?
    private let parser = JSONParser()
    /// For text that is no JSON of the record, whose elements must stay readable; it lives as long as what it parsed.
    private let textParser = JSONParser()
    package let canonical = CanonicalValue()
    let scratch = DecodeScratch()
    package let found: FieldFinder
    /// Whether the values of some field must not appear in clear.
    private let isRedacting: Bool
    /// Keeps what it is true for.
    private let filter: (any RecordProgram)?
    /// True for what the source says is deleted.
    private let deletedWhen: (any RecordProgram)?
    /// Whether what is taken is beside the key of a record whose deletion is stated: what it leaves out it says nothing of.
    private var isBesideDeletion = false
    /// For each field its program, where it has one.
    let programs: [(any RecordProgram)?]
    /// What stands within records; nil where nothing of that is mapped.
    private var nestedDecoder: NestedDecoder?
    /// What looks at each record before it is merged; nil where nobody does.
    let look: (any RecordLook)?
    /// The keys so far that no field takes, also of what stands within records.
    package var unmapped: UnmappedKeys {
        var keys = found.unmapped
        if plan.coverage != nil, let nestedDecoder { keys.formUnion(nestedDecoder.unmapped) }
        return keys
    }
    /// How many records the filter left out.
    package private(set) var filteredCount = 0
    /// All fields of the last record that do not fit, where somebody empties it before; nil where the first one is enough.
    package var failures: [DecodeFailure]?
    /// The keys of the records that a cursor or a program left out since they were taken last: their source lists them, so they are
    /// not gone.
    package internal(set) var leftOut: [RecordKey] = []
    /// The lists within records that say that there is more of them.
    package let cuts: CutLists

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - plan: How fields are filled.
    ///   - entriesKey: The key that takes the names of members, where these are the records.
    ///   - filter: The program that is true for what is kept; nil to keep everything.
    ///   - deletedWhen: The program that is true for what the source says is deleted; nil where it does not say so.
    ///   - cuts: Collects the lists that say that there is more of them.
    ///   - language: Compiles these programs, and those of fields.
    /// - Throws: ``SyncError`` where a program cannot be used.
    package init(
        plan: DecodePlan, entriesKey: String?, filter: String? = nil, deletedWhen: String? = nil,
        cuts: CutLists = CutLists(), language: some ProgramLanguage
    ) throws {
        self.plan = plan
        self.cuts = cuts
        self.filter = try filter.map { try language.compile($0) }
        self.deletedWhen = try deletedWhen.map { try language.compile($0) }
        programs = try plan.fields.map { try $0.program.map { try language.compile($0) } }
        self.entriesKey = entriesKey.map { Array($0.utf8) }
        found = FieldFinder(plan: plan)
        isRedacting = plan.redactor != nil
        look = try plan.looks?.look(by: plan)
        nestedDecoder = try plan.parts.map { try NestedDecoder(tree: $0, cuts: cuts, language: language) }
    }

    /// Empty batches for what stands within records.
    package var emptyNested: [NestedBatch] { nestedDecoder?.emptyBatches ?? [] }

    /// Forgets which records stood within those so far: of one that comes again the first is taken that follows.
    package mutating func forgetNested() { nestedDecoder?.forget() }

    /// Whether a record need not be an object.
    var takesScalars: Bool { plan.fields.allSatisfy { $0.pointer.isEmpty || isMemberName($0) } }

    /// Decodes one record and appends it to a batch.
    ///
    /// - Parameters:
    ///   - record: The record's bytes; they stay until the call returns.
    ///   - page: The page that it stands on.
    ///   - batch: Grows by the record, or stays as it was where it fails.
    ///   - parts: Grow by what stands within the record, or stay as they were.
    /// - Returns: Nil, or why the record could not be taken.
    package mutating func decode(
        _ record: RawRecord, page: Page, into batch: inout RecordBatch, parts: inout [NestedBatch]
    ) -> DecodeFailure? {
        let marks = (cells: batch.cells.count, bytes: batch.bytes.count)
        cuts.beginRecord()
        let root: JSONElement
        do throws(JSONError) {
            unsafe root = try parser.parse(record.bytes)
        } catch {
            return invalid(error, record: record, page: page)
        }
        if plan.readsRows, let fault = RowFault(root) {
            return refused(fault, record: record, page: page)
        }
        guard root.kind == .object || takesScalars else {
            let kind = root.kind.description
            let remedy = root.kind == .array ? " To take its elements, end `records` with `[*]`." : ""
            return failure(
                Mismatch(reason: .notAnObject, message: "Expected an object, found \(kind).\(remedy)"), field: nil,
                element: root, record: record, page: page)
        }
        do throws(Mismatch) {
            if let filter, try !filter.isTrue(of: root) {
                filteredCount += 1
                return nil
            }
        } catch {
            return failure(error, field: nil, element: nil, record: record, page: page)
        }
        found.find(in: root)
        if let (path, value) = found.excess {
            return excess(path, value, record: record, page: page)
        }
        if let mismatch = found.mismatch {
            return failure(mismatch, field: nil, element: nil, record: record, page: page, root: root)
        }
        var isDeleted = false
        do throws(Mismatch) {
            if let deletedWhen { isDeleted = try deletedWhen.isTrue(of: root) }
        } catch {
            return failure(error, field: nil, element: nil, record: record, page: page, root: root)
        }
        var rowHash: UInt64 = 0
        if let refused = appendFields(of: root, isDeleted, record, page, into: &batch, &rowHash) {
            batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
            return refused
        }
        // Of what is deleted there may be no cursor.
        if let cursor = page.cursor ?? plan.cursor, !isDeleted {
            let verdict = cursor.verdict(on: batch.count, of: batch)
            if case .leaveOut = verdict, cursor.keepsKeys { leaveOut(lastOf: batch) }
            if verdict != .take { batch.removeRecord(fromCell: marks.cells, byte: marks.bytes) }
            switch verdict {
            case .take: break
            case .leaveOut:
                filteredCount += 1
                return nil
            case .fail:
                let message = "The cursor `\(plan.fields[cursor.field].name)` is missing."
                var refused = failure(
                    Mismatch(reason: .missingValue, message: message), field: cursor.field,
                    element: found[cursor.field], record: record, page: page, root: root)
                refused.runEnd = .cursor
                return refused
            }
        }
        // Of what is deleted there is no value to look at.
        if look != nil && !isDeleted {
            let isKept: Bool
            do throws(Mismatch) { isKept = try passes(&batch, &rowHash) } catch {
                batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
                return failure(error, field: nil, element: nil, record: record, page: page, root: root)
            }
            if !isKept {
                batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
                filteredCount += 1
                return nil
            }
        }
        if let contentKey = plan.contentKey {
            guard let digest = contentKey.fill(&batch, from: marks.cells, by: canonical) else {
                batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
                return failure(
                    Mismatch(
                        reason: .missingKey,
                        message: "None of the fields has a value, so the record cannot be identified."),
                    field: nil, element: nil, record: record, page: page)
            }
            rowHash &+= FieldDigest.contribution(of: digest, nameDigest: plan.fields[contentKey.field].nameDigest)
        }
        if nestedDecoder != nil && !isDeleted {
            do throws(NestedDecoder.Failure) {
                let around = NestedDecoder.Around(record: record, page: page)
                try nestedDecoder?.decode(root, found, lastOf: batch, plan.schema, around, into: &parts)
            } catch {
                batch.removeRecord(fromCell: marks.cells, byte: marks.bytes)
                var refused = failure(
                    error.mismatch, field: nil, element: nil, record: record, page: page, root: root)
                refused.pointer = error.pointer
                if plan.redactor == nil { refused.value = error.value.map { String(decoding: $0, as: UTF8.self) } }
                return refused
            }
        }
        close(record, page, isDeleted: isDeleted, rowHash: rowHash, in: &batch)
        return nil
    }

    /// Notes that a batch's last record, which is not closed, is left out and listed all the same.
    mutating func leaveOut(lastOf batch: borrowing RecordBatch) {
        if plan.keepsLeftOut && plan.contentKey == nil {
            leftOut.append(batch.key(of: batch.count, schema: plan.schema))
        }
    }

    /// Takes the keys out of records that were left out.
    package mutating func takeLeftOut() -> [RecordKey] {
        defer { leftOut = [] }
        return leftOut
    }

    /// Appends the values of a record's fields to a batch.
    ///
    /// - Returns: Nil, or why the record could not be taken.
    private mutating func appendFields(
        of root: JSONElement, _ isDeleted: Bool, _ record: RawRecord, _ page: Page, into batch: inout RecordBatch,
        _ rowHash: inout UInt64
    ) -> DecodeFailure? {
        let contentField = plan.contentKey?.field
        for index in plan.fields.indices {
            // A key made of the values is made at the end.
            if let contentField {
                if index == contentField {
                    batch.cells.append(Cell(kind: .absent))
                    batch.digests.append(0)
                    continue
                }
            } else if isDeleted && !plan.fields[index].isKey {
                // Of what is deleted there may be no more than the key; the rest tells one statement from a later one.
                isBesideDeletion = true
                defer { isBesideDeletion = false }
                let isValue = plan.fields[index].target == nil
                let said = isValue ? try? taken(index, root: root, record: record, page: page, into: &batch.bytes) : nil
                batch.cells.append(said?.0 ?? Cell(kind: .absent))
                batch.digests.append(said?.1 ?? 0)
                continue
            }
            do throws(Mismatch) {
                let (cell, digest) = try taken(index, root: root, record: record, page: page, into: &batch.bytes)
                batch.cells.append(cell)
                batch.digests.append(digest)
                if digest != 0 {
                    rowHash &+= FieldDigest.contribution(of: digest, nameDigest: plan.fields[index].nameDigest)
                }
            } catch {
                var refused = failure(
                    naming(error, index), field: index,
                    element: plan.fields[index].target?.many == nil ? found[index] : nil,
                    record: record, page: page, root: root)
                refused.value = shownMade(index, of: root) ?? refused.value
                if error.isOfValue { refused.runEnd = plan.fields[index].runEnd }
                guard failures != nil else { return refused }
                failures?.append(refused)
                batch.cells.append(Cell(kind: .absent))
                batch.digests.append(0)
            }
        }
        if plan.unsaidMember != nil { markUnsaid(in: root, lastOf: &batch) }
        return failures?.first
    }

    /// Marks the values of which a record says itself that they count only where it is new.
    func markUnsaid(in record: JSONElement, lastOf batch: inout RecordBatch) {
        guard let name = plan.unsaidMember else { return }
        var members = record.members()
        while members.next() {
            guard unsafe members.key.count == name.count, members.isNamed(name) else { continue }
            var names = members.value.elements()
            while names.next() {
                guard let name = names.value.string, let field = plan.fields.firstIndex(where: { $0.name == name })
                else { continue }
                let position = batch.cells.count - plan.fields.count + field
                (batch.cells[position].isAssumed, batch.cells[position].isOfNew) = (true, true)
            }
        }
    }

    /// Ends a record whose values are all in its batch.
    private func close(
        _ record: RawRecord, _ page: Page, isDeleted: Bool, rowHash: UInt64, in batch: inout RecordBatch
    ) {
        if isDeleted { batch.deleted.insert(batch.count) }
        batch.close(
            rowHash: rowHash, keyHash: keyHash(of: batch),
            origin: RecordOrigin(page: page.number, ordinal: page.firstOrdinal + record.ordinal))
        if let name = page.name { batch.name(page: page.number, name) }
        if let seed = page.textSeed {
            // What a list does not show may be asked for one day, so its record is never known by its text.
            let hash = unsafe cuts.isInRecord ? 0 : KeyHash.combine(seed, FieldDigest.text(record.bytes))
            batch.textFingerprints.append(
                hash: hash,
                within: isDeleted ? [] : nestedDecoder?.mentions ?? [])
        }
    }

    /// The hash of the key of a batch's last record, whose hashes are not there yet.
    package func keyHash(of batch: borrowing RecordBatch) -> UInt64 {
        var hash: UInt64 = 0
        for field in plan.keyFields { hash = KeyHash.combine(hash, keyDigest(field, in: batch)) }
        return hash
    }

    /// The digest of a key's value as it is stored, in which form a key read from a store is compared with it.
    private func keyDigest(_ field: Int, in batch: borrowing RecordBatch) -> UInt64 {
        switch plan.fields[field].converter.type {
        case .decimal, .json: KeyHash.valueHash(batch.value(record: batch.count, field: field) ?? .null)
        default: batch.digest(record: batch.count, field: field)
        }
    }

    // MARK: Taking values

    /// The value of a field, or what stands in for one that does not fit.
    @inline(__always)
    package func taken(
        _ index: Int, root: JSONElement, record: RawRecord, page: Page, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        do throws(Mismatch) {
            return try value(of: index, root: root, record: record, page: page, into: &bytes)
        } catch {
            let field = plan.fields[index]
            guard error.isOfValue, !field.isRequired else { throw error }
            switch field.onMismatch {
            case .setNull: return (Cell(kind: .null), FieldDigest.null)
            case .keep: return unsaid
            case .quarantine, .fail: throw error
            }
        }
    }

    @inline(__always)
    package func value(
        of index: Int, root: JSONElement, record: RawRecord, page: Page, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        let start = bytes.count
        let clear = try clearValue(of: index, root: root, record: record, page: page, into: &bytes)
        return isRedacting ? redacted(clear, of: index, from: start, in: &bytes) : clear
    }

    @inline(__always)
    private func clearValue(
        of index: Int, root: JSONElement, record: RawRecord, page: Page, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if let element = found[index], !element.isNull, plan.fields[index].isPlain {
            return try plan.fields[index].converter.convert(element, into: &bytes)
        }
        if let program = programs[index] {
            return try result(of: program, plan.fields[index], root: root, into: &bytes)
        }
        return try unusualValue(plan.fields[index], found[index], root: root, record: record, page: page, into: &bytes)
    }

    private func result(
        of program: any RecordProgram, _ field: DecodePlan.Field, root: JSONElement, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        guard let json = try program.first(of: root), let element = try? unsafe textParser.parse(json) else {
            return try absence(field, into: &bytes)
        }
        return try convert(element, field, into: &bytes)
    }

    private func unusualValue(
        _ field: DecodePlan.Field, _ element: JSONElement?, root: JSONElement, record: RawRecord, page: Page,
        into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if let template = field.template {
            let filled = template.filled(fileStem: page.fileStem, partition: page.partition)
            return try text(filled, field, into: &bytes)
        }
        if let target = field.target, let many = target.many {
            return try references(field, target, many, list: element, root: root, into: &bytes)
        }
        if let path = field.openPath { return try matches(of: path, field, root: root, into: &bytes) }
        guard let element else {
            if let name = record.member, isMemberName(field) { return try text(name, field, into: &bytes) }
            return try absence(field, into: &bytes)
        }
        return try convert(element, field, into: &bytes)
    }

    /// Whether the field takes the name of the member that the record is.
    func isMemberName(_ field: DecodePlan.Field) -> Bool {
        entriesKey.map { field.pointer.utf8.dropFirst().elementsEqual($0) } ?? false
    }

    /// Takes a value that is there, null or mapped or as it is.
    package func convert(
        _ element: JSONElement, _ field: DecodePlan.Field, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if element.isNull { return try null(field, into: &bytes) }
        var element = element
        if let target = field.target { element = try target.key(of: element, part: 0, field.name) }
        if let constant = replacement(of: element, in: field) {
            if constant.value == .null { return try null(field, into: &bytes) }
            return Self.accept(constant, into: &bytes)
        }
        return try field.converter.convert(element, into: &bytes)
    }

    private func replacement(of element: JSONElement, in field: DecodePlan.Field) -> FieldConstant? {
        if field.map.isEmpty { return nil }
        return switch element.kind {
        case .string: unsafe field.map[Array(element.utf8)]
        case .integer, .number: unsafe field.map[Array(element.token)]
        case .bool: field.map[Array((element.boolean ? "true" : "false").utf8)]
        case .null, .array, .object: nil
        }
    }

    package func absence(_ field: DecodePlan.Field, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        if isBesideDeletion { return (Cell(kind: .absent), 0) }
        switch field.onMissing {
        case .default:
            if let fallback = field.fallback {
                if fallback.value == .null { return try null(field, into: &bytes) }
                var (cell, digest) = Self.accept(fallback, into: &bytes)
                cell.isAssumed = !plan.isPositional
                return (cell, digest)
            }
        case .setNull: return try null(field, into: &bytes)
        case .fail:
            throw Mismatch(reason: .missingValue, message: "The key of `\(field.name)` is missing.")
        case .keep: break
        }
        if field.isRequired { throw missing(field, what: "is missing") }
        return unsaid
    }

    /// What stands for a field of which a record says nothing.
    private var unsaid: (Cell, UInt64) {
        plan.isPositional ? (Cell(kind: .null), FieldDigest.null) : (Cell(kind: .absent), 0)
    }

    package func null(_ field: DecodePlan.Field, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        if field.isRequired { throw missing(field, what: "is null") }
        switch field.onNull {
        case .setNull: return (Cell(kind: .null), FieldDigest.null)
        case .keep: return unsaid
        case .fail: throw Mismatch(reason: .missingValue, message: "The value of `\(field.name)` is null.")
        }
    }

    private func missing(_ field: DecodePlan.Field, what: String) -> Mismatch {
        // The name in the store may be another one than that in the record.
        let place = field.pointer.isEmpty || field.pointer == "/\(field.name)" ? "" : " at `\(field.pointer)`"
        return field.isKey
            ? Mismatch(
                reason: .missingKey,
                message: "The identifier `\(field.name)` \(what)\(place), so the record cannot be identified.")
            : Mismatch(reason: .missingValue, message: "The required field `\(field.name)` \(what)\(place).")
    }

    /// Takes text that is no JSON: a member's name or a filled template.
    package func text(
        _ text: String, _ field: DecodePlan.Field, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        guard let element = try? unsafe textParser.parse(json) else {
            throw Mismatch(reason: .typeMismatch, message: "The text for `\(field.name)` cannot be read.")
        }
        return try field.converter.convertText(element, into: &bytes)
    }

    package static func accept(_ constant: FieldConstant, into bytes: inout [UInt8]) -> (Cell, UInt64) {
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
}
