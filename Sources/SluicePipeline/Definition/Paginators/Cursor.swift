package import SluiceJSON

extension StreamDefinition {
    /// How one page leads to the next by a value that is sent back.
    package struct Cursor: PaginatorRule {
        /// Where the value stands.
        package enum Origin: String, Sendable, CaseIterable {
            case body, header
            case lastRecord = "last_record"
        }

        /// Where the value stands.
        package var origin = Origin.body
        /// The path to it, in the body or in the last record.
        package var path: JSONPath?
        /// The header that holds it.
        package var header = ""
        /// What takes it: a query parameter, a header, or a path within the body.
        package var parameter = ""
        /// The path to a truth value that says whether there is more; nil where the cursor alone says so.
        package var hasMorePath: JSONPath?

        package var type: String { "cursor" }

        package var keys: [PaginatorKey] {
            var keys: [PaginatorKey] = []
            if origin != .body { keys.append(PaginatorKey("cursor_from", .text(origin.rawValue))) }
            let place = path.map { PaginatorKey.Value.path($0) } ?? .text("$")
            keys.append(PaginatorKey("cursor_path", origin == .header ? .text(header) : place))
            keys.append(PaginatorKey("cursor_param", .text(parameter)))
            if let hasMorePath { keys.append(PaginatorKey("has_more_path", .path(hasMorePath))) }
            return keys
        }

        package var summary: String {
            let place =
                switch origin {
                case .body: path?.text ?? ""
                case .header: "the header \(header)"
                case .lastRecord: "\(path?.text ?? "") of the last record"
                }
            return "cursor, \(place) sent back as \(parameter)"
        }

        package var readsNextPlace: Bool { origin != .header }
        package var causeOfRepetition: String { Self.isIgnored(parameter, "cursor_param") }

        /// Makes a cursor that is to be filled in.
        package init() {}
    }
}
