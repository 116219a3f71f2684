/// Finds what keeps models from being tables.
struct SchemaCheck {
    private(set) var problems: [String] = []

    init(_ models: [ModelDescription]) {
        checkNames(models)
        for model in models { check(model, among: models) }
        checkCycles(models)
    }

    /// Records that are read with others must not lead back to these in the same way.
    private mutating func checkCycles(_ models: [ModelDescription]) {
        var found: Set<String> = []
        func follow(_ model: ModelDescription, _ path: [String], _ entities: [String]) {
            let leading = model.fields.compactMap(\.reference) + model.relationships
            for relationship in leading where relationship.isByValue {
                guard let target = relationship.target?.modelDescription else { continue }
                let path = path + ["\(model.typeName).\(relationship.property)"]
                if let start = entities.firstIndex(of: target.entity) {
                    // The same circle is met from each of its models.
                    let circle = Array(path[start...])
                    if !found.insert(circle.sorted().joined()).inserted { continue }
                    problems.append(
                        "\((circle + [target.typeName]).joined(separator: " → ")) never ends by value; use Ref or Refs for one of them"
                    )
                } else {
                    follow(target, path, entities + [target.entity])
                }
            }
        }
        for model in models { follow(model, [], [model.entity]) }
    }

    private mutating func checkNames(_ models: [ModelDescription]) {
        for (index, model) in models.enumerated() {
            let others = models[..<index]
            if let other = others.first(where: { $0.entity == model.entity }) {
                problems.append("`\(model.typeName)` and `\(other.typeName)` are both the entity `\(model.entity)`")
            } else if let other = others.first(where: { $0.table.lowercased() == model.table.lowercased() }) {
                problems.append("`\(model.typeName)` and `\(other.typeName)` both have the table `\(model.table)`")
            }
            if model.table.lowercased().hasPrefix("_sluice_") || model.table.lowercased().hasPrefix("sqlite_") {
                problems.append("the table name `\(model.table)` of `\(model.typeName)` is reserved")
            }
        }
    }

    private mutating func check(_ model: ModelDescription, among models: [ModelDescription]) {
        guard model.isReadable else {
            problems.append("what the macro wrote of `\(model.typeName)` cannot be read; build the program anew")
            return
        }
        if model.identifiers.isEmpty { problems.append("`\(model.typeName)` has no identifier") }
        var columns: Set<String> = []
        for field in model.fields {
            let name = "`\(model.typeName).\(field.property)`"
            if field.type == nil {
                problems.append("the type of \(name) has no column")
            }
            if !columns.insert(field.column.lowercased()).inserted {
                problems.append("two properties of `\(model.typeName)` have the column `\(field.column)`")
            }
            if !field.isImplied, ["_id", "_key", "_deleted_at", "_deleted_by_run"].contains(field.column.lowercased()) {
                problems.append("the column name `\(field.column)` of \(name) is reserved")
            }
            if field.hasInvalidPath {
                problems.append("the path `json` of \(name) is none; write it as in `author.name`")
            }
            for check in field.checks {
                if let problem = check.problem(with: field.type) { problems.append("\(name): \(problem)") }
            }
            if let problem = field.rules.problem(with: field.type) { problems.append("\(name): \(problem)") }
            if field.isIndexed, let type = field.type, Collations.name(type) != nil {
                problems.append(
                    "\(name) cannot be indexed: a column of the type `\(type.name)` is compared by what its texts mean")
            }
            if field.isIdentifier && field.isOptional && !field.isGenerated {
                problems.append("\(name) identifies records and is optional; only a generated identifier may be")
            }
            if let reference = field.reference { check(reference, of: model, isToOne: true) }
        }
        if let newest = model.fields.first(where: { $0.property == model.rules.newest }),
            ![.datetime, .date, .int].contains(newest.type)
        {
            problems.append(
                "`newest` of `\(model.typeName)` names `\(newest.property)`, which is no `Date`, `Day` or `Int`")
        }
        for (index, relationship) in model.relationships.enumerated() {
            if relationship.hasInvalidPath {
                problems.append(
                    "the path `json` of `\(model.typeName).\(relationship.property)` is none; write it as in `labels[*]`"
                )
            }
            guard check(relationship, of: model, isToOne: false), let target = relationship.target else { continue }
            do throws(SluiceError) {
                let link = try LinkDescription(model, index, target.modelDescription)
                checkOrder(relationship, of: model, link)
                checkTable(relationship, of: model, link, models)
                checkRelease(relationship, of: model, link)
                if case .table = link, target.modelDescription.hasNoIdentifier {
                    problems.append(
                        "`\(model.typeName).\(relationship.property)` leads to `\(target.modelDescription.typeName)`, whose records have no identifier; give these a `Ref` that leads back"
                    )
                }
            } catch {
                problems.append(error.message)
            }
        }
    }

