package import SluiceJSON
internal import SluiceReport

/// Counts the keys of records that no field takes, and keeps a value of each.
///
/// Unlike ``FieldFinder``, which only meets them, it looks at every record to its end: it is for a page, not for a run.
package struct KeySurvey {
    /// A key that no field takes.
    package struct Key: Sendable, Equatable {
        /// The path within the record.
        package let path: String
        /// How many records have it.
        package internal(set) var records = 0
        /// The first value that is not null, as JSON; nil where there is none or it must not be shown.
        package internal(set) var sample: [UInt8]?
    }

    private let nodes: [DecodePlan.Node]
    /// Nil where the stream's rule is to ignore such keys.
    private let coverage: KeyCoverage?
    /// Behind a veil nobody knows what else must not be seen.
    private let showsValues: Bool
    private var places: [String: Int] = [:]
    /// The keys, in the order in which they were met; as many as a run tells apart.
    package private(set) var keys: [Key] = []
    /// Those of the present record, so that a name that stands in it twice counts once.
    private var met: Set<Int> = []

    /// - Parameter plan: How the records are decoded; it watches for keys.
    package init(_ plan: DecodePlan) {
        (nodes, coverage, showsValues) = (plan.nodes, plan.coverage, plan.veil == nil)
    }

    /// Counts the keys of a record.
    package mutating func add(_ record: JSONValue) {
        guard let coverage else { return }
        met = []
        visit(record, place: 0, coverage)
    }

    private mutating func visit(_ value: JSONValue, place: Int, _ coverage: KeyCoverage) {
        switch value.kind {
        case .object:
            for member in value.members {
                if let below = nodes[place].names.first(where: { $0.name == member.nameBytes }) {
                    visit(member.value, place: below.child, coverage)
                } else if coverage.isWatched(place), let path = coverage.path(to: member.nameBytes, in: place) {
                    note(Self.name(of: path), member.value)
                }
            }
        case .array:
            for (index, child) in nodes[place].indexes {
                if let element = value.element(at: index) { visit(element, place: child, coverage) }
            }
        default: break
        }
    }

    private mutating func note(_ path: String, _ value: JSONValue) {
        guard let place = places[path] ?? add(path) else { return }
        if met.insert(place).inserted { keys[place].records += 1 }
        if showsValues, keys[place].sample == nil, !value.isNull { keys[place].sample = value.json }
    }

    private mutating func add(_ path: String) -> Int? {
        if keys.count >= UnmappedKeys.counted { return nil }
        keys.append(Key(path: path))
        places[path] = keys.count - 1
        return keys.count - 1
    }

    private static func name(of path: JSONPath) -> String {
        path.text.hasPrefix("$.") ? String(path.text.dropFirst(2)) : path.text
    }

    /// Whether some field takes a key by now that none took when a run met it.
    ///
    /// - Parameter path: The key as a path within the record.
    /// - Returns: Whether one does.
    package func takes(_ path: String) -> Bool {
        guard let coverage, let steps = try? JSONPath(parsing: path).steps else { return false }
        var place = 0
        for step in steps {
            guard case .name(let name) = step else { return false }
            let bytes = Array(name.utf8)
            if let below = nodes[place].names.first(where: { $0.name == bytes }) {
                place = below.child
            } else {
                return !coverage.isWatched(place) || coverage.path(to: bytes, in: place) == nil
            }
        }
        return true
    }
}
