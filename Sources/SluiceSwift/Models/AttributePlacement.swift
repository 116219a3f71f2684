/// Where the attributes of properties say something: at stored properties of the structs whose macros read them.
package enum AttributePlacement {
    /// The attributes of properties, each with that of the structs that it is for.
    private static let structs = [
        "Attribute": "PersistentModel", "Relationship": "PersistentModel", "Ignore": "PersistentModel",
        "CompositionField": "Composition",
    ]

    /// What to take in structs with an attribute.
    private static let remedies = [
        "PersistentModel": "@Attribute(persistentName:) gives a property of a model another name",
        "Composition": "@CompositionField gives a part another name",
    ]

    /// Whether an attribute is one of properties in structs of another kind.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - macro: The attribute of the struct.
    /// - Returns: False for what is none of these attributes.
    static func isElsewhere(_ name: String, than macro: String) -> Bool { structs[name].map { $0 != macro } ?? false }

    /// What is wrong with the attributes of a struct's properties.
    ///
    /// - Parameters:
    ///   - declaration: The struct.
    ///   - macro: Its attribute.
    /// - Returns: Problems in the order of the source; each edit leaves the attribute out.
    static func problems(in declaration: TypeDeclaration, of macro: String) -> [SourceProblem] {
        declaration.properties.flatMap { property in
            property.attributes.indices.compactMap { index in
                guard let reason = reason(property, index, macro) else { return nil }
                let range = property.attributes[index].range
                return SourceProblem(
                    reason, at: range.lowerBound,
                    fixIt: .init(message: "leave out the attribute", range: range, text: ""))
            }
        }
    }

    private static func reason(_ property: TypeDeclaration.Property, _ index: Int, _ macro: String) -> String? {
        let name = property.attributes[index].name
        guard let owner = structs[name] else { return nil }
        if owner != macro {
            return "@\(name) is for properties of structs with @\(owner); \(remedies[macro] ?? "")"
        }
        if property.isStatic { return "@\(name) is for stored properties; `\(property.name)` belongs to the type" }
        if property.isComputed { return "@\(name) is for stored properties; `\(property.name)` is computed" }
        if property.attributes[..<index].contains(where: { $0.name == name }) {
            return "@\(name) stands at `\(property.name)` already; put into it what this one says"
        }
        if name != "Ignore" && property.attribute("Ignore") != nil {
            return "@\(name): `\(property.name)` has @Ignore, so nothing of it is stored"
        }
        return nil
    }

    /// What is wrong with an attribute that no struct around it reads.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - source: The declaration that it stands at.
    ///   - outer: The declaration around it, without what stands in it; nil where there is none.
    /// - Returns: Nil where a struct reads it, and says itself what is wrong.
    package static func problem(_ name: String, at source: [UInt8], within outer: [UInt8]?) -> SourceProblem? {
        guard let owner = structs[name] else { return nil }
        let prefix = Array("struct S {\n".utf8)
        let property = DeclarationReader.read(prefix + source + Array("\n}".utf8)).properties.first
        let attributes = outer.map { DeclarationReader.read($0).attributes.map(\.name) } ?? []
        let isRead = attributes.contains { structs.values.contains($0) }
        if isRead && property != nil { return nil }
        let blanks = source.prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.count
        return SourceProblem(
            isRead
                ? "@\(name) is for stored properties" : "@\(name) is for properties of structs with @\(owner)",
            at: property?.attribute(name).map { $0.range.lowerBound - prefix.count } ?? blanks)
    }
}
