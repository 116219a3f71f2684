internal import SluiceDecode
internal import SluiceModel
internal import SluiceReport

/// Values of a model as records that the merge takes: a line for each, with what the store would keep.
struct StoredRecords<M: PersistentModel> {
    private var kept = RecordFeed()
    private var lines: [UInt8] = []
    private var lists = PassedOverValues(M.model.description)

    /// The records to merge.
    var feed: RecordFeed {
        var feed = kept
        // It is made when it is asked for: a copy that is kept would be made with each record that comes.
        if !lines.isEmpty { feed.pages = [lines] }
        feed.problems += lists.problems
        return feed
    }

    /// No records.
    init() { kept.holdsStoredValues = true }

    /// Records that say something of all properties.
    ///
    /// - Throws: ``SluiceError`` where a value cannot be stored.
    init(_ values: [M]) throws {
        self.init()
        for value in values { try add(value, present: .all) }
    }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - present: The properties that the source speaks of.
    /// - Throws: ``SluiceError`` where it cannot be stored.
    mutating func add(_ value: M, present: FieldSet<M>) throws {
        let record: BoxedRecord
        do throws(BoxError) { record = try value.boxed() } catch {
            throw SluiceError(error, entity: M.model.description.entity)
        }
        add(record, present: present)
        lists.look(at: value)
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - present: The properties that the source speaks of.
    ///   - lists: What leads to several records and the source speaks of, by its name: lists of keys, or of objects that have
    ///     them.
    mutating func add(_ record: BoxedRecord, present: FieldSet<M>, lists: [(name: String, json: String)] = []) {
        let fields = record.description.fields
        let said = fields.indices.filter { (present.contains($0) || fields[$0].isIdentifier) && !fields[$0].isImplied }
            .filter { index in !lists.contains { $0.name == fields[index].name } }
        let members =
            said.map { index in
                FieldJSON.quoted(Array(fields[index].name.utf8)) + ":"
                    + FieldJSON.text(FieldValue(record.values[index]), type: fields[index].fieldType)
            } + lists.map { FieldJSON.quoted(Array($0.name.utf8)) + ":" + $0.json }
        lines += Array("{\(members.joined(separator: ","))}\n".utf8)
    }

    /// Keeps a record aside that could not be decoded.
    mutating func refuse(_ failure: DecodeFailure) { kept.failures.append(failure) }

    /// Keeps a record aside.
    mutating func refuse(_ message: String, json: [UInt8], key: RecordKey? = nil, at ordinal: Int) {
        kept.failures.append(
            DecodeFailure(
                reason: .notAllowed, pointer: "", message: message, record: json, key: key, ordinal: ordinal))
    }

    /// Leaves a record out, whose row stays as it is.
    mutating func skip(_ key: RecordKey) {
        kept.skipped += 1
        kept.skippedKeys.append(key)
    }
}

extension FieldValue {
    init(_ value: BoxedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
