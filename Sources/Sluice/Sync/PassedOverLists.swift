internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport

/// Finds values of a program that hold records which a sync of values does not take, and nobody should believe that it took these too:
/// those of which JSON has no place, those that say themselves which record they belong to, and links of which nothing is said.
struct PassedOverValues {
    /// So many values are looked at.
    private static let mostValues = 100

    private let typeName: String
    /// The properties that may hold records.
    private let candidates: Set<String>
    /// The positions of those of which a sync takes lists.
    private let taken: [String: Int]
    private var found: Set<String> = []
    private var count = 0

    /// Finds out which properties of a model may hold records.
    init(_ model: ModelDescription) {
        typeName = model.typeName
        let records = model.fields.filter { $0.reference?.isByValue == true && $0.json == nil }
        // Of those without keys there is a warning already.
        let lists = model.relationships.filter { $0.reasonWithoutKeys == nil }
        candidates = Set(records.map(\.property) + lists.map(\.property))
        var taken: [String: Int] = [:]
        for (index, relationship) in model.relationships.enumerated() where relationship.json != nil {
            guard let target = relationship.target?.modelDescription,
                case .table? = try? LinkDescription(model, index, target)
            else { continue }
            taken[relationship.property] = index
        }
        self.taken = taken
    }

    /// Looks at a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - said: What is said of it.
    mutating func look(at value: some Any, saying said: SaidProperties) {
        if candidates.isEmpty || count == Self.mostValues { return }
        count += 1
        for child in Mirror(reflecting: value).children {
            guard let name = child.label, candidates.contains(name), !found.contains(name) else { continue }
            if let index = taken[name] {
                guard let links = child.value as? any LinkChanges else { continue }
                if links.isWhole && said.relationships?.contains(index) == true { continue }
            }
            if Self.holdsRecords(child.value) { found.insert(name) }
        }
    }

    private func reason(_ property: String) -> String {
        taken[property] == nil
            ? "JSON has no place for them. Add `json:` to the declaration, sync them by themselves"
            : "values say nothing of links. Name it, as in `Upsert(value, present: .all(with: \\.\(property)))`, merge the JSON with `sync(_:from:)`"
    }

    private static func holdsRecords(_ value: Any) -> Bool {
        if let links = value as? any LinkChanges { return links.hasChanges }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional, .collection: !mirror.children.isEmpty
        default: true
        }
    }

    /// A warning for each property that holds records.
    var problems: [RunProblem] {
        found.sorted().map { property in
            RunProblem(
                code: "list_passed_over", severity: .warning,
                message:
                    "`\(typeName).\(property)` has records, and nothing of them was merged: \(reason(property)), or save the values."
            )
        }
    }
}

/// What leads to several records, and may bring some or take some away.
protocol LinkChanges {
    /// Whether it does.
    var hasChanges: Bool { get }
    /// Whether it leads to these records and to no others.
    var isWhole: Bool { get }
}

extension Refs: LinkChanges {
    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }
    var isWhole: Bool { owner == nil }
}

extension OrderedRefs: LinkChanges {
    var hasChanges: Bool { !changes.isEmpty }
    var isWhole: Bool { owner == nil }
}

/// Finds lists of which JSON cannot tell the records apart: their declarations say where JSON has them, and a sync takes none of them.
struct ListsWithoutKeys {
    /// A warning for each of them, whatever the records have: the declaration promises what nothing keeps.
    let problems: [RunProblem]

    /// Finds those of a model, and of the records by value within it.
    init(_ model: ModelDescription) {
        var problems: [RunProblem] = []
        var seen: Set<String> = []
        func visit(_ model: ModelDescription) {
            if !seen.insert(model.entity).inserted { return }
            for relationship in model.relationships {
                guard let reason = relationship.reasonWithoutKeys else { continue }
                problems.append(
                    RunProblem(
                        code: "list_passed_over", severity: .warning,
                        message:
                            "`\(model.typeName).\(relationship.property)` says where JSON has its records, and a sync takes none of them: \(reason). Let a property that stands in their JSON identify them, or save the values."
                    ))
            }
            for relationship in model.fields.compactMap(\.reference) + model.relationships where relationship.isByValue
            {
                if let target = relationship.target { visit(target.modelDescription) }
            }
        }
        visit(model)
        self.problems = problems
    }
}

extension ModelDescription.Relationship {
    /// Why a list of JSON says nothing of which records it means, of one that the declaration names; nil where it does.
    fileprivate var reasonWithoutKeys: String? {
        guard json != nil, let target = target?.modelDescription, let field = target.identifierOutsideJSON else {
            return nil
        }
        if field.isImplied { return "all values of a `\(target.typeName)` together identify it" }
        return field.reference == nil
            ? "JSON has no place for `\(target.typeName).\(field.property)`, which identifies them"
            : "`\(target.typeName).\(field.property)`, which identifies them, is a reference"
    }
}

extension ModelDescription {
    /// What is part of the identifier and cannot be read where JSON leads to a record: what has no place there, and a reference.
    var identifierOutsideJSON: Field? {
        identifiers.map { fields[$0] }.first { $0.json == nil || $0.reference != nil }
    }
}

/// Finds lists in JSON that have the name of a relationship whose records a sync does not take from there: nobody should believe that
/// they were merged.
struct PassedOverLists {
    /// So many records are looked at: what is in none of them is no shape of the source.
    private static let mostRecords = 100

    private struct List {
        let names: Set<String>
        let message: String
    }

    private let lists: [List]

    /// Finds out which lists of a model would be passed over.
    init(_ model: ModelDescription) {
        lists = model.relationships.enumerated().compactMap { index, relationship in
            guard let target = relationship.target?.modelDescription,
                let link = try? LinkDescription(model, index, target)
            else { return nil }
            let name = "`\(model.typeName).\(relationship.property)`"
            let start = "JSON has records for \(name), and nothing of them was merged:"
            switch link {
            case .column:
                return List(
                    names: [relationship.property, relationship.name],
                    message:
                        "\(start) which records it leads to, these say themselves by `\(target.typeName).\(relationship.inverse ?? "")`. Sync the records of `\(target.typeName)`."
                )
            case .table:
                if relationship.json != nil { return nil }
                return List(
                    names: [relationship.property, relationship.name],
                    message:
                        "\(start) the relationship does not say where JSON has them. Add `json: \"\(relationship.name)\"` to its `@Relationship`."
                )
            }
        }
    }

    /// What people should know of the records of a sync.
    ///
    /// - Parameters:
    ///   - feed: The records, as the source sends them.
    ///   - stream: Says where in a text they stand.
    /// - Returns: A warning for each relationship of which the first records have a list.
    /// - Throws: ``SluiceError`` where a text is no JSON.
    func problems(of feed: RecordFeed, _ stream: StreamDefinition) throws -> [RunProblem] {
        if lists.isEmpty || feed.holdsStoredValues { return [] }
        var found: Set<Int> = []
        var count = 0
        try feed.forEach(stream) { record, _, _ in
            count += 1
            guard let root = try? JSONDocument(String(decoding: record.copy, as: UTF8.self)).root else { return true }
            for (index, list) in lists.enumerated() where !found.contains(index) {
                let isThere = root.members.contains { member in
                    list.names.contains(member.name) && !member.value.elements.isEmpty
                }
                if isThere { found.insert(index) }
            }
            return count < Self.mostRecords && found.count < lists.count
        }
        return found.sorted().map {
            RunProblem(code: "list_passed_over", severity: .warning, message: lists[$0].message)
        }
    }
}
