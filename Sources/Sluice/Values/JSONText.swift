internal import SluiceJSON

/// Any JSON value, as the text that the store keeps.
///
/// The text is kept as it is: two are equal if their bytes are.
public struct JSONText: Hashable, Sendable {
    /// The JSON.
    public let text: String

    /// Takes a text; nil where it is no JSON.
    public init?(_ text: String) {
        guard (try? JSONDocument(text)) != nil else { return nil }
        self.text = text
    }

    init(stored text: String) { self.text = text }
}

extension JSONText: StoredValue {
    /// Any JSON value.
    public static var storedType: StoredType { .json }

    /// The text of a column; it is not parsed.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> JSONText {
        guard case .text(let text) = column.value else { throw column.mismatch("JSON") }
        return JSONText(stored: text)
    }

    /// The text.
    public func boxed() throws(BoxError) -> BoxedValue { .text(text) }
}
