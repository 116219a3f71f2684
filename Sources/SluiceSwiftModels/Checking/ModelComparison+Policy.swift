internal import SluiceSwift

/// What a stored value means that an enum does not have.
extension ModelComparison {
    /// Compares what an enum's property does with such a value with what the configuration says, else how its file was made.
    mutating func comparePolicy(
        _ model: FoundModel, _ entity: SwiftModel, _ field: ModelDeclaration.Field, _ property: SwiftModel.Property,
        _ written: TypeDeclaration.Property
    ) {
        let said = configuration?.options.saidPolicy
        guard let wanted = said ?? model.options.saidPolicy, property.enumeration != nil, !field.isIdentifier,
            field.reference == nil, field.failurePolicy != wanted.meaning
        else { return }
        // A text is what it is, and what falls back needs something to fall back to.
        let mayFallBack =
            ModelReader.isPlausibleRaw(field.type) && (field.isOptional || field.initialValue != nil)
        if wanted != .throw && !mayFallBack { return }
        let label = SwiftModelOptions.FailurePolicy.label
        let argument = written.attribute("Attribute")?.arguments.first { $0.label == label }
        let source = said == nil ? "its file was generated with" : "the configuration says"
        let key = said == nil ? "--policy " : "policy: "
        add(
            .fieldPolicy, .error, model, at: argument?.range.lowerBound ?? written.nameRange.lowerBound,
            "A value that `\(model.model.type).\(field.property)` cannot have means `.\(field.failurePolicy.rawValue)`, and \(source) `\(key)\(wanted.rawValue)`.",
            edits: ModelEdits(model).set(label, ".\(wanted.meaning.rawValue)", in: "Attribute", of: written),
            sources: entity.places(of: property))
    }
}
