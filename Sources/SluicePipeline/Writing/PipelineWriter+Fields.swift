internal import SluiceJSON
internal import SluiceModel

extension PipelineWriter {
    /// What a field is on one line: its type where that says all.
    static func field(_ field: FieldDefinition, of entity: EntityDefinition) -> String {
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

    private static func path(of field: FieldDefinition) -> JSONPath? {
        switch field.origin {
        case .path(let path), .reference(let path, _): path
        default: nil
        }
    }
}
