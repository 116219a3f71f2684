/// A struct whose parts have columns of their own within a model's table.
package struct CompositionDeclaration: Sendable {
    /// A part.
    package struct Part: Sendable {
        /// The property's name.
        package let property: String
        /// The type, as it is written or inferred of a literal.
        package let type: String
        /// The name in the store.
        package let name: String
        /// The key in JSON; nil where it has none.
        package let key: String?
        /// The property's access level, or empty.
        package let access: String
    }

    /// The type's name.
    package internal(set) var type = ""
    /// The type's access level, or empty.
    package internal(set) var access = ""
    /// Its parts in their order.
    package internal(set) var parts: [Part] = []
}

/// Makes a composition of a struct's declaration, or says what keeps it from being one.
package struct CompositionReader {
    private let declaration: TypeDeclaration
    private var composition = CompositionDeclaration()
    private var problems: [SourceProblem] = []
    private var isSnakeCase = false

    /// Reads a composition.
    ///
    /// - Parameter declaration: The declaration of a type with the attribute `@Composition`.
    /// - Returns: The composition, and all that is wrong with it.
    package static func read(
        _ declaration: TypeDeclaration
    ) -> (composition: CompositionDeclaration, problems: [SourceProblem]) {
        var reader = CompositionReader(declaration: declaration)
        reader.read()
        return (reader.composition, reader.problems)
    }

    private init(declaration: TypeDeclaration) { self.declaration = declaration }

    private mutating func complain(_ message: String, at offset: Int, fixIt: SourceProblem.FixIt? = nil) {
        problems.append(SourceProblem(message, at: offset, fixIt: fixIt))
    }

    private mutating func read() {
        let place = declaration.nameRange.lowerBound
        guard declaration.keyword == "struct" else {
            return complain("@Composition is for structs", at: place)
        }
        if declaration.isGeneric { complain("@Composition: a generic type cannot be a composition", at: place) }
        composition.type = declaration.name
        composition.access = declaration.access
        for argument in declaration.attributes.first(where: { $0.name == "Composition" })?.arguments ?? [] {
            if argument.label == "names" {
                let style = SwiftLiteral.member(argument.text, of: "NameStyle")
                isSnakeCase = style?.name == "snakeCase"
                if !["verbatim", "snakeCase"].contains(style?.name) {
                    complain(
                        "@Composition: `names` is `.verbatim` or `.snakeCase`\(style == nil ? ", as a literal" : "")",
                        at: argument.range.lowerBound)
                }
            } else {
                complain("@Composition has no argument `\(argument.label ?? "")`", at: argument.range.lowerBound)
            }
        }
        problems += AttributePlacement.problems(in: declaration, of: "Composition")
        for property in declaration.storedProperties { read(property) }
        if composition.parts.isEmpty && problems.isEmpty {
            complain("@Composition: `\(declaration.name)` has no stored property", at: place)
        }
        let names = composition.parts.map { $0.name.lowercased() }
        if Set(names).count < names.count {
            complain("@Composition: two properties of `\(declaration.name)` are stored under one name", at: place)
        }
    }

    private mutating func read(_ property: TypeDeclaration.Property) {
        let place = property.nameRange.lowerBound
        if property.attributes.contains(where: { AttributePlacement.isElsewhere($0.name, than: "Composition") }) {
            return
        }
        if property.isOneOfSeveral {
            return complain(
                "@Composition: declare each property on its own", at: place, fixIt: property.splittingFixIt)
        }
        if property.isConstant && property.initialValue != nil {
            return complain("@Composition: a constant with an initial value cannot be read back", at: place)
        }
        guard let type = property.type ?? property.initialValue.flatMap(SwiftLiteral.type) else {
            return complain(
                "@Composition needs the type of `\(property.name)`", at: place,
                fixIt: .init(
                    message: "add a type", range: property.nameRange.upperBound..<property.nameRange.upperBound,
                    text: ": <#Type#>"))
        }
        let plain = isSnakeCase ? SnakeCaseName.of(property.name) : property.name
        var name = plain
        for argument in property.attribute("CompositionField")?.arguments ?? [] {
            guard argument.label == "persistentName", let text = SwiftLiteral.string(argument.text), !text.isEmpty
            else {
                complain("@CompositionField takes `persistentName`, a string literal", at: argument.range.lowerBound)
                continue
            }
            name = text
        }
        let key = declaration.codingKeys.map { $0[property.name] } ?? plain
        composition.parts.append(
            .init(property: property.name, type: type, name: name, key: key, access: property.access))
    }
}
