package import SluiceJSON
package import SluicePipeline

/// Where the records of a document stand.
package struct RecordsPlace: Sendable {
    /// How the document is read.
    package var format: StreamDefinition.Format
    /// What stands between the cells of rows; nil for what the format says.
    package var delimiter: StreamDefinition.Delimiter?
    /// The path to the records; nil for the elements of an array, an object as the one record, or lines.
    package var path: JSONPath?
    /// The key that each member's name becomes, where the records are the members of an object.
    package var entries: String?
    /// What was found there and why it was taken, as the end of a sentence.
    package var reason: String
    /// Other paths that hold objects.
    package var others: [String] = []

    /// The path as it is said.
    package var text: String {
        switch format {
        case .json: path?.text ?? "$"
        case .jsonl: path?.text ?? "each line"
        case .csv, .tsv: "each row"
        }
    }

    /// What to think of records that stand within other records; nil where they do not.
    package var advice: String? {
        guard format == .json, let steps = path?.steps, steps.count(where: { $0 == .wildcard }) > 1 else { return nil }
        return
            "these records stand within others and are unique only together with their keys: `children` of a pipeline makes rows of them"
    }

    /// Whether there may be several records, rather than one.
    package var isList: Bool { format != .json || path?.steps.contains(.wildcard) == true || entries != nil }
}
