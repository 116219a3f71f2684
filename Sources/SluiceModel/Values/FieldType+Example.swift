extension FieldType {
    /// A value as people write it, in spreadsheets and for options; nil where any text is one, and where the field says which.
    package var example: String? {
        switch self {
        case .string, .enumeration: nil
        case .uuid: "0b9c7e52-6f0a-4c1e-9d57-2f8b1a3c4d5e"
        case .url: "https://example.com/a"
        case .int: "1200"
        case .double, .decimal: "12.75"
        case .bool: "true"
        case .date: "2026-12-24"
        case .datetime: "2026-12-24T10:00:00Z"
        case .json: #"{"a": 1}"#
        case .bytes: "aGVsbG8="
        }
    }

    /// What to write in the place of a value that is none, as a part of a sentence; empty where there is no example.
    package var exampleWords: String { example.map { "; for example `\($0)`" } ?? "" }
}
