internal import SluiceModel
package import SluicePipeline

/// Which entities' records belong to records of which others, and where they are kept.
package struct EntityFamilies: Sendable {
    /// One entity.
    package struct Member: Codable, Sendable {
        /// The entity's name.
        let name: String
        /// The table that holds its records.
        let table: String
        /// The names of its key's fields; the first ones are its parent's key.
        let keyNames: [String]
        /// The entity whose records its own belong to; nil where there is none.
        let parent: String?

        /// Makes an entity.
        package init(_ name: String, table: String, key keyNames: [String], parent: String? = nil) {
            (self.name, self.table, self.keyNames, self.parent) = (name, table, keyNames, parent)
        }
    }

    /// The entities by name, each with its place among them.
    private let members: [String: (member: Member, place: Int)]
    /// For each entity that belongs to another one or that others belong to, the entities from the outermost one to it.
    private let lines: [String: [Member]]

    package init(_ members: [Member]) {
        let named = members.enumerated().map { ($1.name, (member: $1, place: $0)) }
        let known = Dictionary(named) { first, _ in first }
        let parents = Set(members.compactMap(\.parent))
        var lines: [String: [Member]] = [:]
        for member in members where member.parent != nil || parents.contains(member.name) {
            var line = [member]
            while let next = line.first?.parent.flatMap({ known[$0]?.member }), line.count < members.count {
                line.insert(next, at: 0)
            }
            lines[member.name] = line
        }
        self.members = known
        self.lines = lines
    }

    /// The families of a pipeline's entities.
    package init(_ pipeline: PipelineDefinition) { self.init(Self.members(of: pipeline)) }

    /// A pipeline's entities.
    static func members(of pipeline: PipelineDefinition) -> [Member] {
        pipeline.entities.map { Member($0.name, table: $0.table, key: $0.primaryKey, parent: $0.parent) }
    }

    /// The table of an entity.
    func table(of entity: String) -> String { members[entity]?.member.table ?? entity }

    /// Whether an entity's records belong to others, or others to them.
    func hasRelatives(_ entity: String) -> Bool { lines[entity] != nil }

    /// Where an entity stands among those of its pipeline.
    func place(of entity: String) -> Int { members[entity]?.place ?? members.count }

    /// The names of the key's fields that tell a record from others of the same parent.
    func ownKeyNames(of entity: String) -> [String] {
        guard let member = members[entity]?.member else { return [] }
        let above = member.parent.flatMap { members[$0]?.member.keyNames.count } ?? 0
        return Array(member.keyNames.dropFirst(above))
    }

    // MARK: Paths

    /// The way to a record from the outermost one that it belongs to.
    ///
    /// - Parameters:
    ///   - entity: The record's entity.
    ///   - key: The values of its key as JSON text; those of the parent's key alone for the list of all its records.
    /// - Returns: The records on the way, it being the last; nil where it belongs to none and none belong to it.
    func path(to entity: String, key: [String]) -> [RecordName]? {
        if let parent = members[entity]?.member.parent, members[parent]?.member.keyNames.count == key.count {
            return path(to: parent, key: key).map { $0 + [RecordName(entity: entity, key: [])] }
        }
        guard let line = lines[entity], line.last?.keyNames.count == key.count else { return nil }
        var path: [RecordName] = []
        var above = 0
        for member in line {
            let end = member.keyNames.count
            guard above <= end, end <= key.count else { return nil }
            path.append(RecordName(entity: member.name, key: key[above..<end].map { ExactText($0) }))
            above = end
        }
        return path
    }

    /// The way to a record of a stream.
    func path(to key: RecordKey, of schema: RecordSchema) -> [RecordName]? {
        guard lines[schema.entity] != nil else { return nil }
        let values = zip(schema.keyFields, key.values).map { FieldJSON.text($1, type: schema.fields[$0].type) }
        return path(to: schema.entity, key: values)
    }

    /// The way to a record whose key is a JSON object.
    func path(to entity: String, keyText: String) -> [RecordName]? {
        guard lines[entity] != nil, let members = ValueText.members(of: keyText) else { return nil }
        return path(to: entity, key: members.map(\.value))
    }
}
