internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore

/// A pipeline that is new to a store in which another one fills the same tables: it may be that one under another name.
extension SyncEngine {
    /// Another pipeline of the store that may be this one under an earlier name.
    private struct Namesake {
        let name: String
        /// Its streams, each with the one of this pipeline that stands for it.
        let streams: [(former: String, stream: StreamDefinition)]
        /// Whether it asked its source for what this one asks for.
        let hasSameSource: Bool

        /// The streams that have another name now.
        var renamed: [(former: String, stream: StreamDefinition)] { streams.filter { $0.former != $0.stream.name } }
    }

    /// The pipelines that may be this one under an earlier name: this one has not run in the store yet, and for each stream of the other
    /// one it has one of that name that fills the same tables, or one that asks its source for the same and fills the same tables or
    /// entities of the same names.
    private func namesakes(in store: any RecordStore) throws -> [Namesake] {
        if fetched != nil { return [] }
        let known = try store.mappings(pipeline: nil, entity: nil)
        let schemas = schemas
        let formers = Set(schemas.flatMap(\.formerSources))
        if known.isEmpty || known.contains(where: { $0.pipeline == pipeline.name || formers.contains($0) }) {
            return []
        }
        var shared: [String: Set<RecordMapping>] = [:]
        for schema in schemas {
            for table in [schema.table, schema.formerly.table].compactMap({ $0 }) {
                shared[schema.stream, default: []].formUnion(try store.sources(of: table))
            }
        }
        return try Set(known.map(\.pipeline)).subtracting(options.companions.names).sorted().compactMap { name in
            // What of it has another name without saying so is told by that name.
            if name == pipeline.renamedFrom { return nil }
            let streams = Dictionary(grouping: known.filter { $0.pipeline == name }, by: \.stream)
            var heirs: [(former: String, stream: StreamDefinition)] = []
            var hasSameSource = true
            for (former, mappings) in streams.sorted(by: { $0.key < $1.key }) {
                let asked = try store.state.value(.request, pipeline: name, stream: former)
                func asksTheSame(_ stream: StreamDefinition) -> Bool {
                    asked.map { definition(of: stream).isSame(as: $0) } ?? false
                }
                func fills(_ stream: StreamDefinition, orEntitiesOf entities: Set<String> = []) -> Bool {
                    mappings.allSatisfy { shared[stream.name]?.contains($0) ?? false || entities.contains($0.entity) }
                }
                let heir =
                    pipeline.streams.first { $0.name == former && fills($0) }
                    ?? pipeline.streams.first { stream in
                        let own = Set(
                            schemas.filter { $0.stream == stream.name }.flatMap {
                                [$0.entity, $0.formerly.entity].compactMap { $0 }
                            })
                        return asksTheSame(stream) && fills(stream, orEntitiesOf: own)
                    }
                guard let heir else { return nil }
                heirs.append((former, heir))
                hasSameSource = hasSameSource && asksTheSame(heir)
            }
            return Namesake(name: name, streams: heirs, hasSameSource: hasSameSource)
        }
    }

    /// The pipeline of the store that went by the name of this one before, whatever it fills by now; nil where there is none, and
    /// where this one is known there by itself.
    private func heir(in store: any RecordStore) throws -> String? {
        if fetched != nil || options.allowsDrops { return nil }
        let known = try store.mappings(pipeline: nil, entity: nil)
        let formers = Set(schemas.flatMap(\.formerSources))
        if known.contains(where: { $0.pipeline == pipeline.name || formers.contains($0) }) { return nil }
        return try Set(known.map(\.pipeline)).sorted().first { name in
            try store.state.value(.formerName(pipeline.name), pipeline: name, stream: "") != nil
        }
    }

    /// Whether a run under the new name is refused: it is the same source, and what people changed would be forgotten.
    private func isRefused(_ other: Namesake, in store: any RecordStore) throws -> Bool {
        if options.allowsDrops || !other.hasSameSource { return false }
        // Rows that people added are nothing that a source said, and stay what they are.
        let edits = try EditReader(store: store).counts(pipelines: [other.name], entity: nil)
        return edits.rows > 0 || edits.deleted > 0
    }

