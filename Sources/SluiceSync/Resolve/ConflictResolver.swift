internal import SluiceJSON
internal import SluiceMerge
public import SluiceStore

/// Settles conflicts as a person decides, from the store alone.
///
/// The base advances to what the source said, so that the next run has nothing to ask again.
public struct ConflictResolver {
    private let store: any RecordStore
    private let canonical = CanonicalValue()
    private let parser = JSONParser()

    /// Makes a resolver; the store's transaction is the caller's.
    public init(store: any RecordStore) { self.store = store }

    /// Settles one conflict.
    ///
    /// - Parameters:
    ///   - conflict: An open conflict as the store lists it.
    ///   - resolution: What stands from now on.
    ///   - who: Who decided, kept with the conflict.
    /// - Returns: How it ended.
    /// - Throws: `StoreError`.
    public func resolve(_ conflict: ConflictEntry, with resolution: Resolution, who: String?) throws
        -> ResolutionOutcome
    {
        guard conflict.status == .open else { return .refused("It is \(conflict.status.rawValue) already.") }
        guard
            let table = try store.knownTable(
                pipeline: conflict.pipeline, stream: conflict.stream, entity: conflict.entity),
            let key = readKey(conflict.key, schema: table.schema)
        else { return .refused("The store does not know its table any more.") }
        guard let base = try table.baseRow(key) else { return .refused("Its record is not managed any more.") }
        let place = Place(table: table, key: key, base: base, local: try table.localRow(key))
        let outcome =
            conflict.field == nil
            ? try resolveRecord(conflict, place, resolution) : try resolveField(conflict, place, resolution)
        if outcome == .resolved {
            var closed = conflict
            closed.status = .resolved
            closed.resolution = resolution.name
            closed.who = who
            try store.conflicts.update(closed)
            try settleOpenFlag(place)
        }
        return outcome
    }

    /// The record that a conflict is about.
    private struct Place {
        let table: any RecordTable
        let key: RecordKey
        let base: BaseRow
        let local: [FieldValue]?
        var schema: RecordSchema { table.schema }
    }

    // MARK: Fields

    private func resolveField(
        _ conflict: ConflictEntry, _ place: Place, _ resolution: Resolution
    ) throws -> ResolutionOutcome {
        guard let field = place.schema.fields.firstIndex(where: { $0.name == conflict.field }) else {
            return .refused("The field `\(conflict.field ?? "")` is not known any more.")
        }
        guard let local = place.local else { return .refused("Its row is gone; the next run settles that.") }
        let type = place.schema.fields[field].type
        let shown = FieldJSON.text(local[field], type: type)
        if conflict.local != shown {
            var fresh = conflict
            fresh.local = shown
            try store.conflicts.update(fresh)
            return .reopened
        }
        guard let remote = conflict.remote.flatMap({ value(json: $0, type: type) }) else {
            return .refused("The source's value is not kept; run the pipeline again.")
        }
        let chosen: FieldValue?
        switch resolution {
        case .local: chosen = nil
        case .remote: chosen = remote
        case .base:
            guard let text = conflict.base else {
                return .refused("The base is too long to be kept, only its digest is; use `--set` with the value.")
            }
            chosen = value(json: text, type: type)
        case .value(let text):
            guard let value = value(text: text, type: type) else {
                return .refused("`\(text)` is no valid \(type.rawValue) for `\(place.schema.fields[field].name)`.")
            }
            chosen = value
        }
        var base = place.base
        base.entries[field] = entry(remote, type: type)
        try write(place, base, row: chosen.map { .update(fields: [field], values: [$0]) } ?? .none)
        return .resolved
    }

    // MARK: Records

    private func resolveRecord(
        _ conflict: ConflictEntry, _ place: Place, _ resolution: Resolution
    ) throws -> ResolutionOutcome {
        var base = place.base
        switch (conflict.kind, resolution) {
        case (RowKind.editDelete.rawValue, .local):
            base.state = .remoteTombstone
            try write(place, base, row: .none)
        case (RowKind.editDelete.rawValue, .remote):
            guard let local = place.local, conflict.local == object(local, place.schema) else {
                return try reopen(conflict, place)
            }
            base.state = .remoteTombstone
            try write(place, base, row: .delete)
        case (RowKind.deleteEdit.rawValue, .local), (RowKind.deleteEdit.rawValue, .remote):
            guard place.local == nil else { return .refused("A row with its key is there again; run the pipeline.") }
            guard let remote = remoteRecord(conflict, place.schema) else {
                return .refused("The source's record is not kept; run the pipeline again.")
            }
            for (field, value) in remote { base.entries[field] = entry(value, type: place.schema.fields[field].type) }
            base.state = resolution == .local ? .localTombstone : .live
            let values = place.schema.fields.indices.map { remote[$0] ?? .null }
            try write(place, base, row: resolution == .local ? .none : .insert(values))
        default:
            return .refused("A conflict of the whole record is settled with `--take local` or `--take remote`.")
        }
        return .resolved
    }

