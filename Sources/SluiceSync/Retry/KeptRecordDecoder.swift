internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// Decodes records that were kept in quarantine by the mapping of today.
struct KeptRecordDecoder {
    /// What becomes of a record.
    enum Outcome {
        /// It was appended to the batch.
        case taken
        /// The stream's filter leaves it out.
        case filtered
        case failed(DecodeFailure)
        /// It cannot be tried; why, as the rest of a sentence.
        case refused(String)
    }

    private let plan: DecodePlan
    private let places: KeptPlaces
    private var decoder: RecordDecoder
    /// For records of which the values are kept and not the source's JSON.
    private var valueDecoder: RecordDecoder
    private let json = StoredJSON()
    /// Finds records of which more has to be asked for, which nobody does here.
    private let conditions: ContinuedListConditions?

    /// - Parameters:
    ///   - stream: The stream that the records came from.
    ///   - entity: The stream's entity.
    ///   - plan: The entity's mapping.
    /// - Throws: ``SyncError`` where a program of the pipeline cannot be used.
    init(stream: StreamDefinition, entity: EntityDefinition, plan: DecodePlan) throws {
        self.plan = plan
        places = KeptPlaces(entity: entity, entriesKey: stream.entries, shape: plan.partitions)
        decoder = try RecordDecoder(
            plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
        conditions = try ContinuedListConditions(stream)
        let values = try DecodePlan(entity: entity.ofStoredValues, schema: plan.schema, entriesKey: nil)
        valueDecoder = try RecordDecoder(plan: values, entriesKey: nil)
    }

    /// The number of fields of a record.
    var fieldCount: Int { plan.fields.count }
    /// Empty batches for what stands within records.
    var emptyNested: [NestedBatch] { decoder.emptyNested }
    /// How many records the filter left out.
    var filteredCount: Int { decoder.filteredCount }

    /// Decodes one record and appends it to a batch.
    mutating func decode(
        _ entry: QuarantineEntry, ordinal: Int, into batch: inout RecordBatch, parts: inout [NestedBatch]
    ) -> Outcome {
        if entry.record.isEmpty { return .refused("its JSON was not kept. A run reads it again.") }
        if entry.reason == Mismatch.Reason.duplicate.rawValue {
            return .refused("it is several records of one key. Let `on_duplicate` say which one counts, and run.")
        }
        if let field = entry.changedField {
            return .refused(
                "it keeps the value that `\(field)` had before its type changed. Write the value that is meant into the table, and give the entry up with `quarantine drop`."
            )
        }
        let isOfValues = entry.holdsValues
        if !isOfValues, plan.redactor != nil || entry.message.hasSuffix(RecordRedactor.note) {
            return .refused("its redacted values were not kept. A run reads it again.")
        }
        var place = KeptPlaces.Place()
        if !isOfValues {
            switch places.place(of: entry, json) {
            case .known(let found): place = found
            case .unknown(let what):
                return .refused("\(what), which is a part of it, is not kept with its JSON. A run reads it again.")
            }
        }
        let filtered = decoder.filteredCount
        let record = isOfValues ? withKey(entry) : entry.record
        let page = RecordDecoder.Page(
            firstOrdinal: ordinal, fileStem: place.fileStem, partition: place.partition,
            lists: conditions?.readings(of: record, ordinal: ordinal))
        let member = place.hasMember ? Array(place.member.utf8) : nil
        // Where it stood is not kept: no more is said of that.
        let failure = RawRecord.with(record, member: member, byteOffset: 1) { raw in
            isOfValues
                ? valueDecoder.decode(raw, page: page, into: &batch, parts: &parts)
                : decoder.decode(raw, page: page, into: &batch, parts: &parts)
        }
        guard var failure else { return decoder.filteredCount > filtered ? .filtered : .taken }
        switch failure.reason {
        case .invalidJSON: return .refused("it is not valid JSON, whatever the mapping. A run reads it again.")
        case .notAnObject: return .refused("it is no object. Correct `records` or the source, and run again.")
        default: break
        }
        failure.entry = entry.id
        return .failed(failure)
    }

    /// The values that were kept with those of the key, which an update does not write.
    private func withKey(_ entry: QuarantineEntry) -> [UInt8] {
        guard let key = entry.key.flatMap({ json.members($0) }),
            let values = json.members(String(decoding: entry.record, as: UTF8.self))
        else { return entry.record }
        let members = key.filter { member in !values.contains { $0.name == member.name } } + values
        return Array(
            ("{" + members.map { FieldJSON.quoted($0.name) + ":" + $0.json }.joined(separator: ",") + "}").utf8)
    }
}

extension QuarantineEntry {
    /// Whether the values of the fields were kept and not the source's JSON, as older versions did for collisions.
    var holdsValues: Bool { reason == Mismatch.Reason.uniqueCollision.rawValue && recordHash == 0 }
}

extension EntityDefinition {
    /// The mapping by which stored values, as a JSON object of the fields, become a record again.
    fileprivate var ofStoredValues: EntityDefinition {
        var entity = self
        entity.fields = fields.map { field in
            var stored = FieldDefinition(
                name: field.name, column: field.column,
                origin: .path(JSONPath(steps: [.name(field.name)], text: field.name)), type: field.type)
            // What a value may be was asked before.
            stored.values = field.type == .enumeration ? field.values : []
            stored.comparison = field.comparison
            return stored
        }
        return entity
    }
}
