internal import SluiceModel
internal import SluiceSwift

/// Compositions, whose parts have columns of their own.
extension ModelComparison {
    /// A part that has a column.
    private struct Leaf {
        /// The property and those within it.
        let path: String
        let column: String
        /// The type, as it is written.
        let type: String
        let isOptional: Bool
    }

    /// The parts of a composition; nil where no file declares one of the types.
    private func leaves(
        _ type: String, _ path: String, _ column: String, isOptional: Bool = false, within outer: Set<String> = []
    ) -> [Leaf]? {
        let name = SwiftType.wrapped(type).split(separator: ".").last.map(String.init) ?? type
        guard let declaration = compositions[name], !outer.contains(name) else { return nil }
        let isOptional = isOptional || SwiftType.isOptional(type)
        var found: [Leaf] = []
        for part in declaration.parts {
            let (inner, name) = (SwiftType.wrapped(part.type), "\(column)_\(part.name)")
            let leaf = Leaf(
                path: "\(path).\(part.property)", column: name, type: inner,
                isOptional: isOptional || SwiftType.isOptional(part.type))
            if compositions[inner.split(separator: ".").last.map(String.init) ?? inner] == nil {
                found.append(leaf)
                continue
            }
            guard
                let parts = leaves(
                    part.type, leaf.path, name, isOptional: isOptional, within: outer.union([declaration.type]))
            else { return nil }
            found += parts
        }
        return found
    }

    /// Compares the column of a pipeline with the part of a composition that has it.
    ///
    /// - Returns: Whether a composition has it, or may have it.
    mutating func compareParts(_ property: SwiftModel.Property, of model: FoundModel, _ entity: SwiftModel) -> Bool {
        guard let column = property.column?.lowercased() else { return false }
        for composition in model.model.compositions where column.hasPrefix(composition.name.lowercased() + "_") {
            guard let place = model.property(composition.property)?.nameRange.lowerBound else { continue }
            guard let parts = leaves(composition.type, composition.property, composition.name) else {
                add(
                    .compositionField, .note, model, at: place,
                    "The column `\(property.column ?? "")` is not compared: the files do not declare all of `\(composition.type)`.",
                    sources: entity.places(of: property))
                return true
            }
            guard let leaf = parts.first(where: { $0.column.lowercased() == column }) else { continue }
            let name = "`\(model.model.type).\(leaf.path)`"
            if let type = property.fieldType, let misfit = SwiftFieldType.misfit(leaf.type, type) {
                add(
                    .compositionField, .error, model, at: place,
                    "\(name) has the type `\(leaf.type)`, and the pipeline fills its column with the type `\(type.rawValue)`.",
                    help: misfit.help, sources: entity.places(of: property))
            }
            if property.isOptional && !leaf.isOptional {
                add(
                    .compositionField, .error, model, at: place,
                    "The pipeline does not require `\(property.field ?? property.storeName)`, and \(name) takes no null.",
                    help: "Make it optional, or add `required: true` to the field.",
                    sources: entity.places(of: property))
            }
            return true
        }
        return false
    }
}
