internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceYAML

/// Makes the definitions of the streams, and checks what they refer to.
struct StreamBuilder {
    let root: ConfigNode
    /// The source, or nil where it is not known.
    let source: SourceDefinition?
    let entities: [EntityDefinition]
    /// The streams as they are written, with the keys that are none.
    let written: [ConfigNode]
    let reporter: Reporter

    func build() -> [StreamDefinition] {
        let nodes = root.member("streams")?.elements ?? []
        checkNames(nodes)
        checkEntities(nodes)
        let defaults = root.member("defaults")
        let merged = nodes.filter { $0.members != nil }.map { $0.merged(over: defaults) }
        let streams = merged.map { (node: $0, definition: stream($0)) }
        NestingChecker(root: root, streams: streams, entities: entities, written: written, reporter: reporter).check()
        let spread = SpreadChecker(
            root: root, hasFiles: source?.base.isFile == true,
            hasRedactions: entities.contains(where: \.hasRedactions), reporter: reporter)
        for stream in streams { spread.check(stream.definition, stream.node) }
        return streams.map(\.definition)
    }

    private func checkNames(_ nodes: [ConfigNode]) {
        var known: [String: SourcePlace] = [:]
        for node in nodes.compactMap({ $0.member("name") }) {
            guard let name = node.string else { continue }
            if let first = known[name] {
                let detail = "Another stream is called `\(name)`, at \(first.words(seenFrom: node.start))."
                reporter.report(.duplicateName, detail, at: node.start)
            } else {
                known[name] = node.start
            }
        }
    }

    private func checkEntities(_ nodes: [ConfigNode]) {
        guard let members = root.member("entities")?.members else { return }
        let names = members.map(\.name)
        for stream in nodes {
            guard let node = stream.member("entity"), let entity = node.string, !names.contains(entity) else {
                continue
            }
            reporter.reportUnknownEntity(entity, at: node.start, among: names)
        }
    }

