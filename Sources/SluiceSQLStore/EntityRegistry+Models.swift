internal import SluiceModel

/// References of programs' models, so that what leads to a record that goes is settled also where no source fills its table, and
/// none is taken away that its model needs.
///
///     kind             name          value
///     model_reference  loans/title   required ⇥ titles ⇥ isbn ⇥ title_isbn ⇥ id ⇥ id
///     model_reference  notes/crate   optional ⇥ boxes ⇥ id ⇥ crate_id ⇥ id ⇥ id
///
/// Behind the rule stand the target's table, its key's columns, the columns that hold the reference, and the columns and fields of
/// the owner's key; several of one kind have a line feed between them.
extension EntityRegistry {
    private static let modelKind = "model_reference"
    private static let required = "required"

    /// Writes the references of a program's model, where they are not known as they are. Those of other programs stay.
    ///
    /// - Parameter schema: What the model's table holds.
    /// - Throws: What the database throws.
    func recordModelReferences(of schema: RecordSchema) throws {
        for reference in schema.references where reference.link == nil {
            let keys = schema.keyFields.map { schema.fields[$0] }
            let parts = [
                [reference.isRequired ? Self.required : "optional"], [reference.target], reference.targetColumns,
                reference.fields.map { schema.fields[$0].column }, keys.map(\.column), keys.map(\.name),
            ]
            try put(Self.modelKind, "\(schema.table)/\(reference.name)", Self.value(parts))
        }
    }

    /// The references that programs' models say, by table and name.
    func modelReferences() throws -> [Reference] {
        var found: [Reference] = []
        for entry in try entries(Self.modelKind) {
            let name = entry.name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let parts = Self.lists(entry.value)
            guard name.count == 2, parts.count == 6, let rule = parts[0].first, let target = parts[1].first else {
                continue
            }
            var reference = Reference(
                mapping: "", table: name[0], keyColumns: parts[4], keyFields: parts[5], name: name[1], rule: .defer,
                target: target, targetColumns: parts[2], columns: parts[3], link: nil)
            reference.isRequired = rule == Self.required && !reference.isInKey
            // What a program renamed since is not there under this name.
            let (own, others) = (try database.columnNames(of: name[0]), try database.columnNames(of: target))
            let isThere =
                (reference.columns + reference.keyColumns).allSatisfy { own.contains($0.lowercased()) }
                && reference.targetColumns.allSatisfy { others.contains($0.lowercased()) }
            if isThere && !reference.isInKey { found.append(reference) }
        }
        return found
    }
}
