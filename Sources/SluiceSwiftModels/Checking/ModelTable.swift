package import SluiceModel
internal import SluiceSwift

/// A model of a Swift file as the table that it stands for: names, columns and types are resolved.
package struct ModelTable: Sendable {
    /// A column, with the property that fills it.
    package struct Column: Sendable {
        package let name: String
        /// The property's name.
        package let property: String
        /// The property's type, as it is written.
        package let swiftType: String
        /// The type of the values; nil where the compiler alone knows it.
        package let type: FieldType?
        /// The position in the key, from 1; nil for other columns.
        package let keyPosition: Int?
        /// Whether it takes no null.
        package let isRequired: Bool
        /// Where a source's JSON has the value; nil where it has none.
        package let json: String?
    }

    /// A property that leads to other records.
    package struct Reference: Sendable {
        /// The property's name.
        package let property: String
        /// The name in the store.
        package let name: String
        /// The column that holds it; nil where another table does.
        package let column: String?
        /// The table that it leads to; the type, where no file has its model.
        package let target: String
        /// The column there; nil where no file has its model, or several columns identify its records.
        package let targetColumn: String?
        /// The table that holds the pairs; nil where none is named.
        package let via: String?
        /// The property on the other side; nil where there is none.
        package let inverse: String?
        /// `nullify`, `cascade` or `deny`.
        package let deleteRule: String
    }

    /// The type's name.
    package let type: String
    /// The entity's name.
    package let entity: String
    package let name: String
    /// The Swift file.
    package let file: String
    /// The line of the type's name.
    package let line: Int
    package let columns: [Column]
    /// Groups of columns whose values together are unique, besides the key.
    package let unique: [[String]]
    package let references: [Reference]

    /// The tables of models, sorted by their names; what cannot be a model is left out.
    package static func all(_ found: [FoundModel]) -> [ModelTable] {
        let models = ModelSet(found)
        return found.filter(\.problems.isEmpty).map { ModelTable($0, in: models) }.sorted {
            ($0.name, $0.file) < ($1.name, $1.file)
        }
    }

    private init(_ found: FoundModel, in models: ModelSet) {
        let model = found.model
        (type, entity, name, file) = (model.type, model.entity, model.table, found.file)
        let offset = min(found.declaration.nameRange.lowerBound, found.source.count)
        line = found.source[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        let keys = model.identifiers.map(\.property)
        columns = model.fields.map { field in
            Column(
                name: models.column(of: field), property: field.property, swiftType: field.type,
                type: models.type(of: field), keyPosition: keys.firstIndex(of: field.property).map { $0 + 1 },
                isRequired: field.isIdentifier || !field.isOptional,
                json: field.json.map { place in
                    switch place {
                    case .key(let text), .path(let text): text
                    }
                })
        }
        let single = model.fields.filter { $0.isUnique && !$0.isIdentifier }.map { [models.column(of: $0)] }
        unique =
            single
            + model.unique.map { group in
                group.compactMap { name in model.fields.first { $0.property == name }.map(models.column(of:)) }
            }
        let toOne: [(ModelDeclaration.Relationship, String?)] = model.fields.compactMap { field in
            field.reference.map { ($0, models.column(of: field)) }
        }
        let toMany: [(ModelDeclaration.Relationship, String?)] = model.relationships.map { ($0, nil) }
        references = (toOne + toMany).map { relationship, column in
            let target = models.model(named: relationship.target)?.model
            let keys = target?.identifiers ?? []
            return Reference(
                property: relationship.property, name: relationship.name, column: column,
                target: target?.table ?? relationship.target,
                targetColumn: column != nil && keys.count == 1 ? keys.first.map(models.column(of:)) : nil,
                via: relationship.via, inverse: relationship.inverse, deleteRule: relationship.deleteRule)
        }
    }
}

/// The models of several files, which are told by what leads to them.
struct ModelSet {
    let models: [FoundModel]

    init(_ models: [FoundModel]) { self.models = models }

    /// The model that a type's name means, whatever stands before it.
    func model(named type: String) -> FoundModel? {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        return models.first { $0.model.type == name }
    }

    /// The column of a property.
    func column(of field: ModelDeclaration.Field) -> String {
        if let column = field.column { return column }
        guard let reference = field.reference else { return field.name }
        guard let key = model(named: reference.target)?.model.identifiers.first else { return field.name + "_id" }
        return "\(field.name)_\(key.column ?? key.name)"
    }

    /// The type of a property's values in the store; nil where the compiler alone knows it.
    func type(of field: ModelDeclaration.Field) -> FieldType? {
        if let reference = field.reference {
            // A key that is a reference itself could lead in a circle.
            guard let key = model(named: reference.target)?.model.identifiers.first, key.reference == nil else {
                return nil
            }
            return type(of: key)
        }
        switch field.storage {
        case .codable: return .json
        case .raw, .transformed: return nil
        case .value: return SwiftFieldType.stored(SwiftType.wrapped(field.type))
        }
    }
}
