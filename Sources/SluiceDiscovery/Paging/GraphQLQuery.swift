internal import SluiceDecode

/// A query of GraphQL that a request sends: its cursor is a variable, beside the query and not within it.
struct GraphQLQuery {
    private let text: String

    /// - Parameter places: What a request asks for by name; nil is made where none of it is a query of GraphQL.
    init?(in places: [(name: String, value: String)]) {
        guard let query = places.last(where: { $0.name == "query" })?.value,
            query.contains("{"), query.contains("}")
        else { return nil }
        text = query
    }

    /// The places of the variables that may take a cursor, those that the query asks with behind the last one first.
    var cursorPlaces: [String] {
        let texts = declared.filter { ["String", "ID", "Cursor"].contains($0.type) }.map(\.name)
        let behind = texts.filter { text.contains("after: $\($0)") || text.contains("after:$\($0)") }
        let named = texts.filter { name in
            NameWords.of(name).contains { ["after", "cursor"].contains($0) } && !behind.contains(name)
        }
        return (behind + named).map { "variables.\($0)" }
    }

    /// The variables with their types, as in `query($first: Int, $after: String)`.
    private var declared: [(name: String, type: String)] {
        guard let opening = text.firstIndex(of: "("), text[..<opening].allSatisfy({ $0 != "{" }),
            let closing = text[opening...].firstIndex(of: ")")
        else { return [] }
        return text[opening..<closing].split(separator: "$").dropFirst().compactMap { part in
            let halves = part.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { return nil }
            let type = halves[1].drop { $0.isWhitespace }.prefix { $0.isLetter }
            return (halves[0].filter { !$0.isWhitespace }, String(type))
        }
    }
}
