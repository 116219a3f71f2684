internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// Checks what fills one table together: entities must agree about its columns, and streams about who goes first.
struct SharedTableChecker {
    private static let listed = 3
    let root: ConfigNode
    let entities: [EntityDefinition]
    /// The sources of `merge.precedence` as `pipeline/stream`.
    let precedence: [String]
    let reporter: Reporter

    func check() {
        checkEntities()
        checkStreams()
    }

    // MARK: Entities

    private func checkEntities() {
        let members = root.member("entities")?.members ?? []
        for (index, entity) in entities.enumerated() {
            guard let other = entities[..<index].first(where: { $0.table.lowercased() == entity.table.lowercased() }),
                let member = members.first(where: { $0.name == entity.name }),
                let (reason, help) = difference(other, entity)
            else { continue }
            reporter.report(
                .sharedTable,
                "The entities `\(other.name)` and `\(entity.name)` have the same table, `\(entity.table)`, but \(reason).",
                at: member.value.member("table")?.start ?? member.mark,
                help: help + " Or give one of them a `table` of its own.")
        }
    }

    /// Why two entities cannot have one table, and what would let them.
    private func difference(_ one: EntityDefinition, _ other: EntityDefinition) -> (reason: String, help: String)? {
        if one.table != other.table {
            return ("spell it differently", "Spell it alike: case makes no difference to the database.")
        }
        if Set(one.keyColumns) != Set(other.keyColumns) {
            return ("other identifiers", "Records of one table need the same `primary_key`.")
        }
        for field in other.fields {
            guard let same = one.fields.first(where: { $0.column.lowercased() == field.column.lowercased() }) else {
                continue
            }
            if same.type != field.type {
                return (
                    "`\(field.column)` is of type `\(same.type.rawValue)` in one and `\(field.type.rawValue)` in the other",
                    "A column has one type."
                )
            }
            if same.redaction != field.redaction {
                return (
                    "`\(field.column)` \(same.redaction.words) in one and \(field.redaction.words) in the other",
                    "Give both the same `redact`: what is in a column is kept in clear by all or by none."
                )
            }
        }
        return nil
    }

    // MARK: Streams

    private func checkStreams() {
        let pipeline = root.member("name")?.string ?? ""
        let nodes = root.member("streams")?.elements ?? []
        let streams = nodes.compactMap { node -> (name: String, entity: EntityDefinition, node: ConfigNode)? in
            guard let name = node.member("name")?.string, let entityNode = node.member("entity"),
                let entity = entities.first(where: { $0.name == entityNode.string })
            else { return nil }
            return (name, entity, entityNode)
        }
        for (index, stream) in streams.enumerated() {
            let isNamed = precedence.contains("\(pipeline)/\(stream.name)")
            let rival = streams[..<index].first { other in
                let isOrdered = isNamed && precedence.contains("\(pipeline)/\(other.name)")
                return !isOrdered && other.name != stream.name && !shared(other.entity, stream.entity).isEmpty
            }
            guard let rival else { continue }
            let fields = shared(rival.entity, stream.entity)
            let rest = fields.count > Self.listed ? " and \(fields.count - Self.listed) more" : ""
            reporter.report(
                .missingPrecedence,
                "The streams `\(rival.name)` and `\(stream.name)` both write \(Array(fields.prefix(Self.listed)).quotedList)\(rest) of the table `\(stream.entity.table)`, and nothing says whose value wins where they disagree.",
                at: stream.node.start, help: remedy(rival.name, stream.name, pipeline))
        }
    }

    private func remedy(_ one: String, _ other: String, _ pipeline: String) -> String {
        let missing = [one, other].filter { !precedence.contains("\(pipeline)/\($0)") }
        if precedence.isEmpty {
            return "Say which goes first: `merge: {precedence: [\(one), \(other)]}`."
        }
        return "Add \(missing.quotedList) to `merge.precedence`, where the first goes first."
    }

    /// The fields of an entity that another one fills as well, but for those of the identifier.
    private func shared(_ one: EntityDefinition, _ other: EntityDefinition) -> [String] {
        guard one.table == other.table else { return [] }
        let columns = Set(one.fields.map { $0.column.lowercased() })
        return other.fields.filter {
            columns.contains($0.column.lowercased()) && !other.primaryKey.contains($0.name)
        }.map(\.name)
    }
}

extension EntityDefinition {
    /// The identifier's columns, in lower case.
    fileprivate var keyColumns: [String] {
        if hasContentKey { return ["_key"] }
        return fields.filter { primaryKey.contains($0.name) }.map { $0.column.lowercased() }
    }
}
