/// What the declaration of a model says, as its macro writes it down.
public struct Model<M: PersistentModel>: Sendable {
    private let content: ModelContent

    /// What it says, for all that works with models by their names.
    public var description: ModelDescription { content.description }

    /// Makes a model of the text that the macro writes.
    ///
    /// - Parameters:
    ///   - text: JSON: entity, table, fields and relationships.
    ///   - types: The types of the fields, then those of the relationships; of a transformed field its transform.
    public init(_ text: String, _ types: [Any.Type]) {
        content = ModelContent(ModelDescription(text, types, named: "\(M.self)"))
    }
}

/// What a model is one reference to, which is all that the compiler has to copy in the module of the model.
private final class ModelContent: Sendable {
    let description: ModelDescription

    init(_ description: ModelDescription) { self.description = description }
}

extension PersistentModel {
    /// What the declaration says.
    static var modelDescription: ModelDescription { model.description }
}
