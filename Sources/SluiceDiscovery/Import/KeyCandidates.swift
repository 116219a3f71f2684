internal import SluiceJSON
internal import SluiceModel

/// Which fields could identify the records, as far as the records that were looked at tell.
package struct KeyCandidates: Sendable {
    /// One field or several together.
    package struct Candidate: Sendable {
        /// The names of the fields.
        package let fields: [String]
        /// What speaks for them, as the end of a sentence.
        package let reason: String

        /// Makes a value of its parts.
        package init(fields: [String], reason: String) {
            self.fields = fields
            self.reason = reason
        }
    }

    /// The key that there is no doubt about.
    package let certain: Candidate?
    /// What could be the key, the most likely first.
    package let suggestions: [Candidate]
    /// Whether the first suggestion is named as identifiers of the records are.
    package let isNamed: Bool
    /// Why none is certain, as a sentence.
    package let doubt: String

    private static let maximumSuggestions = 5
    private static let longestKey = 512

    /// Judges fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - records: How many records were looked at.
    ///   - names: Names for the records, such as that of their table.
    package init(_ fields: [ImportedField], records: Int, names: [String]) {
        let seen = min(records, ValueShape.evidenceLimit)
        let naming = KeyNaming(names)
        let complete = fields.filter {
            Self.canIdentify($0) && $0.empty == 0 && $0.hashes.count >= seen && $0.longest <= Self.longestKey
                && !Self.isAmount($0, naming)
        }
        let unique = complete.filter { Set($0.hashes).count == $0.hashes.count }
        let extent =
            records == 1
            ? "present in the one record"
            : records > seen
                ? "present in all \(records) records, unique in the first \(seen)"
                : "present and unique in all \(records) records"
        func reason(_ field: ImportedField) -> String {
            field.isEntryName ? "the name of each member, of which there is one" : extent
        }
        let named = unique.filter { !$0.isEntryName }.map { (field: $0, meaning: naming.meaning(of: $0)) }
        /// Fields whose names say the same are equally good, those further in less so.
        func likely(_ meaning: KeyName) -> [[ImportedField]] {
            let found = named.filter { $0.meaning == meaning }.map(\.field)
            let (near, far) = (found.filter { $0.isNear }, found.filter { !$0.isNear })
            return [near, far]
        }
        // One record proves nothing, and neither a name nor an address is a key by its name alone.
        let meanings = KeyName.allCases.filter { !$0.isOfChance || records > 1 }
        var ranked: [(meaning: KeyName?, fields: [ImportedField])] = [(nil, unique.filter(\.isEntryName))]
        ranked += meanings.flatMap { meaning in likely(meaning).map { (meaning, $0) } }
        let best = ranked.first { !$0.fields.isEmpty }
        // Where a field that is named more surely than the best one cannot be the identifier, a person has to say what is.
        let flaw = fields.first { field in
            guard let meaning = naming.meaning(of: field), !unique.contains(where: { $0.name == field.name }) else {
                return false
            }
            if meaning == .identifier && field.depth == 1 { return true }
            let isBetter = meaning.rawValue < best?.meaning?.rawValue ?? .max
            // What is called `accountid` may be the record's own: then a name that happens to differ is no way out.
            let mayBeOwn =
                [.number, .other].contains(meaning) && field.depth == 1 && field.empty == 0
                && Self.canIdentify(field) && best?.meaning?.isOfChance == true
            return mayBeOwn || isBetter && [.identifier, .own, .code].contains(meaning)
        }
        let isEntry = best?.fields.first?.isEntryName == true
        // What has a name of its own today may share it tomorrow, and one record would then take the other's place.
        let isOwn = best?.meaning?.isDoubtful != true
        let isSure = best?.fields.count == 1 && isOwn && (flaw == nil || isEntry)
        certain = isSure ? best?.fields.first.map { Candidate(fields: [$0.name], reason: reason($0)) } : nil
        var order = ranked.flatMap(\.fields)
        if records > 1 {
            let known = Set(order.map(\.name))
            // Of other texts the short ones are more likely to be meant for telling records apart.
            let byLength = unique.filter { !known.contains($0.name) }.enumerated().sorted {
                ($0.element.longest, $0.offset) < ($1.element.longest, $1.offset)
            }
            order += byLength.map(\.element)
        }
        var suggestions = order.prefix(Self.maximumSuggestions).map { field in
            Candidate(fields: [field.name], reason: reason(field))
        }
        if suggestions.isEmpty && records > 1 { suggestions = Self.pairs(complete, extent: extent) }
        self.suggestions = suggestions
        isNamed = best.map { $0.meaning != .other && ($0.meaning?.isOfChance != true || flaw == nil) } ?? false
        if let flaw {
            doubt = Self.flaw(of: flaw, records: records)
        } else if let best, best.meaning == .other {
            let first = "`\(best.fields[0].name)`"
            doubt = "\(first) looks like an identifier of something else than the records."
        } else if let best, best.meaning == .number, best.fields.count == 1 {
            doubt =
                "`\(best.fields[0].name)` is unique so far, but may be the number of something else than the records."
        } else if let best, best.meaning == .address, best.fields.count == 1 {
            doubt =
                "`\(best.fields[0].name)` is unique so far, but records may share an address, and one that changes makes another record."
        } else if let best, best.meaning == .name, best.fields.count == 1 {
            doubt = "`\(best.fields[0].name)` is unique so far, but several records may have one name."
        } else if let best, best.fields.count > 1 {
            doubt = "\(best.fields.count) fields are equally likely to identify a record."
        } else if records == 1 {
            doubt = "There is one record, and no field of it looks like an identifier."
        } else if suggestions.isEmpty {
            doubt = "No field, and no pair of fields, is present and unique in all records."
        } else if suggestions[0].fields.count > 1 {
            doubt = "No field alone is present and unique in all records."
        } else {
            doubt = "No unique field looks like an identifier."
        }
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

    /// Whether the values are amounts, such as prices, whose being different is chance.
    private static func isAmount(_ field: ImportedField, _ naming: KeyNaming) -> Bool {
        let meaning = naming.meaning(of: field)
        return (meaning == nil || meaning == .name) && (field.type == .decimal || SchemaInference.isOfMoney(field.key))
    }

    private static func pairs(_ fields: [ImportedField], extent: String) -> [Candidate] {
        let some = fields.prefix(12)
        var found: [Candidate] = []
        for (index, first) in some.enumerated() {
            for second in some.dropFirst(index + 1) {
                let hashes = zip(first.hashes, second.hashes).map { KeyHash.combine($0, $1) }
                guard Set(hashes).count == hashes.count else { continue }
                found.append(Candidate(fields: [first.name, second.name], reason: "together \(extent)"))
                if found.count == maximumSuggestions { return found }
            }
        }
        return found
    }
}

extension ImportedField {
    /// Whether it is a member of the record, or of an object that stands for its identifier.
    fileprivate var isNear: Bool {
        if depth == 1 { return true }
        guard depth == 2, case .name(let parent) = path.steps[0] else { return false }
        return ["id", "_id"].contains(parent.lowercased())
    }
}
