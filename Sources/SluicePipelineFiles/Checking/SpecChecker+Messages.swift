internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

extension SpecChecker {
    /// Says what was expected and what was found.
    func reportWrongType(_ node: ConfigNode, _ spec: ValueSpec, at place: Place) {
        let subject = place.path.isEmpty ? "The file" : "`\(place.path)`"
        reporter.report(
            .wrongType, "\(subject) must be \(spec.expectation); found \(node.found).", at: node.start,
            help: quoteHelp(node, spec) ?? example(at: place))
    }

    /// Says which values there are and what was found.
    func reportInvalid(
        _ node: ConfigNode, _ spec: ValueSpec, at place: Place, suggestion: String? = nil, help: String? = nil
    ) {
        reporter.report(
            .invalidValue, "`\(place.path)` must be \(spec.expectation); found \(node.found).", at: node.start,
            suggestion: suggestion, help: help)
    }

    func reportTooFew(_ node: ConfigNode, at place: Place) {
        reporter.report(
            .invalidValue, "`\(place.path)` must not be empty.", at: node.start, help: example(at: place))
    }

    func reportMissing(_ key: KeySpec, in node: ConfigNode, at place: Place) {
        let subject = place.path.isEmpty ? "The file" : "`\(place.path)`"
        reporter.report(
            .missingKey, "\(subject) needs the key `\(key.name)`. \(key.documentation)", at: node.start,
            help: "For example: `\(key.name): \(key.example)`")
    }

    /// Says what the key may have been: one of this place, or one of another place.
    ///
    /// - Parameters:
    ///   - member: The key with its value.
    ///   - section: The keys of the place.
    /// - Returns: The key of this place that was probably meant.
    @discardableResult
    func reportUnknownKey(_ member: ConfigMember, in section: SectionSpec) -> String? {
        let known = section.keys.map(\.name)
        let meant = section.keysElsewhere[member.name]
        let suggestion = meant?.name ?? Suggestion.nearest(to: member.name, among: known)
        // What follows a colon within a key was meant as its value.
        let name = member.name.prefix { $0 != ":" }
        let isOpen = name.count < member.name.count
        let shown = isOpen ? "\(name):***" : member.name
        let detail = "`\(shown)` is not a key of \(section.title)."
        let elsewhere = specification.titlesByKey[member.name] ?? []
        let places = elsewhere.joined(separator: " or ")
        let keys = suggestion == nil ? "The keys are \(known.quotedList)." : nil
        let blank = isOpen ? "A key is followed by a colon and a space, as in `name: value`." : nil
        reporter.report(
            .unknownKey, detail, at: member.mark, suggestion: suggestion,
            help: blank ?? meant?.help ?? (elsewhere.isEmpty ? keys : "`\(member.name)` is a key of \(places)."))
        return suggestion
    }

    private func example(at place: Place) -> String? {
        if place.path.isEmpty { return "\(specification.noun) begins with `version: 1`." }
        guard let example = place.example, let name = place.name else { return nil }
        return "For example: `\(name): \(example)`"
    }

    /// A number or a truth value that stands where a text belongs lacks quotes only, and the other way round.
    private func quoteHelp(_ node: ConfigNode, _ spec: ValueSpec) -> String? {
        guard let scalar = node.scalar, !node.start.file.hides(at: node.start.mark) else { return nil }
        switch (spec, scalar.value, CoreSchema.resolve(scalar.text.revealed)) {
        case (.string(let rule), .bool, _), (.string(let rule), .int, _), (.string(let rule), .double, _):
            guard rule.problem(in: scalar.text.revealed) == nil else { return nil }
            return "To make it text, write it in quotes: `\"\(scalar.printable)\"`."
        case (.integer, .string, .int), (.boolean, .string, .bool):
            return "Quotes make it text, so leave them out; `${…}` without quotes needs a line of its own."
        default: return nil
        }
    }
}
