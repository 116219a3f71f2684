internal import SluiceJSON
internal import SluiceMerge

/// Which fields could identify the records, as far as the records that were looked at tell.
public struct KeyCandidates: Sendable {
    /// One field or several together.
    public struct Candidate: Sendable {
        /// The names of the fields.
        public let fields: [String]
        /// What speaks for them, as the end of a sentence.
        public let reason: String
    }

    /// The key that there is no doubt about.
    public let certain: Candidate?
    /// What could be the key, the most likely first.
    public let suggestions: [Candidate]
    /// Whether the first suggestion is named as identifiers are.
    public let isNamed: Bool
    /// Why none is certain, as a sentence.
    public let doubt: String

    private static let maximumSuggestions = 5
    private static let longestKey = 512
    /// Names of keys, the surest first. Those of a rank are equally good, so that two of them leave a doubt.
    private static let ranks: [@Sendable (String) -> Bool] = [
        isIdentifier,
        { ["uuid", "guid", "key", "code", "slug"].contains($0) },
        { name in ["_id", "_uuid", "_key", "_code", "_slug"].contains { name.hasSuffix($0) } },
        { $0 == "name" },
    ]

    @Sendable
    private static func isIdentifier(_ name: String) -> Bool { name == "id" || name == "_id" }

    /// Judges fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - records: How many records were looked at.
    init(_ fields: [ImportedField], records: Int) {
        let seen = min(records, ValueShape.evidenceLimit)
        let complete = fields.filter {
            Self.canIdentify($0) && $0.empty == 0 && $0.hashes.count >= seen && $0.longest <= Self.longestKey
        }
        let unique = complete.filter { Set($0.hashes).count == $0.hashes.count }
        let never = records > seen ? "never twice in the first \(seen)" : "never twice"
        let extent = records == 1 ? "in the one record" : "in all \(records) records, never null, \(never)"
        func reason(_ field: ImportedField) -> String {
            field.isEntryName ? "the name of each member, of which there is one" : "there \(extent)"
        }
        var ranked: [[ImportedField]] = [unique.filter(\.isEntryName)]
        for (rank, fits) in Self.ranks.enumerated() {
            // One record proves nothing, and a name is no key by its name alone.
            let isWeak = rank == Self.ranks.count - 1 && records < 2
            ranked.append(isWeak ? [] : unique.filter { !$0.isEntryName && Self.isNamed($0, fits) })
        }
        // Where the field that is named like the identifier cannot be it, a person has to say what is.
        let flaw = fields.first { field in
            field.depth == 1 && Self.isIdentifier(field.name) && !unique.contains { $0.name == field.name }
        }
        let best = ranked.first { !$0.isEmpty } ?? []
        let isSure = best.count == 1 && (flaw == nil || best[0].isEntryName)
        certain = isSure ? Candidate(fields: [best[0].name], reason: reason(best[0])) : nil
        var order = ranked.flatMap { $0 }
        if records > 1 {
            let named = Set(order.map(\.name))
            let others = unique.filter { !named.contains($0.name) }
            order += others.filter { field in Self.ranks.contains { $0(field.key.lowercased()) } }
            let rest = Set(order.map(\.name))
            // Of other texts the short ones are more likely to be meant for telling records apart.
            let byLength = others.filter { !rest.contains($0.name) }.enumerated().sorted {
                ($0.element.longest, $0.offset) < ($1.element.longest, $1.offset)
            }
            order += byLength.map(\.element)
        }
        var suggestions = order.prefix(Self.maximumSuggestions).map { field in
            Candidate(fields: [field.name], reason: reason(field))
        }
        if suggestions.isEmpty && records > 1 { suggestions = Self.pairs(complete, extent: extent) }
        self.suggestions = suggestions
        isNamed = !best.isEmpty
        if let flaw {
            doubt = Self.flaw(of: flaw, records: records)
        } else if best.count > 1 {
            doubt = "\(best.count) fields are equally likely to identify a record."
        } else if records == 1 {
            doubt = "There is one record, and no field of it is named as identifiers are."
        } else if suggestions.isEmpty {
            doubt = "No field, and no two fields together, are there in every record and never twice."
        } else if suggestions[0].fields.count > 1 {
            doubt = "No field alone is there in every record and never twice."
        } else {
            doubt = "No field that is there in every record and never twice is named as identifiers are."
        }
    }

    /// Whether a field of the record itself is named like keys are; what an object called `id` holds counts as `id`.
    private static func isNamed(_ field: ImportedField, _ fits: (String) -> Bool) -> Bool {
        if field.depth == 1 { return fits(field.name) }
        guard field.depth == 2, case .name(let parent) = field.path.steps[0] else { return false }
        return isIdentifier(parent) && fits(parent)
    }

    /// Why a field that is named like the identifier is none.
    private static func flaw(of field: ImportedField, records: Int) -> String {
        if field.empty > 0 { return "`\(field.name)` is empty in \(field.empty) of \(records) records." }
        if !canIdentify(field) {
            return "`\(field.name)` is of type `\(field.type.rawValue)`, which is no sure identifier."
        }
        if field.longest > longestKey { return "`\(field.name)` is too long to identify a record." }
        return "Several records have the same `\(field.name)`."
    }

    /// Whether the values of a type have one form each and can be a key.
    static func canIdentify(_ field: ImportedField) -> Bool {
        switch field.type {
        case .string, .uuid, .url, .int, .decimal, .date, .datetime, .enumeration: true
        case .json, .double, .bytes, .bool: false
        }
    }

    private static func pairs(_ fields: [ImportedField], extent: String) -> [Candidate] {
        let some = fields.prefix(12)
        var found: [Candidate] = []
        for (index, first) in some.enumerated() {
            for second in some.dropFirst(index + 1) {
                let hashes = zip(first.hashes, second.hashes).map { KeyHash.combine($0, $1) }
                guard Set(hashes).count == hashes.count else { continue }
                found.append(Candidate(fields: [first.name, second.name], reason: "together there \(extent)"))
                if found.count == maximumSuggestions { return found }
            }
        }
        return found
    }
}
