/// The access of what a macro writes into a type.
struct MemberAccess {
    /// What is written before members: they have the type's access.
    let text: String
    /// Whether a property without a word of its own is seen by its module alone, while the type is seen by others.
    private let isWiderThanUsual: Bool

    /// - Parameter type: The word before the type; empty where there is none.
    init(of type: String) {
        text = Self.member(type)
        isWiderThanUsual = type == "public" || type == "package"
    }

    /// What is written before the path of a property, which has the property's access.
    ///
    /// - Parameter property: The word before the property; empty where there is none.
    /// - Returns: The word; empty where there is none.
    func of(_ property: String) -> String {
        property.isEmpty ? (isWiderThanUsual ? "" : text) : Self.member(property)
    }

    /// A private member would be seen by its extension alone.
    private static func member(_ word: String) -> String {
        switch word {
        case "": ""
        case "private": "fileprivate "
        default: word + " "
        }
    }
}
