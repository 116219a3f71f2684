internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluiceYAML

/// Makes the definition of a file whose values are checked one by one, and checks what they mean together.
///
/// Parts that the checker refused are left at their defaults: the definition is used only if there was no error.
struct PipelineBuilder {
    let root: ConfigNode
    /// The same with the keys that are none.
    let written: ConfigNode
    let file: String
    let reporter: Reporter
    /// Which keys may be used.
    let keys: AvailableKeys

    /// The definition, or nil where a part of it is missing.
    func build() -> PipelineDefinition? {
        let sourceNode = root.member("source")
        let source = sourceNode.flatMap { SourceBuilder(node: $0, file: file, reporter: reporter).build() }
        let entities = buildEntities(hasFiles: source.map(\.base.isFile) ?? false)
        let streams = StreamBuilder(
            root: root, source: source, entities: entities, written: written.member("streams")?.elements ?? [],
            reporter: reporter
        ).build()
        let precedence = PrecedenceBuilder(root: root, reporter: reporter).build()
        SharedTableChecker(root: root, entities: entities, precedence: precedence, reporter: reporter).check()
        warnOfUnusedEntities(entities)
        RenameChecker(root: root, reporter: reporter).check()
        guard let source else { return nil }
        let store = root.member("store")?.scalar
        var definition = PipelineDefinition(
            name: root.member("name")?.string ?? "", description: root.member("description")?.string, file: file,
            store: store.map { resolveStore($0.text.revealed) }, storeIsSecret: store?.text.isSecret ?? false,
            source: source, entities: entities, streams: streams)
        definition.fingerprint = root.without("schedule").without("notify").fingerprint
        definition.schedule = ScheduleBuilder(reporter: reporter).build(root.member("schedule"), of: definition.name)
        definition.notifications = NotificationBuilder(file: file, reporter: reporter).build(root.member("notify"))
        definition.renamedFrom = root.member("renamed_from")?.string
        if let policy = policy { definition.conflictPolicy = policy }
        if let keeping = root.member("merge")?.member("keep_base")?.choice(BaseKeeping.self) {
            definition.keepsBase = keeping
        }
        if let kept = root.member("history")?.member("keep")?.duration { definition.historyKept = kept }
        definition.precedence = precedence
        definition.commit = CommitBuilder(root: root, keys: keys, reporter: reporter)
            .build(source: source, streams: streams)
        return definition
    }

    private var policy: ConflictPolicy? { root.member("merge")?.member("on_conflict")?.choice(ConflictPolicy.self) }

    private func resolveStore(_ url: String) -> String { StorePathText.resolve(url, in: FilePath.folder(of: file)) }

    private func buildEntities(hasFiles: Bool) -> [EntityDefinition] {
        let members = root.member("entities")?.members ?? []
        let streams = root.member("streams")?.elements ?? []
        let roles = ChildRoleFinder(members: members, streams: streams, reporter: reporter).roles
        let drafts = members.map { member in
            let keys = written.member("entities")?.member(member.name)?.members?.map(\.name) ?? []
            let known = SectionSpec.entity.keys.map(\.name)
            return EntityBuilder(
                name: member.name, node: member.value, mark: member.mark, hasFiles: hasFiles, keys: self.keys,
                pipelinePolicy: policy, role: roles[member.name],
                hasMisspeltKey: keys.contains {
                    !known.contains($0) && Suggestion.nearest(to: $0, among: known) == "primary_key"
                }, reporter: reporter
            ).build()
        }
        let entities = RelationBuilder(members: members, roles: roles, reporter: reporter).build(drafts)
        TableChecker(members: members, entities: entities, roles: roles, reporter: reporter).check()
        return entities
    }

    private func warnOfUnusedEntities(_ definitions: [EntityDefinition]) {
        let entities = root.member("entities")?.members ?? []
        let nodes = root.member("streams")?.elements ?? []
        var used = Set(nodes.compactMap { $0.member("entity")?.string })
        for stream in written.member("streams")?.elements ?? [] {
            used.formUnion((stream.member("nested")?.elements ?? []).entityNames("entity"))
        }
        for entity in entities {
            used.formUnion((entity.value.member("children")?.members ?? []).map(\.value).entityNames("entity"))
        }
        let filled = used
        for entity in entities {
            let fields = (entity.value.member("fields")?.members ?? []).map(\.value)
            used.formUnion(fields.entityNames("ref") + fields.entityNames("refs"))
        }
        // A stream whose entity is not known may have been meant for any of them.
        let isKnown = nodes.allSatisfy { node in
            entities.contains { $0.name == node.member("entity")?.string }
        }
        guard isKnown, !nodes.isEmpty else { return }
        UnfilledTargetChecker(members: entities, entities: definitions, filled: filled, reporter: reporter).check()
        // A file that several pipelines include holds more than each of them needs.
        for member in entities where member.mark.file === root.start.file && !used.contains(member.name) {
            reporter.report(
                .unusedEntity, "No stream has records of the entity `\(member.name)`.", at: member.mark,
                help: "Add a stream with `entity: \(member.name)`, or leave the entity out.")
        }
    }
}

extension [ConfigNode] {
    /// The entities that a key names.
    fileprivate func entityNames(_ key: String) -> [String] { compactMap { $0.member(key)?.string } }
}

extension SourceDefinition.Base {
    /// Whether it is on this machine.
    var isFile: Bool {
        if case .file = self { return true }
        return false
    }
}
