internal import SluiceJSON

/// Values where no type says what JSON stands for: what a source said of a field before that changed its type.
extension FieldValue {
    /// What JSON stands for by itself: a string its text, a number that number, a truth 0 or 1, and all else of JSON its text.
    ///
    /// - Parameter json: The JSON; what is none stands for its own text.
    package init(untyped json: String) {
        guard let root = try? JSONDocument(json).root else {
            self = .text(Array(json.utf8))
            return
        }
        switch root.kind {
        case .null: self = .null
        case .bool: self = .integer(root.boolean ? 1 : 0)
        case .integer, .number:
            self = Int64(json).map { .integer($0) } ?? Double(json).map { .real($0) } ?? .text(Array(json.utf8))
        case .string: self = .text(Array((root.string ?? json).utf8))
        case .array, .object: self = .text(Array(json.utf8))
        }
    }

    /// The JSON that stands for the value by itself; nil for bytes, which are none. A text that is an object or an array is
    /// taken for one.
    package var untypedJSON: String? {
        switch self {
        case .null: return "null"
        case .integer: return FieldJSON.text(self, type: .int)
        case .real: return FieldJSON.text(self, type: .double)
        case .blob: return nil
        case .text(let bytes):
            if let root = try? JSONDocument(bytes).root, root.kind == .object || root.kind == .array {
                return String(decoding: bytes, as: UTF8.self)
            }
            return FieldJSON.quoted(bytes)
        }
    }
}
