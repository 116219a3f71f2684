/// What the declaration of a type says, as far as a model needs it.
package struct TypeDeclaration: Sendable {
    /// An attribute, such as `@Attribute(.unique, persistentName: "label")`.
    package struct Attribute: Sendable {
        /// An argument.
        package struct Argument: Sendable {
            /// Its label, nil where it has none.
            package let label: String?
            /// Its value, as it is written.
            package let text: String
            /// Where the value stands.
            package let range: Range<Int>
            /// Where it begins, with its label.
            package let start: Int
        }

        /// The name, without the modules before it.
        package let name: String
        /// The arguments in their order.
        package let arguments: [Argument]
        /// Where it stands, from its `@` on.
        package let range: Range<Int>
    }

    /// A property.
    package struct Property: Sendable {
        /// The name, without backticks.
        package let name: String
        /// The type, as it is written; nil where it is left to the compiler.
        package internal(set) var type: String?
        /// Where the type stands; nil where it is left to the compiler.
        package internal(set) var typeRange: Range<Int>?
        /// The initial value, as it is written.
        package internal(set) var initialValue: String?
        /// Where the initial value stands; nil where there is none.
        package internal(set) var valueRange: Range<Int>?
        /// What stands before it.
        package let attributes: [Attribute]
        /// Whether it is a constant.
        package let isConstant: Bool
        /// Whether it belongs to the type.
        package let isStatic: Bool
        /// `lazy`, `weak` and the like.
        package let modifiers: [String]
        /// Whether it has no storage.
        package internal(set) var isComputed = false
        /// Where the comma stands before the next one of the same declaration, with the blanks behind it; nil where there is none.
        package internal(set) var separatorRange: Range<Int>?
        /// Whether it is one of several in one declaration.
        package var isOneOfSeveral: Bool { separatorRange != nil }
        /// What stands before the name, as it is written: blanks, attributes, modifiers and the keyword.
        package internal(set) var opening = ""
        /// `public`, `package`, `private` or `fileprivate`, or empty.
        package let access: String
        /// Where `let` or `var` stands.
        package internal(set) var keywordRange = 0..<0
        /// Where the name stands.
        package let nameRange: Range<Int>
        /// Where the declaration stands, from its first attribute on.
        package internal(set) var range: Range<Int>

        /// The attribute of a name, nil where there is none.
        package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
    }

    /// `struct`, `class`, `enum`, `actor` or `protocol`; empty where there is no declaration.
    package internal(set) var keyword = ""
    /// The type's name.
    package internal(set) var name = ""
    /// Where the name stands.
    package internal(set) var nameRange = 0..<0
    /// Whether it has generic parameters.
    package internal(set) var isGeneric = false
    /// `public`, `package`, `private` or `fileprivate`, or empty.
    package internal(set) var access = ""
    /// What stands before it.
    package internal(set) var attributes: [Attribute] = []
    /// Its properties in their order.
    package internal(set) var properties: [Property] = []
    /// The raw values of `enum CodingKeys`, by case; nil where there is no such type.
    package internal(set) var codingKeys: [String: String]?
    /// The names of the functions, types and initialisers that stand in it; an initialiser as `init(label:label:)`.
    package internal(set) var members: Set<String> = []

    /// The properties that keep a value of each instance.
    package var storedProperties: [Property] { properties.filter { !$0.isStatic && !$0.isComputed } }
}
