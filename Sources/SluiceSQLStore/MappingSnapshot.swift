internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// What the store knows of a mapping at a moment: its slots and references, so that it can be so again.
///
///     [["slot","id","0\tid\tint\t0"],["slot","title","1\ttitle\tstring\t"],["reference","author","defer\t…"]]
struct MappingSnapshot: Equatable {
    /// A reference, each part of it a list of words.
    struct Reference: Equatable {
        var name: String
        var parts: [[String]]

        var target: String { parts[1].first ?? "" }
        var targetColumns: [String] { parts[2] }
        var columns: [String] { parts[3] }
        var linkTable: String? { parts[4].first }
        var ownerColumns: [String] { parts[5] }
        var linkedColumns: [String] { parts[6] }
    }

    private var entries: [[String]]

    /// Looks at what is known; nil where there is no such mapping.
    init?(of mapping: RecordMapping, _ database: any SQLDatabase) throws {
        let registry = EntityRegistry(database: database)
        let name = EntityRegistry.name(mapping)
        if try registry.tables(of: name) == nil { return nil }
        entries = try ["slot", "reference"].flatMap { kind in
            try registry.entries(kind, prefix: name + "/").map { entry in
                [kind, String(decoding: entry.name.utf8.dropFirst(name.utf8.count + 1), as: UTF8.self), entry.value]
            }
        }
    }

    /// Reads what was kept; nil where it is none.
    init?(_ text: String) {
        guard let root = try? JSONDocument(text).root, root.kind == .array else { return nil }
        entries = root.elements.map { $0.elements.compactMap(\.string) }
        if entries.contains(where: { $0.count != 3 }) { return nil }
    }

    /// Says what is known.
    init(_ slots: [EntityRegistry.Slot], _ references: [Reference]) {
        entries =
            slots.map { ["slot", $0.field, $0.value] }
            + references.map { ["reference", $0.name, EntityRegistry.value($0.parts)] }
    }

    /// The references.
    var references: [Reference] {
        entries.filter { $0[0] == "reference" }.map { Reference(name: $0[1], parts: EntityRegistry.lists($0[2])) }
            .filter { $0.parts.count == 7 }
    }

    /// What is kept.
    var text: String {
        "[" + entries.map { "[" + $0.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]" }.joined(separator: ",")
            + "]"
    }

    /// The slots, by number; those that only keep their place are not among them.
    var slots: [EntityRegistry.Slot] {
        entries.filter { $0[0] == "slot" }.compactMap { EntityRegistry.Slot(field: $0[1], value: $0[2]) }
            .filter { !$0.isRetired }.sorted { $0.number < $1.number }
    }

    /// The fields of the identifier, in its order.
    var keyFields: [String] { keySlots.map(\.field) }

    /// The slots of the identifier, in its order.
    var keySlots: [EntityRegistry.Slot] {
        slots.filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
    }

    /// The schema that it stands for; nil where the store knows the mapping no more.
    func schema(_ mapping: RecordMapping, _ database: any SQLDatabase) throws -> RecordSchema? {
        let registry = EntityRegistry(database: database)
        guard let tables = try registry.tables(of: EntityRegistry.name(mapping)) else { return nil }
        let slots = slots
        var schema = RecordSchema(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity, table: tables.table,
            fields: slots.map(\.schemaField),
            keyFields: keyFields.compactMap { name in slots.firstIndex { $0.field == name } })
        schema.deletesSoftly = try registry.deletesSoftly(EntityRegistry.name(mapping))
        for entry in entries where entry[0] == "reference" {
            let parts = EntityRegistry.lists(entry[2])
            guard parts.count == 7, let rule = parts[0].first.flatMap(RecordReference.DanglingRule.init),
                let target = parts[1].first
            else { continue }
            let link = parts[4].first.map { RecordLink(table: $0, ownerColumns: parts[5], targetColumns: parts[6]) }
            let fields = parts[3].compactMap { name in
                slots.firstIndex { ColumnName.areSame($0.column, name) }
            }
            schema.references.append(
                RecordReference(
                    name: entry[1], fields: fields, target: target, targetColumns: parts[2], link: link,
                    onDangling: rule))
            if link != nil { for field in fields { schema.fields[field].isLink = true } }
        }
        return schema
    }
}
