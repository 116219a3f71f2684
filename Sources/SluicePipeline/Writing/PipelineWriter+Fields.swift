internal import SluiceJSON
internal import SluiceModel

extension PipelineWriter {
    /// What a field is on one line: its type where that says all.
    static func field(_ field: FieldDefinition, of entity: EntityDefinition) -> String {
        if let links = entity.references.first(where: { $0.count == .many && $0.name == field.name }) {
            return self.links(links, of: entity)
        }
        let reference = entity.references.first { $0.count == .one && $0.fields == [field.name] }
        var members = [reference.map { ("ref", $0.target) } ?? ("type", field.type.rawValue)]
        if let path = path(of: field), path.steps != [.name(field.name)] {
            members.insert(("from", scalar(path.text)), at: 0)
        }
        let usualColumn = reference.map { "\(field.name)_\($0.targetKey.first?.column ?? "")" } ?? field.name
        if field.column != usualColumn { members.append(("column", scalar(field.column))) }
        if reference == nil, let format = field.format { members.append(("format", scalar(format))) }
        if field.isRequired && !entity.primaryKey.contains(field.name) { members.append(("required", "true")) }
        if let value = field.defaultJSON { members.append(("default", escapingReferences(value))) }
        if let rule = reference?.onDangling, rule != .defer { members.append(("on_dangling", rule.rawValue)) }
        if reference == nil && members.count == 1 { return field.type.rawValue }
        return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    }

    /// What a reference to several records is on one line, with the names that are not the usual ones.
    private static func links(_ reference: ReferenceDefinition, of entity: EntityDefinition) -> String {
        var members = [("from", scalar(reference.path.text)), ("refs", reference.target)]
        if let link = reference.link {
            let owner = SnakeCase.convert(entity.name)
            let ownKey = entity.primaryKey.compactMap { name in entity.fields.first { $0.name == name }?.column }
            let target = reference.target == entity.name ? reference.name : SnakeCase.convert(reference.target)
            if link.table != "\(entity.table)_\(reference.name)" { members.append(("via", scalar(link.table))) }
            for (key, columns, usual) in [
                ("owner_column", link.ownerColumns, ownKey.map { "\(owner)_\($0)" }),
                ("target_column", link.targetColumns, reference.targetKey.map { "\(target)_\($0.column)" }),
            ] where columns != usual {
                let names = columns.map { scalar($0) }
                members.append((key, names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"))
            }
        }
        if reference.onDangling != .defer { members.append(("on_dangling", reference.onDangling.rawValue)) }
        return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    }

    private static func path(of field: FieldDefinition) -> JSONPath? {
        switch field.origin {
        case .path(let path), .reference(let path, _): path
        default: nil
        }
    }
}
