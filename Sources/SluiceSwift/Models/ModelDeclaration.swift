/// A struct that is a model, as its declaration says.
package struct ModelDeclaration: Sendable {
    /// How a property is stored.
    package enum Storage: Sendable, Hashable {
        /// As its type says.
        case value
        /// As its raw value.
        case raw
        /// As JSON.
        case codable
        /// As a transform says, which is the name of a type.
        case transformed(String)
    }

    /// What an unreadable value means.
    package enum FailurePolicy: String, Sendable {
        case `throw`
        case fallbackToDefaultValue
        case debugAssertNil
    }

    /// What a value has to be.
    package enum Check: Sendable, Hashable {
        /// A number within bounds.
        case range(CheckBounds)
        /// As many characters or bytes.
        case length(CheckBounds)
        /// A text that matches a pattern as a whole.
        case pattern(String)
        /// One of some texts.
        case texts([String])
        /// One of some numbers.
        case numbers([String])
    }

    /// Where JSON has a value.
    package enum JSONPlace: Sendable, Hashable {
        /// Under a key.
        case key(String)
        /// At a path.
        case path(String)
    }

    /// What tells records apart.
    package enum Identification: String, Sendable {
        /// Properties.
        case property
        /// All values together.
        case content
        /// Nothing.
        case none
    }

    /// A property with a column of its own.
    package struct Field: Sendable {
        /// The property's name.
        package let property: String
        /// The type, as it is written or inferred of a literal.
        package let type: String
        /// The name in the store.
        package let name: String
        /// The name that it had in the store before; nil where it was not renamed.
        package let formerName: String?
        /// The column, nil for the name.
        package let column: String?
        /// Where a source's JSON has the value; nil where it has none.
        package let json: JSONPlace?
        /// The property's access level, or empty.
        package let access: String
        /// The initial value, as it is written.
        package let initialValue: String?
        package let storage: Storage
        package let failurePolicy: FailurePolicy
        package let isConstant: Bool
        package internal(set) var isIdentifier: Bool
        /// Whether the store gives it.
        package let isGenerated: Bool
        package let isUnique: Bool
        /// Whether its column has an index.
        package let isIndexed: Bool
        /// How it is merged, as far as the declaration says it.
        package internal(set) var rules: MergeRules
        /// What its values have to be.
        package let checks: [Check]
        /// What it leads to; nil for a value.
        package let reference: Relationship?

        /// Whether the source alone may change it.
        package var isOwnedBySource: Bool { rules[.owner] == "remote" }

        /// Whether it may be without a value.
        package var isOptional: Bool { SwiftType.isOptional(type) }
        /// Whether a row without a value can be read.
        package var takesNull: Bool { isOptional || failurePolicy != .throw }

        /// Whether its initial value stands in for one that a source's record lacks: a literal, or a member of its type such
        /// as `.open`. What a call makes, such as `UUID()`, is not the same for all records.
        package var hasDefault: Bool {
            guard let initialValue, initialValue != "nil", !isIdentifier, reference == nil else { return false }
            if SwiftLiteral.type(of: initialValue) != nil || ["[]", "[:]"].contains(initialValue) { return true }
            return initialValue.hasPrefix(".") && !initialValue.contains("(")
        }
    }

    /// A property whose parts have columns of their own.
    package struct Composition: Sendable {
        /// The property's name.
        package let property: String
        /// The type, as it is written.
        package let type: String
        /// The name in the store, with which those of its parts begin.
        package let name: String
        /// The name that it had in the store before; nil where it was not renamed.
        package let formerName: String?
        /// Where a source's JSON has it; nil where it has none.
        package let json: JSONPlace?
        /// The property's access level, or empty.
        package let access: String
        /// The initial value, as it is written.
        package let initialValue: String?
        /// How its parts are merged, as far as the declaration says it.
        package internal(set) var rules: MergeRules
    }

    /// A property that leads to other records.
    package struct Relationship: Sendable {
        /// The property's name.
        package let property: String
        /// The type, as it is written.
        package let type: String
        /// The model that it leads to, as it is written.
        package let target: String
        /// The name in the store.
        package let name: String
        /// The name that it had in the store before; nil where it was not renamed.
        package let formerName: String?
        /// Where a source's JSON has the keys; nil where it has none.
        package let json: JSONPlace?
        /// The property's access level, or empty.
        package let access: String
        /// The property of the other side; nil where there is none.
        package let inverse: String?
        /// `nullify`, `cascade` or `deny`.
        package let deleteRule: String
        /// The link table; nil where the other side is to-one, or the table is named by the store.
        package let via: String?
        /// How lists of records are merged, as far as the declaration says it.
        package let rules: MergeRules
        /// Whether the property is a constant.
        package let isConstant: Bool
        /// Whether the property is the record itself, or a list of records, which is read and saved with its own.
        package internal(set) var isByValue = false
        /// The type as the store knows it: what leads to the same records by their keys.
        package var leadingType: String {
            guard isByValue else { return type }
            if SwiftType.element(of: type) != nil { return "Sluice.OrderedRefs<\(target)>" }
            return "Sluice.Ref<\(target)>" + (SwiftType.isOptional(type) ? "?" : "")
        }
    }

    /// The type's name.
    package internal(set) var type = ""
    /// The entity's name.
    package internal(set) var entity = ""
    /// The table's name.
    package internal(set) var table = ""
    /// What tells its records apart.
    package internal(set) var identification = Identification.property
    /// What the entity was called before; nil where it was not renamed.
    package internal(set) var formerEntity: String?
    /// What the table was called before; nil where it was not renamed.
    package internal(set) var formerTable: String?
    /// The type's access level, or empty.
    package internal(set) var access = ""
    /// How its records are merged, as far as the declaration says it.
    package internal(set) var rules: MergeRules = [:]
    /// What has a column, in the order of the properties.
    package internal(set) var fields: [Field] = []
    /// What leads to several records, in the order of the properties.
    package internal(set) var relationships: [Relationship] = []
    /// What has a column for each of its parts, in the order of the properties.
    package internal(set) var compositions: [Composition] = []
    /// The stored properties, in the order in which they are declared.
    package internal(set) var properties: [String] = []
    /// Groups of property names whose values together are unique.
    package internal(set) var unique: [[String]] = []
    /// Whether there is a property `origin`.
    package internal(set) var hasOrigin = false
    /// Whether to write an initialiser for all properties.
    package internal(set) var wantsInitializer = false
    /// Whether to write counts of what it leads to.
    package internal(set) var wantsCounts = true
    /// What the author wrote: functions, types, initialisers and properties.
    package internal(set) var members: Set<String> = []
    /// The functions, types and initialisers among them.
    package internal(set) var functions: Set<String> = []
    /// The properties that are not stored.
    package internal(set) var ignored: [TypeDeclaration.Property] = []

    /// What is stored: the properties, their names in the store, and those of before.
    var stored: [(property: String, name: String, formerName: String?)] {
        fields.map { ($0.property, $0.name, $0.formerName) }
            + relationships.map { ($0.property, $0.name, $0.formerName) }
            + compositions.map { ($0.property, $0.name, $0.formerName) }
    }
    /// The fields that identify a record.
    package var identifiers: [Field] { fields.filter(\.isIdentifier) }
}

