package import SluiceJSON
internal import SluiceReport

/// Counts the keys of records that no field takes, also of records that stand within others, and keeps a value of each.
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

    /// Records of one kind: those of the stream, or children within them.
    private struct Level {
        let nodes: [DecodePlan.Node]
        /// Nil where nobody watches their keys.
        let coverage: KeyCoverage?
        /// The way to them from the records above.
        let steps: [JSONPath.Step]
        let children: [Level]

        /// - Parameters:
        ///   - plan: How the records are decoded.
        ///   - part: Which of the parts they are; nil for the stream's own.
        ///   - tree: What stands within the records of the stream.
        ///   - steps: The way to them from the records above.
        init(_ plan: DecodePlan, part: Int?, in tree: NestedTree?, steps: [JSONPath.Step]) {
            (nodes, coverage, self.steps) = (plan.nodes, plan.coverage, steps)
            children = (tree?.branches(below: part) ?? []).compactMap { branch in
                guard branch.field == nil, branch.path.isPlain, let below = tree?.parts[branch.part] else { return nil }
                return Level(
                    below.plan, part: branch.part, in: tree,
                    steps: branch.path.steps + (branch.hasEntries ? [.wildcard] : []))
            }
        }
    }

    private let level: Level
    /// Of a redacted record nobody knows what else must not be seen.
    private let showsValues: Bool
    private var places: [String: Int] = [:]
    /// The keys, in the order in which they were met; as many as a run tells apart.
    package private(set) var keys: [Key] = []
    /// Those of the present record, so that a name that stands in it twice counts once.
    private var met: Set<Int> = []

    /// - Parameter plan: How the records are decoded; it watches for keys.
    package init(_ plan: DecodePlan) {
        level = Level(plan, part: nil, in: plan.parts, steps: [])
        showsValues = plan.redactor == nil
    }

    /// Counts the keys of a record.
    package mutating func add(_ record: JSONValue) {
        guard level.coverage != nil else { return }
        met = []
        add(record, level)
    }

    private mutating func add(_ record: JSONValue, _ level: Level) {
        if let coverage = level.coverage { visit(record, place: 0, level.nodes, coverage) }
        for child in level.children { follow(child.steps[...], from: record, to: child) }
    }

    /// Goes the way to children, and counts their keys.
    private mutating func follow(_ steps: ArraySlice<JSONPath.Step>, from value: JSONValue, to child: Level) {
        guard let step = steps.first else {
            if value.kind == .object { add(value, child) }
            return
        }
        let rest = steps.dropFirst()
        switch (step, value.kind) {
        case (.name(let name), .object):
            let bytes = Array(name.utf8)
            if let member = value.members.first(where: { $0.nameBytes == bytes }) {
                follow(rest, from: member.value, to: child)
            }
        case (.index(let index), .array):
            if let element = value.element(at: index) { follow(rest, from: element, to: child) }
        case (.wildcard, .array):
            for element in value.elements { follow(rest, from: element, to: child) }
        case (.wildcard, .object):
            for member in value.members { follow(rest, from: member.value, to: child) }
        default: break
        }
    }

    private mutating func visit(
        _ value: JSONValue, place: Int, _ nodes: [DecodePlan.Node], _ coverage: KeyCoverage
    ) {
        switch value.kind {
        case .object:
            for member in value.members {
                if let below = nodes[place].names.first(where: { $0.name == member.nameBytes }) {
                    visit(member.value, place: below.child, nodes, coverage)
                } else if coverage.isWatched(place), let path = coverage.path(to: member.nameBytes, in: place) {
                    record(Self.name(of: path), member.value)
                }
            }
        case .array:
            for (index, child) in nodes[place].indexes {
                if let element = value.element(at: index) { visit(element, place: child, nodes, coverage) }
            }
        default: break
        }
    }

    private mutating func record(_ path: String, _ value: JSONValue) {
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
        guard let steps = try? JSONPath(parsing: path).steps else { return false }
        return Self.takes(steps[...], level)
    }

    private static func takes(_ steps: ArraySlice<JSONPath.Step>, _ level: Level) -> Bool {
        let way = level.children.filter {
            !$0.steps.isEmpty && $0.steps.count < steps.count && steps.starts(with: $0.steps)
        }
        if let child = way.max(by: { $0.steps.count < $1.steps.count }) {
            return takes(steps.dropFirst(child.steps.count), child)
        }
        guard let coverage = level.coverage else { return false }
        var place = 0
        for step in steps {
            guard case .name(let name) = step else { return false }
            let bytes = Array(name.utf8)
            if let below = level.nodes[place].names.first(where: { $0.name == bytes }) {
                place = below.child
            } else {
                return !coverage.isWatched(place) || coverage.path(to: bytes, in: place) == nil
            }
        }
        return true
    }
}
