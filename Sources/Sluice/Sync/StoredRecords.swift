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
        if !lines.isEmpty { feed.text = .pages([lines]) }
        feed.problems += lists.problems
        return feed
    }

    /// No records.
    ///
    /// - Parameter bytes: How long those are about that will come.
    init(expecting bytes: Int = 0) {
        kept.holdsStoredValues = true
        lines.reserveCapacity(bytes)
    }

    /// Records that say something of all properties.
    ///
    /// - Throws: ``SluiceError`` where a value cannot be stored.
    init(_ values: [M]) throws {
        self.init()
        for value in values {
            do throws(BoxError) { try add(value, saying: .all) } catch { throw SluiceError(error, of: value) }
        }
    }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - said: What the source says of it.
    ///   - completesNew: Whether a new record has its other values as well.
    /// - Throws: ``BoxError`` where it cannot be stored.
    mutating func add(
        _ value: M, saying said: SaidProperties, completingNew completesNew: Bool = false
    ) throws(BoxError) {
        let record = try BoxedRecord(whole: value)
        said.write(record, completingNew: completesNew, to: &lines)
        lines.append(UInt8(ascii: "\n"))
        lists.look(at: value, saying: said)
    }

    /// Adds a record with those within it.
    mutating func add(_ record: BoxedRecord, saying said: SaidProperties) {
        said.write(record, to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    /// Keeps a record aside that could not be decoded.
    mutating func refuse(_ failure: DecodeFailure) { kept.failures.append(failure) }

    /// Keeps a record aside.
    ///
    /// - Parameters:
    ///   - message: Why, as a sentence.
    ///   - plain: The same without values; nil where the message has none.
    ///   - json: The record.
    ///   - key: Its key, where that is known.
    ///   - ordinal: Its place among the records.
    mutating func refuse(
        _ message: String, plain: String? = nil, json: [UInt8], key: RecordKey? = nil, at ordinal: Int
    ) {
        var failure = DecodeFailure(
            reason: .notAllowed, pointer: "", message: message, record: json, key: key, ordinal: ordinal)
        failure.plain = plain
        kept.failures.append(failure)
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