    /// Why the pipeline may not run under its name.
    ///
    /// - Returns: A refusal with both ways out for each pipeline that is this one in all but its name and whose rows people
    ///   changed.
    /// - Throws: `StoreError`.
    func refusalsOfNewName(in store: any RecordStore) throws -> [StoreError] {
        let way = "run once with `--allow-schema drop`"
        if let name = try heir(in: store) {
            return [
                StoreError(
                    .orphaned,
                    "The pipeline `\(pipeline.name)` goes on as `\(name)` in this store (`renamed_from`), so it is run by that name. If another one is meant, give it another name, or \(way): `\(name)` then stays as it is, as another source.",
                    about: PipelineKey(.missing, of: ""))
            ]
        }
        return try namesakes(in: store).filter { try isRefused($0, in: store) }.map { other in
            let name = other.name
            return StoreError(
                .orphaned,
                "The pipeline `\(pipeline.name)` is new to this store. It asks its source for what `\(name)` asked, and people changed rows that `\(name)` filled. If `\(name)` is its earlier name, add `renamed_from: \(name)`\(Self.keys(of: other.renamed)). If both are meant, \(way): `\(name)` then stays as it is, as another source of the same tables.",
                about: PipelineKey(.missing, of: ""))
        }
    }

    /// What streams that have other names now say of that, behind what the pipeline says.
    private static func keys(of renamed: [(former: String, stream: StreamDefinition)]) -> String {
        renamed.map { ", and to the stream `\($0.stream.name)` `renamed_from: \($0.former)`" }.joined()
    }

    /// What is said, and not refused, of a pipeline that may be new: it may as well be a second source of the same tables,
    /// such as another account.
    ///
    /// - Returns: A warning for each other pipeline that it may be.
    /// - Throws: `StoreError`.
    func warningsOfNewName(in store: any RecordStore) throws -> [RunProblem] {
        if try heir(in: store) != nil { return [] }
        return try warningsOfPrecedence(in: store)
            + namesakes(in: store).filter { try !isRefused($0, in: store) }.map { other in
                let name = other.name
                return RunProblem(
                    code: "pipeline_new_name", severity: .warning,
                    message:
                        "The pipeline `\(pipeline.name)` is new to this store, and `\(name)` \(other.renamed.isEmpty ? "fills the same tables from streams of the same names" : "asked its source for the same"). If `\(name)` is its earlier name, add `renamed_from: \(name)`\(Self.keys(of: other.renamed)) before it runs, or undo its run and add it then: else `\(name)` counts as another source that still has its records, so none of them is ever gone. If both are meant, nothing has to be done."
                )
            }
    }

    /// What is said of sources that the pipeline orders and that have another name now.
    private func warningsOfPrecedence(in store: any RecordStore) throws -> [RunProblem] {
        let names = try store.namesOfNow(pipeline.precedence, in: pipeline.name)
        return zip(pipeline.precedence, names).filter(!=).map { former, name in
            RunProblem(
                code: "source_renamed", severity: .warning,
                message:
                    "`merge.precedence` names `\(former)`, which is called `\(name)` in this store now (`renamed_from`). It keeps its place; write `\(name)`."
            )
        }
    }

