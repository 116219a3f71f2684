internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// How sure the place of the records, their key and their types are.
struct ProbeJudge {
    let inspection: ImportInspection
    /// The inspection of the first page alone.
    let first: ImportInspection
    let pages: [ProbedPage]
    /// Whether records came more than once, so that the first page alone says what is unique.
    let overlaps: Bool

    /// From how many records on they say much.
    private static let many = 20

    private var count: Int { inspection.records }
    private var extent: String {
        let records = Plural.of(count, "record")
        return pages.count == 1 ? records : "\(records) of \(pages.count) pages"
    }

    var records: ProbeFinding {
        let place = inspection.place
        var evidence = [place.reason, pages.count == 1 ? extent : "the same on \(pages.count) pages, \(count) records"]
        if !place.others.isEmpty {
            evidence.append("objects are at \(place.others.prefix(3).joined(separator: ", ")) too")
        }
        if let advice = place.advice { evidence.append(advice) }
        let isSure = place.others.isEmpty && count > 1
        return ProbeFinding(place.text, isSure ? .certain : .likely, evidence)
    }

    // MARK: The key

    /// The inspection that says what is unique.
    var keyed: ImportInspection { overlaps ? first : inspection }

    private var candidates: KeyCandidates { keyed.keyCandidates }

    var identity: ImportIdentity {
        if let certain = candidates.certain { return .fields(certain.fields) }
        if candidates.isNamed, let named = candidates.suggestions.first { return .fields(named.fields) }
        if canUseContent { return .content }
        return .fields(candidates.suggestions.first?.fields ?? [inspection.fields[0].name])
    }

    private static let choice = "`--key FIELD[,FIELD]` says what it is"

    private var canUseContent: Bool {
        !inspection.fields.contains { $0.name == EntityDefinition.contentKeyName }
    }

    var key: ProbeFinding {
        switch identity {
        case .content:
            var evidence = ["a hash of all values; a changed record is then a new one", candidates.doubt.asEnd]
            if let other = candidates.suggestions.first {
                evidence.append("`\(other.fields.joined(separator: ","))` is \(other.reason)")
            }
            return ProbeFinding("content", .unsure, evidence + [Self.choice])
        case .fields(let names):
            let text = names.joined(separator: ", ")
            guard let certain = candidates.certain else {
                let reason = candidates.suggestions.first.map { [$0.reason] } ?? []
                let others = candidates.suggestions.dropFirst().map { "`\($0.fields.joined(separator: ","))`" }
                let rest = others.isEmpty ? "" : "others: \(others.joined(separator: ", "))"
                return ProbeFinding(text, .unsure, reason + [candidates.doubt.asEnd, rest, Self.choice])
            }
            let isSure = count >= Self.many && !overlaps
            let unique = overlaps ? certain.reason : "unique in \(extent)"
            return ProbeFinding(
                text, isSure ? .certain : .likely, [count == 1 ? certain.reason : unique, "named as identifiers are"])
        }
    }

    // MARK: Types

    var types: ProbeFinding {
        let fields = inspection.fields
        let nulls = fields.filter { $0.example == nil }
        var evidence = ["all values of \(extent) fit"]
        if !nulls.isEmpty {
            let names = nulls.prefix(5).map { "`\($0.name)`" }.joined(separator: ", ")
            let types = Set(nulls.map(\.type.rawValue)).sorted().map { "`\($0)`" }.joined(separator: " or ")
            evidence.append(
                "\(Plural.of(nulls.count, "field has no value and is", "fields have no value and are")) taken as \(types): \(names)"
            )
        }
        let certainty: ProbeFinding.Certainty =
            count >= Self.many && nulls.isEmpty ? .certain : count > 1 ? .likely : .unsure
        return ProbeFinding("\(Plural.of(fields.count, "field"))", certainty, evidence)
    }
}

extension String {
    /// A sentence as the end of another one.
    fileprivate var asEnd: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        // A name in backquotes, or an acronym, keeps its case.
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