/// Types, as they are written.
package enum SwiftType {
    /// Whether a type is an optional one.
    package static func isOptional(_ type: String) -> Bool {
        type.hasSuffix("?") || type.hasPrefix("Optional<")
    }

    /// A type without the sign that makes it optional.
    package static func wrapped(_ type: String) -> String {
        if type.hasSuffix("?") { return String(type.dropLast()) }
        if type.hasPrefix("Optional<"), type.hasSuffix(">") { return String(type.dropFirst(9).dropLast()) }
        return type
    }

    /// The type of the elements of a list; nil where the type is another one.
    package static func element(of type: String) -> String? {
        if type.hasPrefix("["), type.hasSuffix("]"), !type.contains(":") { return String(type.dropFirst().dropLast()) }
        return argument(of: type, "Array")
    }

    /// Whether a type is a collection that no column holds: a list of another type than `UInt8` that is stored as it is, a set, or
    /// a dictionary. Of other lists the compiler alone knows what they are of.
    package static func isCollection(_ type: String) -> Bool {
        let type = wrapped(type)
        let plain = type.hasPrefix("Swift.") ? String(type.dropFirst(6)) : type
        if let element = element(of: plain) {
            return element != "UInt8" && (ModelReader.plainTypes.contains(wrapped(element)) || isCollection(element))
        }
        return plain.hasPrefix("[") && plain.hasSuffix("]")
            || ["Set", "Dictionary"].contains { argument(of: plain, $0) != nil }
    }

    /// What a type that leads to several records leads to; nil where the type is another one.
    package static func members(of type: String) -> String? {
        argument(of: type, "Refs") ?? argument(of: type, "OrderedRefs")
    }

    /// The argument of a generic type of a name; nil where the type is another one.
    package static func argument(of type: String, _ name: String) -> String? {
        let plain = type.hasPrefix("Sluice.") ? String(type.dropFirst(7)) : type
        guard plain.hasPrefix(name + "<"), plain.hasSuffix(">") else { return nil }
        return String(plain.dropFirst(name.count + 1).dropLast())
    }
}
