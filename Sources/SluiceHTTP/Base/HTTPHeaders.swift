/// The header fields of a response, in the order received.
package struct HTTPHeaders: Sendable, Hashable {
    /// Every field, repeated ones included.
    package internal(set) var fields: [HTTPField]

    /// Makes a list of fields.
    package init(_ fields: [HTTPField] = []) {
        self.fields = fields
    }

    /// The value of the first field with that name, in any case, or nil where there is none.
    package func first(_ name: String) -> String? {
        fields.first { $0.isNamed(name) }?.value
    }

    /// The values of all fields with that name, in any case, in the order received.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }
}