    private func reopen(_ conflict: ConflictEntry, _ place: Place) throws -> ResolutionOutcome {
        var fresh = conflict
        fresh.local = place.local.map { object($0, place.schema) }
        try store.conflicts.update(fresh)
        return .reopened
    }

    private func remoteRecord(_ conflict: ConflictEntry, _ schema: RecordSchema) -> [Int: FieldValue]? {
        guard let text = conflict.remote, let root = try? unsafe parser.parse(Array(text.utf8)) else { return nil }
        // Read as text first: the parser's memory is used again for each value.
        var members: [(name: String, json: String)] = []
        var cursor = root.members()
        while cursor.next() {
            var json: [UInt8] = []
            JSONWriter.append(cursor.value, to: &json)
            members.append((cursor.name, String(decoding: json, as: UTF8.self)))
        }
        var values: [Int: FieldValue] = [:]
        for member in members {
            guard let field = schema.fields.firstIndex(where: { $0.name == member.name }),
                let value = value(json: member.json, type: schema.fields[field].type)
            else { return nil }
            values[field] = value
        }
        return values
    }

    // MARK: Writing

    private func write(_ place: Place, _ base: BaseRow, row: RecordWrite.Row) throws {
        var base = base
        let digests = zip(base.entries, place.schema.fields).map { entry, field -> UInt64 in
            switch entry {
            case .none: 0
            case .null: FieldDigest.null
            case .digest(let digest): digest
            case .value(let value): canonical.digest(of: value, type: field.type)
            }
        }
        base.rowHash = place.schema.rowHash(digests: digests)
        try place.table.write(RecordWrite(key: place.key, row: row, base: base))
    }

    /// Takes the base's flag down once nothing of the record is open.
    private func settleOpenFlag(_ place: Place) throws {
        guard var base = try place.table.baseRow(place.key) else { return }
        let open = try store.conflicts.open(
            pipeline: place.schema.pipeline, stream: place.schema.stream,
            key: FieldJSON.object(key: place.key, schema: place.schema))
        base.isOpen = !open.isEmpty
        try place.table.write(RecordWrite(key: place.key, row: .none, base: base))
    }

    // MARK: Values

    private func readKey(_ json: String, schema: RecordSchema) -> RecordKey? {
        guard let root = try? unsafe parser.parse(Array(json.utf8)) else { return nil }
        var texts: [String] = []
        for field in schema.keyFields {
            guard let member = root.member(named: schema.fields[field].name) else { return nil }
            var text: [UInt8] = []
            JSONWriter.append(member, to: &text)
            texts.append(String(decoding: text, as: UTF8.self))
        }
        let values = zip(texts, schema.keyFields).compactMap { value(json: $0, type: schema.fields[$1].type) }
        return values.count == schema.keyFields.count ? RecordKey(values) : nil
    }

    /// A value as a person types it: JSON where that fits the type, else the text itself.
    private func value(text: String, type: FieldType) -> FieldValue? {
        if type != .string, let value = value(json: text, type: type) { return value }
        if text == "null" { return .null }
        return value(json: FieldJSON.quoted(text), type: type)
    }

    private func value(json: String, type: FieldType) -> FieldValue? {
        guard let element = try? unsafe parser.parse(Array(json.utf8)) else { return nil }
        if element.isNull { return .null }
        var batch = RecordBatch(fieldCount: 1)
        guard let (cell, _) = try? ValueConverter(type: type).convert(element, into: &batch.bytes) else { return nil }
        batch.cells = [cell]
        return batch.value(record: 0, field: 0)
    }

    private func entry(_ value: FieldValue, type: FieldType) -> BaseEntry {
        BaseEntry(value: value, digest: canonical.digest(of: value, type: type))
    }

    private func object(_ values: [FieldValue], _ schema: RecordSchema) -> String {
        let members = zip(schema.fields, values).map { field, value in
            FieldJSON.quoted(field.name) + ":" + FieldJSON.text(value, type: field.type)
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
