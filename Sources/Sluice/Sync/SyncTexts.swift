internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceStore

/// How the records of a sync are known by their texts: one that is byte for byte as in the last sync is not decoded.
struct SyncTexts {
    /// What the hashes of texts are made with, and whether the store has such hashes.
    let known: KnownTexts
    private let source: RecordMapping
    private let kept: TextMemory?

    /// Reads what the store keeps; nil where a text says nothing of what becomes of its record.
    ///
    /// - Parameters:
    ///   - source: The model.
    ///   - feed: The records.
    ///   - context: What they are merged with.
    ///   - changes: What had to be changed in the database's schema.
    /// - Throws: `StoreError`.
    init?(
        _ source: ModelSource, _ feed: RecordFeed, _ context: StreamMerger.Context, changes: [SchemaChange]
    ) throws {
        // Values as a store keeps them, and records that wait, are not what the source gave.
        guard !feed.holdsStoredValues, feed.retried == nil, source.stream.writeMode == .merge,
            context.otherSources.isEmpty, !source.schema.hasRemoteOwnedField
        else { return nil }
        self.source = source.schema.source
        let (pipeline, stream) = (source.pipeline.name, source.stream.name)
        kept = try context.store.state.value(.fingerprints, pipeline: pipeline, stream: stream)
        let memory = kept ?? TextMemory()
        let fingerprint = source.mappingFingerprint
        let isKnown = memory.fingerprint == fingerprint && changes.allSatisfy(\.sql.isEmpty)
        known = KnownTexts(memory: isKnown ? memory : memory.renewed(fingerprint), isKnown: isKnown)
    }

    /// Has the next sync believe the hashes of this one.
    ///
    /// - Throws: `StoreError`.
    func keep(in store: any RecordStore) throws {
        if known.memory == kept { return }
        try store.state.set(.fingerprints, to: known.memory, pipeline: source.pipeline, stream: source.stream)
    }
}

extension ModelSource {
    /// What all that decides how a record becomes a row comes to.
    fileprivate var mappingFingerprint: String {
        var words = [
            entity.name, entity.table, stream.format.rawValue, stream.records?.text ?? "",
            "\(stream.onDuplicate)", pipeline.conflictPolicy.rawValue,
            entity.conflictRules.fallback?.rawValue ?? "", entity.newestField ?? "",
        ]
        words += entity.primaryKey + entity.unique.flatMap { $0 + [""] }
        for field in entity.fields {
            words += [
                field.name, field.column, field.type.rawValue, "\(field.isRequired)", field.defaultJSON ?? "",
                "\(field.comparison)", field.reference ?? "", "\(field.onMissing)", "\(field.onNull)",
                field.onConflict?.rawValue ?? "",
            ]
            if field.onMissing == .default && !field.defaultFillsGap { words.append("in any case") }
            words += field.origin.words
        }
        for reference in entity.references {
            words += [reference.name, reference.target, reference.targetTable]
            words += reference.targetKey.flatMap { [$0.name, $0.column, $0.type.rawValue] }
        }
        for field in description.fields where !field.checks.isEmpty || field.reading != nil {
            words += [field.name, field.reading?.name ?? ""]
            words += field.checks.map(\.fingerprint)
        }
        let text = words.map { "\($0.utf8.count):\($0)" }.joined()
        return String(FieldDigest.text(Array(text.utf8)), radix: 16)
    }
}

extension FieldDefinition.Origin {
    /// Where the value comes from.
    fileprivate var words: [String] {
        switch self {
        case .path(let path): [path.text]
        case .reference(let path, let key): ["reference", path.text, key.text]
        case .references(let path, let keys): ["references", path.text] + keys.map(\.text)
        default: ["\(self)"]
        }
    }
}
