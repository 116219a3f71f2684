internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// Checks values against their specifications; what several keys mean together is not its concern.
struct SpecChecker {
    /// Where a value stands and what its key says of it.
    struct Place {
        /// The keys that lead to it, such as `source.timeout.connect`; empty for the file as a whole.
        var path = ""
        var secrets = KeySpec.SecretRule.byType
        /// A value that would pass, for messages.
        var example: String?

        func member(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

        /// The last of the keys; nil for the file as a whole.
        var name: String? { path.split(separator: ".").last.map(String.init) }
    }

    let reporter: Reporter
    var specification = SpecificationCatalog.current

    /// Checks a value and all within it.
    func check(_ node: ConfigNode, against spec: ValueSpec, at place: Place) {
        switch spec {
        case .section(let section): checkSection(node, section, at: place)
        case .variants(let variants): checkVariants(node, variants, at: place)
        case .mapping(let keys, let values, let minimumCount):
            checkMapping(node, keys: keys, values: values, minimumCount: minimumCount, spec: spec, at: place)
        case .list(let element, let minimumCount):
            checkList(node, element, minimumCount: minimumCount, spec: spec, at: place)
        case .anyOf(let forms):
            if let form = ValueSpec.form(of: node, among: forms) {
                check(node, against: form, at: place)
            } else {
                reportWrongType(node, spec, at: place)
            }
        case .json: checkJSON(node, at: place)
        default:
            guard let scalar = node.scalar else { return reportWrongType(node, spec, at: place) }
            checkScalar(scalar, in: node, against: spec, at: place)
        }
    }

    private func checkSection(_ node: ConfigNode, _ section: SectionSpec, at place: Place) {
        guard let members = node.members else { return reportWrongType(node, .section(section), at: place) }
        var misspelt: Set<String> = []
        for member in members {
            guard let key = section.key(member.name) else {
                if let meant = reportUnknownKey(member, in: section) { misspelt.insert(meant) }
                continue
            }
            let secrets = place.secrets == .always ? .always : key.secrets
            let inner = Place(path: place.member(key.name), secrets: secrets, example: key.example)
            check(member.value, against: key.value, at: inner)
        }
        // A key that is misspelt is said to be so, and is not missing as well.
        for key in section.keys where key.isRequired && node.member(key.name) == nil && !misspelt.contains(key.name) {
            if let substitute = key.substitute, node.member(substitute) != nil { continue }
            reportMissing(key, in: node, at: place)
        }
    }

    private func checkVariants(_ node: ConfigNode, _ variants: VariantSpec, at place: Place) {
        guard node.members != nil else { return reportWrongType(node, .variants(variants), at: place) }
        guard let type = node.member("type") else { return reportMissing(variants.typeKey, in: node, at: place) }
        if let section = type.scalar.flatMap({ variants.section(of: $0.text.revealed) }) {
            checkSection(node, section, at: place)
        } else {
            check(type, against: variants.typeKey.value, at: Place(path: place.member("type")))
        }
    }

    private func checkMapping(
        _ node: ConfigNode, keys: StringRule, values: ValueSpec, minimumCount: Int, spec: ValueSpec, at place: Place
    ) {
        guard let members = node.members else { return reportWrongType(node, spec, at: place) }
        if members.count < minimumCount { reportTooFew(node, at: place) }
        for member in members {
            if let problem = keys.problem(in: member.name) {
                let detail = "`\(member.name)` in `\(place.path)` is not a valid name. \(problem.message)"
                reporter.report(.invalidValue, detail, at: member.mark, help: problem.help)
            }
            let inner = Place(path: place.member(member.name), secrets: place.secrets)
            check(member.value, against: values, at: inner)
        }
    }

    private func checkList(
        _ node: ConfigNode, _ element: ValueSpec, minimumCount: Int, spec: ValueSpec, at place: Place
    ) {
        guard let elements = node.elements else { return reportWrongType(node, spec, at: place) }
        if elements.count < minimumCount { reportTooFew(node, at: place) }
        for (index, value) in elements.enumerated() {
            check(value, against: element, at: Place(path: "\(place.path)[\(index)]", secrets: place.secrets))
        }
    }
}

extension ValueSpec {
    /// The form that a value is meant to have.
    static func form(of node: ConfigNode, among forms: [ValueSpec]) -> ValueSpec? {
        forms.first { $0.hasShape(of: node) } ?? forms.first { $0.isKind(of: node) }
    }

    /// Whether both are single values, lists or mappings.
    private func isKind(of node: ConfigNode) -> Bool {
        if case .list = self, node.elements != nil { return true }
        return hasShape(of: node)
    }

    /// Whether a value looks like this form; whether it is right is another question.
    private func hasShape(of node: ConfigNode) -> Bool {
        switch (self, node.content) {
        case (.section, .mapping), (.variants, .mapping), (.mapping, .mapping): true
        case (.list(let element, _), .sequence(let elements)):
            elements.first.map { element.hasShape(of: $0) } ?? true
        case (.anyOf(let forms), _): forms.contains { $0.hasShape(of: node) }
        case (.json, _): true
        case (.section, _), (.variants, _), (.mapping, _), (.list, _): false
        case (_, .scalar): true
        default: false
        }
    }
}
