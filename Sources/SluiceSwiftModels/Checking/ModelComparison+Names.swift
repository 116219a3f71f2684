internal import SluiceSwift

/// What an entity is called. What a source says is kept by the pipeline, the stream and this name.
extension ModelComparison {
    /// Compares the name of a model's entity with those that pipelines give the entities of its table.
    mutating func compareNames(_ model: FoundModel, _ entity: SwiftModel) {
        let own = model.model.entity
        var files: [String] = []
        for name in entity.entityNames where !files.contains(name.file) { files.append(name.file) }
        let others = files.filter { file in !entity.entityNames.contains { $0.file == file && $0.name == own } }
        guard let wanted = entity.entityNames.first(where: { others.contains($0.file) })?.name else { return }
        // What one pipeline calls as the model does has another name in the others.
        let isOnlyElsewhere = others.count < files.count
        let edits = isOnlyElsewhere ? [] : renaming(model, wanted)
        add(
            .modelName, .error, model, at: model.place(of: "entity"),
            "`\(model.model.type)` is the model of the entity `\(own)`, and the entity of its table is called `\(wanted)` by the pipeline: what a source says to one is unknown to the other.",
            help: isOnlyElsewhere
                ? "Call the entity `\(own)` in the pipeline too, with `renamed_from: \(wanted)`."
                : "Write `@PersistentModel(entity: \(SwiftLiteral.quoted(wanted)))`, or rename the entity in the pipeline, with `renamed_from: \(wanted)`.",
            edits: edits, sources: others.map { SwiftModel.Place(file: $0, line: nil) })
    }

    /// The edits that give a model's entity another name, and nothing else.
    private func renaming(_ model: FoundModel, _ name: String) -> [SourceEdit] {
        // A model that was renamed says itself how it was called before.
        guard let attribute = model.attribute, !attribute.arguments.contains(where: { $0.label == "renamedFrom" })
        else { return [] }
        let edits = ModelEdits(model)
        let quoted = SwiftLiteral.quoted(name)
        let hasTable = attribute.arguments.contains { $0.label == "table" }
        if hasTable || SnakeCaseName.of(name).lowercased() == model.model.table.lowercased() {
            return edits.set("entity", quoted)
        }
        // The table was called after the entity.
        let table = SwiftLiteral.quoted(model.model.table)
        if attribute.arguments.contains(where: { $0.label == "entity" }) {
            return edits.set("entity", quoted) + edits.set("table", table)
        }
        return edits.set("entity", "\(quoted), table: \(table)")
    }
}
