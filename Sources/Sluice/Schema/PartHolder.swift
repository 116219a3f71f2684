/// Where records by value with `.cascade` stand in their owners: a property of these, or a list.
struct PartHolder {
    /// The model of the owners.
    let owner: ModelDescription
    /// The table of the owners, or of the pairs.
    let table: String
    /// The columns of the owner's key.
    let owners: [String]
    /// The columns of the part's key.
    let parts: [String]

    /// What has the parts of a property of a record; nil where the property leads to no parts.
    init?(_ owner: ModelDescription, field: ModelDescription.Field) {
        guard let reference = field.reference, reference.isPart else { return nil }
        self.owner = owner
        (table, owners, parts) = (owner.table, owner.keyColumns, [field.column])
    }

    /// What has the parts of a list of a record; nil where the list has no parts.
    init?(_ owner: ModelDescription, list index: Int) {
        guard owner.relationships[index].isPart, let target = owner.relationships[index].target?.modelDescription,
            case .table(let table, let owners, let targets, _)? = try? LinkDescription(owner, index, target)
        else { return nil }
        self.owner = owner
        (self.table, self.owners, parts) = (table, owners, targets)
    }

    /// All of them, by the tables of the parts in lower case.
    static func all(of schema: Schema) -> [String: [PartHolder]] {
        var holders: [String: [PartHolder]] = [:]
        func add(_ holder: PartHolder?, _ target: (any PersistentModel.Type)?) {
            guard let holder, let target else { return }
            holders[target.modelDescription.table.lowercased(), default: []].append(holder)
        }
        for model in schema.models {
            let owner = model.modelDescription
            for field in owner.fields { add(PartHolder(owner, field: field), field.reference?.target) }
            for (index, relationship) in owner.relationships.enumerated() {
                add(PartHolder(owner, list: index), relationship.target)
            }
        }
        return holders
    }
}
