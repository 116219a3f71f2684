package import SluiceModel

/// A place in the order in which the changes of a run are told.
package enum HistoryPlace: Sendable, Equatable {
    /// A record that the run inserted: what fills its table, and its key as a JSON object.
    case inserted(RecordMapping, key: String)
    /// A change that is kept, by its number.
    case change(Int64)

    /// What stands between the parts of its text: ASCII's unit separator.
    private static let separator: Character = "\u{1F}"
    /// What such a text looks like, or none, as a regular expression.
    package static let pattern = #"^([0-9]{1,18}|[^\x1F]*(\x1F[^\x1F]*){3})?$"#

    /// The place as text, for whoever goes on later.
    package var text: String {
        switch self {
        case .change(let id): String(id)
        case .inserted(let mapping, let key):
            [mapping.pipeline, mapping.stream, mapping.entity, key].joined(separator: String(Self.separator))
        }
    }

    /// Reads such a text; nil where it is none.
    package init?(_ text: String) {
        if let id = Int64(text) {
            self = .change(id)
            return
        }
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { return nil }
        self = .inserted(RecordMapping(pipeline: parts[0], stream: parts[1], entity: parts[2]), key: parts[3])
    }
}