    /// Streams of one entity that ask for what another one of them asked for, under whose name they would go on with what that one
    /// said.
    ///
    /// - Returns: A refusal of each pair, where people changed what they fill.
    /// - Throws: `StoreError`.
    func refusalsOfExchangedStreams(in store: any RecordStore) throws -> [StoreError] {
        if fetched != nil || options.allowsDrops { return [] }
        let name = try takesOverName(in: store) ? pipeline.renamedFrom ?? pipeline.name : pipeline.name
        func asked(_ stream: String, of pipeline: String) throws -> String? {
            try store.state.value(.request, pipeline: pipeline, stream: stream)
        }
        let moved = try pipeline.streams.compactMap { stream in
            try asked(stream.name, of: name).map { (stream, $0) }
        }.filter { !definition(of: $0).isSame(as: $1) }
        if moved.isEmpty { return [] }
        let tables = Dictionary(schemas.map { ($0.stream, $0.table) }) { first, _ in first }
        var told: Set<Set<String>> = []
        return try moved.compactMap { stream, _ -> StoreError? in
            let now = definition(of: stream)
            let own = moved.first { other, asked in
                other.name != stream.name && other.entity == stream.entity && now.isSame(as: asked)
            }?.0.name
            let others = try tables[stream.name].map { try store.sources(of: $0) } ?? []
            let other = try others.first { other in
                try other.pipeline != name && asked(other.stream, of: other.pipeline).map(now.isSame) ?? false
            }
            guard let former = own ?? other?.path, told.insert([stream.name, former]).inserted else { return nil }
            let reader = EditReader(store: store)
            let entities = [stream.entity] + NestedTree.entities(of: stream, in: pipeline).sorted()
            let isEdited = try entities.contains { entity in
                let edits = try reader.counts(pipelines: [name], entity: entity)
                return edits.rows + edits.deleted > 0
            }
            if !isEdited { return nil }
            return StoreError(
                .orphaned,
                "The stream `\(stream.name)` asks for what `\(former)` asked for before. If the names of two \(own == nil ? "pipelines" : "streams") were exchanged or moved on, do it in two runs: give each of the two a name that none had, with `renamed_from`, run, and then the name that is meant, with `renamed_from` once more. If what they ask for is meant to be so, run once with `--allow-schema drop`: what people changed is then compared with what the other one says.",
                about: PipelineKey(.stream(stream.name), of: stream.entity))
        }
    }

    /// What a stream asks its source for, as a store keeps it; where files are read, with their folder.
    private func definition(of stream: StreamDefinition) -> ShareDefinition {
        var fingerprint = stream.sourceFingerprint
        if case .file(let path) = pipeline.source.base {
            let digest = SHA256.hexadecimal(of: Array("\(fingerprint) \(path)".utf8))
            fingerprint = String(decoding: digest.prefix(32), as: UTF8.self)
        }
        return ShareDefinition(fingerprint: fingerprint, values: stream.requestValues.map(\.revealed))
    }

    /// Remembers what a stream asks its source for.
    ///
    /// - Throws: `StoreError`.
    func keepRequest(of stream: StreamDefinition, in store: any RecordStore) throws {
        if stream.sourceFingerprint.isEmpty || fetched != nil { return }
        let definition = definition(of: stream)
        let kept = try store.state.value(.request, pipeline: pipeline.name, stream: stream.name)
        if let kept, definition.isSame(as: kept) { return }
        try store.state.set(.request, to: definition.sealed, pipeline: pipeline.name, stream: stream.name)
    }

    /// Whether the pipeline is about to take over what the store has of its former name.
    func takesOverName(in store: any RecordStore) throws -> Bool {
        guard let former = pipeline.renamedFrom else { return false }
        return try store.mappings(pipeline: pipeline.name, entity: nil).isEmpty
            && !store.mappings(pipeline: former, entity: nil).isEmpty
    }

    /// The last run of the former name, as long as that is to be taken over: what was read before it is older than what it kept.
    func lastRunOfFormerName() throws -> Int64? {
        guard let former = pipeline.renamedFrom, let store = try storeToRead(), try takesOverName(in: store) else {
            return nil
        }
        return try store.runs.list(pipeline: former, limit: 1, among: .all).first?.id
    }

    /// Remembers the former name of the pipeline, by which it is not to begin anew.
    ///
    /// - Throws: `StoreError`.
    func keepFormerName(in store: any RecordStore) throws {
        guard let former = pipeline.renamedFrom else { return }
        try store.state.set(.formerName(former), to: "1", pipeline: pipeline.name, stream: "")
    }
}
