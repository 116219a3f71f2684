internal import SluiceSwift

/// Writes models as Swift.
package struct SwiftModelWriter {
    /// How wide lines are at most, where they can be broken.
    private static let width = 120
    private let models: [SwiftModel]
    private let options: SwiftModelOptions

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - models: All models, since each is written by what it leads to.
    ///   - options: How they are made.
    package init(_ models: [SwiftModel], _ options: SwiftModelOptions) {
        self.models = models
        self.options = options
    }

    private var access: String { options.access == .internal ? "" : "\(options.access.rawValue) " }

    // MARK: Files

    /// The imports that some models need.
    package func imports(of models: [SwiftModel]) -> String {
        let types = models.flatMap(\.properties).map(\.type)
        let needsFoundation = types.contains { SwiftFieldType.ofFoundation.contains($0) }
        return (needsFoundation ? "\(access)import Foundation\n" : "") + "\(access)import Sluice\n"
    }

    /// An empty extension, for what a person adds.
    package func stub(of model: SwiftModel) -> String {
        "\(access)import Sluice\n\n// What is added to `\(model.type)`: this file is written once and then yours.\nextension \(model.type) {\n}\n"
    }

    // MARK: A model

    /// The declaration of a model.
    package func text(of model: SwiftModel) -> String {
        var lines = ["/// A record of the table `\(model.table)`."]
        lines += broken("@PersistentModel", arguments(of: model), before: "", indentation: "")
        lines.append("\(access)struct \(SwiftName.written(model.type)) {")
        for enumeration in model.properties.compactMap(\.enumeration) {
            let isKey = model.identifiers.contains { $0.enumeration == enumeration }
            lines += text(of: enumeration, isKey: isKey)
            lines.append("")
        }
        for property in model.properties { lines += text(of: property, in: model) }
        if options.hasOrigin { lines.append("    \(access)var origin = Origin()") }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    private func arguments(of model: SwiftModel) -> [String] {
        var arguments: [String] = []
        if model.entity != model.type { arguments.append("entity: \(SwiftLiteral.quoted(model.entity))") }
        arguments.append("table: \(SwiftLiteral.quoted(model.table))")
        if model.isIdentifiedByContent { arguments.append("identifier: .content") }
        if !model.unique.isEmpty {
            let groups = model.unique.map { "[\($0.map(SwiftLiteral.quoted).joined(separator: ", "))]" }
            arguments.append("unique: [\(groups.joined(separator: ", "))]")
        }
        if options.names == .snakeCase { arguments.append("names: .snakeCase") }
        arguments += rules(model.rules, of: .model)
        if options.hasInitializer { arguments.append("initializer: true") }
        if !options.hasCounts { arguments.append("counts: false") }
        return arguments
    }

    /// What an attribute says of merging.
    private func rules(_ rules: MergeRules, of place: MergeRule.Place) -> [String] {
        // In the order of the macros' parameters.
        let order: [MergeRule] =
            place == .model
            ? [.onConflict, .newest, .history]
            : [.owner, .onConflict, .compare, .keepBase, .onMissing, .onNull]
        return order.compactMap { rule in rules[rule].map { "\(rule.rawValue): \(rule.argument($0))" } }
    }

    private func text(of enumeration: SwiftModel.Enumeration, isKey: Bool) -> [String] {
        let key = isKey ? "StoredKey, " : ""
        var lines = ["    \(access)enum \(enumeration.name): String, StoredValue, \(key)CaseIterable {"]
        for value in enumeration.cases {
            let raw = value.name == value.value ? "" : " = \(SwiftLiteral.quoted(value.value))"
            lines.append("        case \(SwiftName.written(value.name))\(raw)")
        }
        lines.append("    }")
        return lines
    }

    // MARK: A property

    private func text(of property: SwiftModel.Property, in model: SwiftModel) -> [String] {
        var declaration = "\(access)\(property.isConstant ? "let" : "var") \(SwiftName.written(property.name)): "
        declaration += property.type + (property.isOptional ? "?" : "")
        if let value = property.initialValue, !(value == "nil" && property.isOptional) { declaration += " = \(value)" }
        let attributes = attributes(of: property, in: model)
        if attributes.isEmpty { return ["    \(declaration)"] }
        let line = "    " + (attributes.map(\.text) + [declaration]).joined(separator: " ")
        if line.count <= Self.width { return [line] }
        return attributes.flatMap { broken($0.name, $0.arguments, before: "    ", indentation: "    ") }
            + ["    \(declaration)"]
    }

    /// The attributes of a property.
    package func attributes(of property: SwiftModel.Property, in model: SwiftModel) -> [SwiftAttribute] {
        [attribute(of: property, in: model), relationship(of: property)].compactMap { $0 }
    }

    private func attribute(of property: SwiftModel.Property, in model: SwiftModel) -> SwiftAttribute? {
        let attribute = SwiftAttribute(name: "@Attribute", arguments: attributeArguments(of: property, in: model))
        return attribute.arguments.isEmpty ? nil : attribute
    }

    /// What `@Attribute` says of a property.
    package func attributeArguments(of property: SwiftModel.Property, in model: SwiftModel) -> [String] {
        var arguments: [String] = []
        let isPlainKey = model.identifiers.count == 1 && property.name == "id"
        if property.isIdentifier && !isPlainKey { arguments.append(".identifier") }
        if property.isUnique { arguments.append(".unique") }
        if property.isToMany { return arguments }
        if property.reference == nil, let name = persistentName(of: property) {
            arguments.append("persistentName: \(SwiftLiteral.quoted(name))")
        }
        if let column = property.column, column != usualColumn(of: property) {
            arguments.append("column: \(SwiftLiteral.quoted(column))")
        }
        if let json = property.json, json != SwiftName.storeName(property.name, options.names) {
            arguments.append("json: \(SwiftLiteral.quoted(json))")
        }
        switch property.rule.storage {
        case nil: break
        case .raw: arguments.append("storageMethod: .raw")
        case .codable: arguments.append("storageMethod: .codable")
        case .transformed(let type): arguments.append("storageMethod: .transformed(\(type).self)")
        }
        if property.enumeration != nil, property.isOptional || property.initialValue != nil,
            let policy = options.failurePolicy.argument
        {
            arguments.append(policy)
        }
        arguments += rules(property.rules, of: .attribute)
        return arguments
    }

    /// The name in the store, where it does not follow from the property's.
    private func persistentName(of property: SwiftModel.Property) -> String? {
        property.storeName == SwiftName.storeName(property.name, options.names) ? nil : property.storeName
    }

    /// The column that follows from the name in the store.
    private func usualColumn(of property: SwiftModel.Property) -> String {
        guard let reference = property.reference,
            let key = models.first(where: { $0.type == reference.target })?.identifiers.first
        else { return property.storeName }
        return "\(property.storeName)_\(key.column ?? key.storeName)"
    }

    private func relationship(of property: SwiftModel.Property) -> SwiftAttribute? {
        let arguments = relationshipArguments(of: property)
        return arguments.isEmpty ? nil : SwiftAttribute(name: "@Relationship", arguments: arguments)
    }

    /// What `@Relationship` says of a property; nothing where it leads nowhere.
    package func relationshipArguments(of property: SwiftModel.Property) -> [String] {
        guard let reference = property.reference else { return [] }
        var arguments = persistentName(of: property).map { ["persistentName: \(SwiftLiteral.quoted($0))"] } ?? []
        arguments.append("inverse: \(reference.inverse.map(SwiftLiteral.quoted) ?? ".none")")
        arguments.append("deleteRule: .\(reference.deleteRule)")
        if let via = reference.via { arguments.append("via: \(SwiftLiteral.quoted(via))") }
        return arguments
    }

    /// An attribute on one line, or on several where it is too long.
    private func broken(_ name: String, _ arguments: [String], before: String, indentation: String) -> [String] {
        let line = "\(before)\(SwiftAttribute(name: name, arguments: arguments).text)"
        if line.count <= Self.width { return [line] }
        let list = "\(indentation)    \(arguments.joined(separator: ", "))"
        let lines =
            list.count <= Self.width
            ? [list]
            : arguments.enumerated().map { index, argument in
                "\(indentation)    \(argument)\(index + 1 < arguments.count ? "," : "")"
            }
        return ["\(before)\(name)("] + lines + ["\(indentation))"]
    }
}

/// An attribute as it is written.
package struct SwiftAttribute: Sendable, Hashable {
    /// The name with its sign.
    package let name: String
    /// The arguments with their labels.
    package let arguments: [String]

    /// The attribute on one line.
    package var text: String { arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))" }
}
