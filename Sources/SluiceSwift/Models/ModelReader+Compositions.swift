extension ModelReader {
    /// A property whose parts have columns of their own.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - type: Its type.
    ///   - options: What its attribute says.
    /// - Returns: Nil where it cannot be one.
    mutating func composition(
        _ property: TypeDeclaration.Property, _ type: String, _ options: AttributeOptions
    ) -> ModelDeclaration.Composition? {
        guard let attribute = property.attribute("Attribute") else { return nil }
        let allowed: Set<String?> = ["persistentName", "renamedFrom", "json", "storageMethod", "owner", "onConflict"]
        guard attribute.arguments.allSatisfy({ allowed.contains($0.label) }), property.attribute("Relationship") == nil
        else {
            complain(
                "@Attribute: beside `.composition` it takes `persistentName`, `renamedFrom`, `json`, `owner` and `onConflict`; what is more belongs to the parts",
                at: attribute.range.lowerBound)
            return nil
        }
        if Self.plainTypes.contains(SwiftType.wrapped(type)) {
            complain(
                "@Attribute: `\(type)` is stored as it is; `.composition` is for a struct with @Composition",
                at: attribute.range.lowerBound)
            return nil
        }
        let name = options.name ?? storeName(property.name)
        return ModelDeclaration.Composition(
            property: property.name, type: type, name: name,
            formerName: options.former.flatMap { formerName($0, of: name) }.map(storeName),
            json: json(of: property, options.json), access: property.access, initialValue: property.initialValue,
            rules: options.rules)
    }
}
