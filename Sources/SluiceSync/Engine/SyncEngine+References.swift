internal import SluiceMerge
internal import SluicePipeline
internal import SluiceStore

/// What refers to other records needs their tables before any of it is written.
extension SyncEngine {
    /// The entities of the run's streams, and of what stands within their records.
    private var streamEntities: [(stream: StreamDefinition, entity: EntityDefinition)] {
        streams.flatMap { stream in
            ([stream.entity] + PartTree.entities(of: stream, in: pipeline).sorted()).compactMap { name in
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
        var prepared: [(stream: String?, changes: [SchemaChange])] = [
            (nil, try settleNames(in: store) + redactStored(in: store))
        ]
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

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, count in
            "\(values(count, "reference", "references")) of `\(name)` had waited for what is there now."
        }
            + problems(deferred, "dangling", .warning) { name, count in
                "\(values(count, "reference", "references")) of `\(name)` \(count == 1 ? "leads" : "lead") to what is not there. \(count == 1 ? "It is null until that arrives." : "They are null until that arrives.")"
            }
            + problems(cleared, "dangling", .warning) { name, count in
                "\(values(count, "reference", "references")) of `\(name)` \(count == 1 ? "leads" : "lead") to what is not there, and \(count == 1 ? "becomes" : "become") null."
            }
            + problems(stubs, "stubs", .note) { name, count in
                "\(values(count, "row", "rows")) of `\(name)` \(count == 1 ? "was" : "were") made for \(count == 1 ? "a record that is" : "records that are") referred to and not there."
            } + cascades
    }

    /// The rows that no report lists: the database itself deletes them.
    var cascades: [RunProblem] {
        problems(cascaded, "deleted_along", .warning) { name, count in
            "\(values(count, "row", "rows")) of `\(name)` \(count == 1 ? "goes" : "go") along with rows that are deleted, through a foreign key or a trigger of the database. `sluice undo` does not bring \(count == 1 ? "it" : "them") back."
        }
    }

    private func problems(
        _ rows: [String: Rows], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Int) -> String
    ) -> [RunProblem] {
        rows.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }.map { name, rows in
            var problem = RunProblem(code: code, severity: severity, message: words(name, rows.count))
            (problem.entity, problem.keys) = (rows.entity, rows.keys)
            problem.unlisted = rows.keys.isEmpty ? 0 : rows.count - rows.keys.count
            return problem
        }
    }

    private func problems(
        _ counts: [String: Int], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Int) -> String
    ) -> [RunProblem] {
        counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { name, count in
            RunProblem(code: code, severity: severity, message: words(name, count))
        }
    }

    private func values(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}