    private func stream(_ node: ConfigNode) -> StreamDefinition {
        let sourceNode = root.member("source")
        var stream = StreamDefinition(
            name: node.member("name")?.string ?? "", entity: node.member("entity")?.string ?? "")
        stream.place = node.start.location
        stream.renamedFrom = node.member("renamed_from")?.string
        stream.path = node.member("path")?.template
        let request = RequestBuilder(source: source, reporter: reporter)
        stream.parameters = RequestBuilder.merge(
            sourceNode?.member("params")?.namedTemplates, node.member("params"), foldsCase: false)
        stream.headers = RequestBuilder.merge(
            sourceNode?.member("headers")?.headers, node.member("headers"), foldsCase: true)
        stream.format = node.member("format")?.choice(StreamDefinition.Format.self) ?? .json
        stream.delimiter = node.member("delimiter")?.choice(StreamDefinition.Delimiter.self)
        stream.records = node.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }
        stream.recordsProgram = node.member("records")?.member("jq")?.string
        stream.entries = node.member("entries")?.string
        request.build(&stream, node)
        let paginator = PaginatorBuilder(
            node: node.member("paginator"), source: source, body: stream.body, format: stream.format,
            reporter: reporter)
        stream.paginator = paginator.build()
        stream.pageLimits = paginator.buildLimits()
        NestingBuilder(root: root, node: node, source: source, entities: entities, reporter: reporter).build(&stream)
        let deletes = DeleteRuleBuilder(node: node.member("delete_missing"), reporter: reporter)
        stream.deleteMissing = deletes.build()
        if stream.entries != nil, stream.format == .jsonl, let entries = node.member("entries") {
            let detail = "`entries` divides one object into records, but a `jsonl` page has an object on each line."
            reporter.report(.conflictingKeys, detail, at: entries.start)
        }
        for key in ["records", "entries"] where stream.format.hasRows {
            guard let value = node.member(key) else { continue }
            let detail = "`\(key)` leads into JSON, but the records of a `\(stream.format.rawValue)` page are its rows."
            reporter.report(.conflictingKeys, detail, at: value.start, help: "Leave `\(key)` out.")
        }
        if stream.format != .csv, let delimiter = node.member("delimiter") {
            let detail = "`delimiter` belongs to `format: csv`, and the pages are `\(stream.format.rawValue)`."
            reporter.report(
                .conflictingKeys, detail, at: delimiter.start, help: "Leave `delimiter` out, or set `format`.")
        }
        if stream.entries != nil, stream.recordsProgram != nil, let entries = node.member("entries") {
            let detail = "`entries` divides the object that a path selects, but `records` is a program."
            let help = "Let the program do it: `to_entries[] | .value + {name: .key}`."
            reporter.report(.conflictingKeys, detail, at: entries.start, help: help)
        }
        buildWriting(&stream, node)
        deletes.check(stream, of: entities.first { $0.name == stream.entity }, hasFiles: source?.base.isFile == true)
        stream.incremental = IncrementalBuilder(
            node: node, stream: stream, entity: entities.first { $0.name == stream.entity },
            hasFiles: source?.base.isFile == true, reporter: reporter
        ).build()
        stream.syncToken = SyncTokenBuilder(
            node: node, stream: stream, hasFiles: source?.base.isFile == true, reporter: reporter
        ).build()
        let asking = ["base_url", "params", "headers"]
        let besides = Self.keysOfMerge + Self.keysOfNames + Self.keysOfWorkers
        stream.requestFingerprint = sourceNode?.fingerprint(of: asking, and: node, besides: besides) ?? ""
        stream.sourceFingerprint =
            sourceNode?.namedFingerprint(of: asking + ["auth"], and: node, besides: besides) ?? ""
        stream.requestValues = sourceNode?.requestValues(of: asking, and: node, besides: besides) ?? []
        stream.earlierRequestFingerprint =
            sourceNode?.fingerprint(of: asking, and: node, besides: Self.keysOfMerge + Self.keysOfWorkers) ?? ""
        stream.content = ContentFingerprint(root: root).definition(of: node)
        stream.contentFingerprint = stream.content.earlier
        let merging = root.members?.map(\.name).filter { !Self.rootKeysOfMapping.contains($0) } ?? []
        // What a secret says shows in no fingerprint.
        let mapping = Self.keysOfMapping.map { node.member($0) } + Self.rootKeysOfMapping.map { root.member($0) }
        if !mapping.contains(where: { $0?.holdsSecret == true }) {
            stream.mappingFingerprint = node.fingerprint(of: Self.keysOfMapping, and: root, besides: merging)
        }
        return stream
    }

    /// The keys that say how a record becomes rows.
    private static let keysOfMapping =
        ["entity", "records", "entries", "filter", "deleted_when", "nested", "format", "delimiter"] + keysOfMerge
    private static let rootKeysOfMapping = ["entities", "merge"]

    /// The keys of a stream that do not say which records its requests bring.
    private static let keysOfMerge = ["delete_missing", "write_mode", "on_duplicate", "schema_contract"]

    /// The keys of a stream that say who makes its requests.
    private static let keysOfWorkers = ["spread"]

    /// The keys of a stream that merely name things.
    private static let keysOfNames = ["name", "renamed_from", "entity"]

    private func buildWriting(_ stream: inout StreamDefinition, _ node: ConfigNode) {
        stream.filter = node.member("filter")?.string
        stream.deletedWhen = node.member("deleted_when")?.string
        stream.writeMode = node.member("write_mode")?.choice(StreamDefinition.WriteMode.self) ?? .merge
        stream.onDuplicate = node.member("on_duplicate")?.choice(StreamDefinition.DuplicateRule.self) ?? .last
        stream.decidesDuplicates = node.member("on_duplicate") != nil
        if let contract = node.member("schema_contract") {
            stream.schemaContract = SchemaContract(
                fields: contract.member("fields")?.choice(SchemaContract.FieldRule.self) ?? .report,
                types: contract.member("types")?.choice(SchemaContract.TypeRule.self) ?? .coerce)
        }
        let entity = root.member("entities")?.member(stream.entity)
        if stream.onDuplicate == .newest, let entity, entity.member("newest") == nil,
            let rule = node.member("on_duplicate")
        {
            reporter.report(
                .missingKey, "`on_duplicate: newest` needs the key `newest` of the entity `\(stream.entity)`.",
                at: rule.start, help: "For example: `newest: {field: updated_at}`")
        }
        buildWriteMode(&stream, node, entity: entity)
    }

    private func buildWriteMode(_ stream: inout StreamDefinition, _ node: ConfigNode, entity: ConfigNode?) {
        switch stream.writeMode {
        case .merge: return
        case .replace:
            let rule = node.member("delete_missing")
            if rule == nil || (rule?.scalar == nil && rule?.member("mode") == nil) { stream.deleteMissing.mode = .hard }
            checkOwners(entity, stream, without: .local, "overwrites what was edited")
        case .append, .insertOnly:
            for key in ["delete_missing", "deleted_when"] {
                guard let value = node.member(key) else { continue }
                if key == "delete_missing", stream.deleteMissing.mode == .ignore { continue }
                let detail =
                    "`write_mode: \(stream.writeMode.rawValue)` never changes an existing row, so it takes no `\(key)`."
                let help = "Leave `\(key)` out, or make it `write_mode: merge`."
                reporter.report(.conflictingKeys, detail, at: value.start, help: help)
            }
            checkOwners(entity, stream, without: .remote, "never changes an existing row")
        }
    }

    /// Each mode but `merge` says itself whose values stand.
    private func checkOwners(
        _ entity: ConfigNode?, _ stream: StreamDefinition, without owner: FieldOwner, _ reason: String
    ) {
        let nodes = [entity] + (entity?.member("fields")?.members ?? []).map(\.value)
        for rule in nodes.compactMap({ $0?.member("owner") }) where rule.choice(FieldOwner.self) == owner {
            let detail =
                "The stream `\(stream.name)` has `write_mode: \(stream.writeMode.rawValue)`, which \(reason), so `owner: \(owner.rawValue)` has no effect."
            let help = "Leave the owner out, or make it `write_mode: merge`."
            reporter.report(.conflictingKeys, detail, at: rule.start, help: help)
        }
    }
}

extension ConfigNode {
    /// A stream over the defaults: its keys win, and mappings of both are merged by key.
    fileprivate func merged(over defaults: ConfigNode?) -> ConfigNode {
        guard var members, let shared = defaults?.members else { return self }
        for member in shared {
            guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                members.append(member)
                continue
            }
            // The keys of a paginator belong to its type, so one of them is not mixed with another.
            if member.name == "paginator" { continue }
            guard let own = members[index].value.members, let others = member.value.members else { continue }
            let missing = others.filter { other in !own.contains { $0.name == other.name } }
            members[index].value.content = .mapping(missing + own)
        }
        return ConfigNode(content: .mapping(members), start: start, end: end)
    }
}
