internal import SluiceSwift

/// What several properties have together only once.
extension ModelComparison {
    /// Compares groups of properties whose values together are unique. What fewer of them have only once, all have only once.
    mutating func compareUnique(_ model: FoundModel, _ entity: SwiftModel) {
        var properties: [String: String] = [:]
        for property in entity.properties where !property.isToMany {
            properties[property.name] = field(for: property, in: model)?.property
        }
        /// The struct's properties of a group of the pipeline; nil where it leaves one out.
        func known(_ names: [String]) -> [String]? {
            let found = names.compactMap { properties[$0] }
            return found.count == names.count ? found : nil
        }
        let fields = model.model.fields
        let own = Groups(
            model.model.unique + [model.model.identifiers.map(\.property)]
                + fields.filter(\.isUnique).map { [$0.property] })
        let wanted = Groups(
            ([entity.identifiers.map(\.name)] + entity.properties.filter(\.isUnique).map { [$0.name] } + entity.unique)
                .compactMap(known))
        for group in entity.unique.compactMap(known) where group.count > 1 && !own.imply(group) {
            add(
                .fieldUnique, .warning, model, at: model.place(of: "unique"),
                "The pipeline has `unique` for the columns of \(Self.list(group)) of `\(model.model.type)` together, and the model does not say so.",
                edits: ModelEdits(model).addUnique(group), sources: entity.places)
        }
        for group in model.model.unique where Set(group).count > 1 && !wanted.imply(group) {
            // A run never writes a property of the program's own.
            let isFilled = group.allSatisfy { properties.values.contains($0) }
            add(
                .fieldUnique, isFilled ? .error : .note, model, at: model.place(of: "unique"),
                "\(Self.list(group)) of `\(model.model.type)` together are unique, and the pipeline does not say so\(isFilled ? ": a run that sends values twice would fail" : "").",
                help: isFilled ? "Add them to `unique` of the entity, or leave the group out." : nil,
                sources: entity.places)
        }
    }

    /// What has each combination of values only once.
    private struct Groups {
        let sets: [Set<String>]

        init(_ groups: [[String]]) { sets = groups.filter { !$0.isEmpty }.map(Set.init) }

        /// Whether the values of a group are unique because of one of them.
        func imply(_ group: [String]) -> Bool { sets.contains { $0.isSubset(of: group) } }
    }

    /// `a`, `b` and `c`.
    private static func list(_ names: [String]) -> String {
        let words = names.map { "`\($0)`" }
        return words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }
}
