/// What the declaration of a model says, as its macro writes it down.
public struct Model<M: PersistentModel>: Sendable {
    /// What it says, for all that works with models by their names.
    public let description: ModelDescription

    /// Makes a model of the text that the macro writes.
    ///
    /// - Parameters:
    ///   - text: JSON: entity, table, fields and relationships.
    ///   - types: The types of the fields, then those of the relationships; of a transformed field its transform.
    public init(_ text: String, _ types: [Any.Type]) {
        description = ModelDescription(text, types, named: "\(M.self)")
    }
}

extension PersistentModel {
    /// What the declaration says.
    static var modelDescription: ModelDescription { model.description }
}
