/// What one side, a pipeline or a model, says whose values are unique, alone or together. The names are those of the model's properties.
package struct UniqueGroups: Sendable {
    private let groups: [[String]]
    private let sets: [Set<String>]

    /// Makes groups.
    ///
    /// - Parameters:
    ///   - key: What identifies records.
    ///   - groups: What else is unique.
    package init(key: [String], _ groups: [[String]]) {
        self.groups = groups.filter { !$0.isEmpty }
        sets = ([key] + groups).filter { !$0.isEmpty }.map(Set.init)
    }

    /// The groups that are unique without another side's saying so. What fewer properties have only once, more of them have only
    /// once too.
    ///
    /// - Parameter other: The other side.
    /// - Returns: The groups, each once.
    package func groups(missingIn other: UniqueGroups) -> [[String]] {
        var seen: Set<Set<String>> = []
        return groups.filter { group in
            !other.sets.contains { $0.isSubset(of: group) } && seen.insert(Set(group)).inserted
        }
    }

    /// What a group is, as a sentence without its end.
    ///
    /// - Parameters:
    ///   - group: A group of a model.
    ///   - type: The model's type.
    /// - Returns: The sentence.
    package static func text(_ group: [String], of type: String) -> String {
        if Set(group).count < 2 { return "`\(type).\(group.first ?? "")` is unique" }
        return "\(list(group)) of `\(type)` together are unique"
    }

    /// What a group of a model is of which the pipeline that fills it says nothing, as a sentence without its end.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - type: The model's type.
    /// - Returns: The sentence.
    package static func problem(_ group: [String], of type: String) -> String {
        let values = Set(group).count < 2 ? "a value" : "values"
        return "\(text(group, of: type)), and the pipeline does not say so: a run that sends \(values) twice would fail"
    }

    /// Names as a list in words.
    ///
    /// - Parameter names: The names.
    /// - Returns: A text such as `a`, `b` and `c`.
    package static func list(_ names: [String]) -> String {
        let words = names.map { "`\($0)`" }
        return words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }
}