    /// The table of a model may be that of the pairs where it has their columns.
    private mutating func checkTable(
        _ relationship: ModelDescription.Relationship, of model: ModelDescription, _ link: LinkDescription,
        _ models: [ModelDescription]
    ) {
        guard case .table(let table, let owners, let targets, _) = link,
            let other = models.first(where: { $0.table.lowercased() == table.lowercased() })
        else { return }
        let columns = Set(other.fields.map { $0.column.lowercased() })
        if columns.isSuperset(of: (owners + targets).map { $0.lowercased() }) { return }
        problems.append(
            "the pairs of `\(model.typeName).\(relationship.property)` would be in `\(table)`, which is the table of `\(other.typeName)`; name another one with `via:`"
        )
    }

    /// What has to lead somewhere cannot be let go of.
    private mutating func checkRelease(
        _ relationship: ModelDescription.Relationship, of model: ModelDescription, _ link: LinkDescription
    ) {
        guard relationship.deleteRule == .nullify, case .column(let column, let target) = link,
            let back = target.fields.first(where: { $0.column == column }), !back.isOptional
        else { return }
        problems.append(
            "`\(model.typeName).\(relationship.property)` would let go of records that have to have a `\(back.property)`; take `.cascade` or `.deny`, or let `\(target.typeName).\(back.property)` be optional"
        )
    }

    /// An order is kept with the pairs of one side.
    private mutating func checkOrder(
        _ relationship: ModelDescription.Relationship, of model: ModelDescription, _ link: LinkDescription
    ) {
        guard relationship.isOrdered else { return }
        let name = "`\(model.typeName).\(relationship.property)`"
        switch link {
        case .column:
            problems.append(
                "\(name) has an order, and its inverse is a `Ref`, which has no place for it; let the inverse be `Refs` or `.none`"
            )
        case .table(_, _, _, let target):
            let back = relationship.inverse.flatMap { target.relationship(named: $0) }
            if let back, target.relationships[back].isOrdered, model.entity <= target.entity {
                problems.append("\(name) and its inverse both have an order; let one of them be `Refs`")
            }
        }
    }

    @discardableResult
    private mutating func check(
        _ relationship: ModelDescription.Relationship, of model: ModelDescription, isToOne: Bool
    ) -> Bool {
        let name = "`\(model.typeName).\(relationship.property)`"
        guard let target = relationship.target?.modelDescription else {
            problems.append("\(name) leads to no model")
            return false
        }
        if isToOne && target.hasNoIdentifier {
            problems.append("\(name) leads to `\(target.typeName)`, whose records have no identifier")
        }
        if isToOne && target.identifiers.count > 1 {
            problems.append(
                "\(name) leads to `\(target.typeName)`, which several properties identify; one column cannot")
        }
        if isToOne, let identifier = target.identifiers.first, target.fields[identifier].reference != nil {
            problems.append("\(name) leads to `\(target.typeName)`, whose identifier leads to another record")
        }
        guard let inverse = relationship.inverse else { return true }
        let back =
            target.field(named: inverse).map { target.fields[$0].reference }
            ?? target.relationship(named: inverse).map { target.relationships[$0] }
        guard let back = back ?? nil else {
            problems.append(
                "\(name) names `\(inverse)` as its inverse, which is no relationship of `\(target.typeName)`")
            return false
        }
        if back.target?.modelDescription.entity != model.entity {
            problems.append("the inverse `\(target.typeName).\(inverse)` of \(name) leads to another model")
        }
        if let named = back.inverse, named != relationship.property && named != relationship.name {
            problems.append("\(name) and `\(target.typeName).\(inverse)` do not name each other as inverses")
        }
        return true
    }
}
