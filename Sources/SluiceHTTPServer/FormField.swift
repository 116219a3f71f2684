internal import SluiceDiagnostics

/// A name and a value of a query or a form.
package struct FormField: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The value, empty where none is given.
    package let value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// The fields of `application/x-www-form-urlencoded` text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The fields; nil where one is no UTF-8.
    package static func fields(of text: some Sequence<UInt8>) -> [FormField]? {
        var fields: [FormField] = []
        for part in Array(text).split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentText.text(sides[0], isForm: true)
            let value = sides.count > 1 ? PercentText.text(sides[1], isForm: true) : ""
            guard let name, let value else { return nil }
            fields.append(FormField(name, value))
        }
        return fields
    }
}

extension [FormField] {
    /// The first value of a name.
    package subscript(name: String) -> String? { first { $0.name == name }?.value }

    /// All values of a name.
    package func all(_ name: String) -> [String] { filter { $0.name == name }.map(\.value) }
}
