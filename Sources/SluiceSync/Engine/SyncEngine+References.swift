internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// What refers to other records needs their tables before any of it is written.
extension SyncEngine {
    /// The entities of the run's streams, and of what stands within their records.
    private var streamEntities: [(stream: StreamDefinition, entity: EntityDefinition)] {
        streams.flatMap { stream in
            ([stream.entity] + NestedTree.entities(of: stream, in: pipeline).sorted()).compactMap { name in
                pipeline.entity(named: name).map { (stream: stream, entity: $0) }
            }
        }
    }

    /// Whether several of the run's streams fill one table.
    var sharesTables: Bool {
        let tables = streamEntities.map { $0.entity.table.lowercased() }
        return Set(tables).count < tables.count
    }

    /// Looks after names that are gone, and makes all tables of the run and those that they refer to, where any refers to another one.
    ///
    /// - Returns: For each stream what had to be changed, and last, without a stream, what its targets needed.
    func prepareTables(in store: any RecordStore) throws -> [(stream: String?, changes: [SchemaChange])] {
        let entities = streamEntities
        var prepared = try changeSchema(in: store)
        // What one stream says may matter to another one that fills the same table, whichever is read first.
        if !sharesTables && entities.allSatisfy(\.entity.references.isEmpty) { return prepared }
        for (stream, entity) in entities {
            let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
            prepared.append((stream.name, try store.prepareTable(schema)))
        }
        // What the run fills itself must be fit to be referred to as well.
        var known: Set<String> = []
        var open = entities.map { (stream: $0.stream, entity: $0.entity) }
        while let (stream, entity) = open.popLast() {
            for reference in entity.references {
                guard known.insert(reference.target).inserted, let target = pipeline.entity(named: reference.target)
                else { continue }
                let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: target)
                prepared.append((nil, try store.prepareTarget(schema)))
                open.append((stream, target))
            }
        }
        return prepared
    }
}
