internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// Where the file itself may hold credentials, so that nobody is shown them with a line of it.
///
/// The specification decides: a value that may come from `${env:}` may be a credential that is written out, and so may the
/// value of a key that is not known. What reports print anyway is shown, but for a user within a URL.
struct SecretPlaces {
    /// Whom lines are shown to.
    enum Purpose {
        /// Who has made a mistake in the file. A value that may be a credential is not shown.
        case diagnostic
        /// Who reads the file as it is. A parameter is judged by its name.
        case page
    }

    private let purpose: Purpose
    /// Nil where the nodes of the file are not known.
    private var mask: LineMask?
    /// Where the values of `auth` and `notify` stand, for aliases may use them elsewhere too.
    private var values: Set<Mark> = []
    /// The variables that they are made of.
    private var variables: Set<String> = []

    /// Finds the places of a file.
    ///
    /// - Parameters:
    ///   - root: Its top node; nil where it could not be read, and then a line is judged by its words.
    ///   - purpose: Whom lines are shown to.
    init(root: YAMLNode?, purpose: Purpose) {
        self.purpose = purpose
        guard let root else { return }
        mask = LineMask()
        find(in: root, .section(.topLevel), Context())
        for member in root.mapping ?? [] where member.name == "vars" {
            for variable in member.value.mapping ?? [] where variables.contains(variable.name) {
                hideAll(in: variable.value)
            }
        }
    }

    /// Whether a value is one of `auth` or `notify`, wherever it is used.
    func hasValue(at mark: Mark) -> Bool { values.contains(mark) }

    /// Whether what stands here may be a credential, so that no message repeats it.
    func hides(at mark: Mark, of lines: SourceLines) -> Bool {
        mask?.hasPlace(at: mark) ?? LexicalMask(lines: lines).hides(at: mark)
    }

    /// The line as it may be shown, and the place of the caret in it.
    func snippet(of lines: SourceLines, at mark: Mark) -> SourceSnippet? {
        guard let line = lines.line(mark.line) else { return nil }
        return mask?.snippet(of: line, at: mark) ?? LexicalMask(lines: lines).snippet(of: line, at: mark)
    }

    /// What the keys above a value say of it.
    private struct Context {
        /// Whether it may be a credential.
        var isGuarded = false
        /// Whether the names are those of headers.
        var namesHeaders = false
        /// Whether the names are those of variables, which may be printed.
        var namesVariables = false
        /// The nearest name that is the author's own choice.
        var name: String?
    }

    private mutating func find(in node: YAMLNode, _ spec: ValueSpec, _ context: Context) {
        switch (spec, node.content) {
        case (.section(let section), .mapping(let members)): find(in: members, of: [section], context)
        case (.variants(let variants), .mapping(let members)):
            find(in: members, of: variants.variants.compactMap { variants.section(of: $0.name) }, context)
        case (.mapping(let keys, let values, _), .mapping(let members)):
            var inner = context
            if case .pattern(let pattern) = keys { inner.namesHeaders = pattern == .token }
            for member in members {
                inner.name = member.name
                find(in: member.value, values, inner)
            }
        case (.list(let element, _), .sequence(let elements)):
            for value in elements { find(in: value, element, context) }
        case (.anyOf(let forms), _):
            if let form = forms.first(where: { $0.isContainer(like: node) }) { return find(in: node, form, context) }
            context.isGuarded || spec.mayHoldSecrets ? hideAll(in: node) : showAll(in: node)
        case (.json, _): findNamed(in: node, context)
        case (.section, _), (.variants, _), (.mapping, _), (.list, _):
            context.isGuarded || spec.mayHoldSecrets ? hideAll(in: node) : showAll(in: node)
        case (_, .sequence(let elements)): for value in elements { find(in: value, spec, context) }
        case (_, .mapping(let members)):
            for member in members {
                mask?.show(member.key)
                find(in: member.value, spec, context)
            }
        case (_, .scalar(let scalar)):
            context.isGuarded && !isOpen(scalar, spec, context) ? hideAll(in: node) : showAll(in: node)
        }
    }

    private mutating func find(in members: [YAMLMember], of sections: [SectionSpec], _ context: Context) {
        for member in members {
            mask?.show(member.key)
            guard let key = Self.key(of: member, in: sections) else {
                mask?.hideTail(ofKey: member.key)
                findNamed(in: member.value, Context(isGuarded: true, name: member.name), after: member.key)
                continue
            }
            if key.secrets == .always {
                addSecret(member.value, plain: .none, after: member.key)
            } else if case .variants(let variants) = key.value, variants.title == VariantSpec.authentication.title {
                addSecret(member.value, plain: .authentication, after: member.key)
            } else if key.name == "notify", sections.contains(where: { $0.title == SectionSpec.topLevel.title }) {
                let elements = member.value.sequence ?? [member.value]
                for element in elements { addSecret(element, plain: .notification) }
            }
            var inner = context
            inner.isGuarded = context.isGuarded || key.secrets != .byType
            inner.namesVariables = key.name == "vars"
            find(in: member.value, key.value, inner)
        }
    }

    /// The key that a member is, or is probably meant to be; nil where nobody knows what its value is.
    private static func key(of member: YAMLMember, in sections: [SectionSpec]) -> KeySpec? {
        let keys = sections.flatMap(\.keys)
        let known = keys.filter { Self.isSpelled($0.name, as: member.name) }
        if let key = known.max(by: { $0.secrets.rank < $1.secrets.rank }) { return key }
        if CredentialNames.mayNameCredential(member.name) || member.name.contains(":") { return nil }
        if let near = Suggestion.nearest(to: member.name, among: keys.map(\.name)) {
            return keys.first { $0.name == near }
        }
        let elsewhere = SpecificationCatalog.current.sections.flatMap(\.section.keys).filter { $0.name == member.name }
        return elsewhere.allSatisfy { $0.secrets == .byType } ? elsewhere.first : nil
    }

    /// Whether two names differ in nothing but case and separators, as `primary-key` and `primary_key` do.
    private static func isSpelled(_ name: String, as other: String) -> Bool {
        func plain(_ name: String) -> [Character] { name.lowercased().filter { !"-_ ".contains($0) } }
        return name == other || plain(name) == plain(other)
    }

    /// Members of JSON, judged by the names of the author's own choice.
    private mutating func findNamed(in node: YAMLNode, _ context: Context, after key: YAMLNode? = nil) {
        switch node.content {
        case .sequence(let elements): for element in elements { findNamed(in: element, context) }
        case .mapping(let members):
            for member in members {
                mask?.show(member.key)
                var inner = context
                inner.name = member.name
                findNamed(in: member.value, inner, after: member.key)
            }
        case .scalar(let scalar):
            context.isGuarded && !isOpen(scalar, .json, context) ? hideAll(in: node, after: key) : showAll(in: node)
        }
    }

    /// A value of `auth` or `notify`: no message repeats it, wherever an alias brings it.
    private mutating func addSecret(_ node: YAMLNode, plain: PlainKeys, after key: YAMLNode? = nil) {
        switch node.content {
        case .sequence(let elements): for element in elements { addSecret(element, plain: .none) }
        case .mapping(let members):
            for member in members where !plain.isPlain(member.name) {
                addSecret(member.value, plain: plain.within(member.name), after: member.key)
            }
        case .scalar(let scalar):
            values.insert(node.start)
            for case .variable(let name) in (try? ReferenceText.parse(scalar.text)) ?? [] { variables.insert(name) }
            mask?.hide(node, after: key)
        }
    }

    private mutating func hideAll(in node: YAMLNode, after key: YAMLNode? = nil) {
        switch node.content {
        case .sequence(let elements): for element in elements { hideAll(in: element) }
        case .mapping(let members):
            for member in members {
                mask?.show(member.key)
                hideAll(in: member.value, after: member.key)
            }
        case .scalar: mask?.hide(node, after: key)
        }
    }

    private mutating func showAll(in node: YAMLNode) {
        switch node.content {
        case .sequence(let elements): for element in elements { showAll(in: element) }
        case .mapping(let members):
            for member in members {
                mask?.show(member.key)
                showAll(in: member.value)
            }
        case .scalar(let scalar):
            // A password may stand in any URL.
            if scalar.text.contains("//"), LexicalMask.shown(scalar.text).isCut { mask?.hide(node, after: nil) }
            mask?.show(node)
        }
    }

    /// Whether a text that is no URL names a file of SQLite, by its ending.
    private static func isDatabaseFile(_ text: String) -> Bool {
        [".db", ".db3", ".sqlite", ".sqlite3"].contains { text.hasSuffix($0) } && !text.contains { ":?= ".contains($0) }
    }

    /// Whether a value that may be a credential is none.
    private func isOpen(_ scalar: YAMLScalar, _ spec: ValueSpec, _ context: Context) -> Bool {
        let text = scalar.text
        switch spec {
        case .string(.name): return true
        case .string(.storeURL): return (text.hasPrefix("sqlite:") || Self.isDatabaseFile(text)) && !text.contains("@")
        case .string(.baseURL), .string(.proxyURL), .string(.endpoint), .string(.requestPath), .string(.recordPath):
            return !text.contains("@") && !text.contains("?")
        default: break
        }
        let name = context.name ?? ""
        if context.namesHeaders { return CredentialNames.isOpenHeader(name) }
        if CredentialNames.mayNameCredential(name) || text.contains("@") { return false }
        if context.name != nil, purpose == .page || context.namesVariables { return true }
        return scalar.style == .plain && CoreSchema.resolve(text) != .string
    }
}

extension KeySpec.SecretRule {
    fileprivate var rank: Int {
        switch self {
        case .byType: 0
        case .accepted: 1
        case .always: 2
        }
    }
}

extension ValueSpec {
    /// Whether a text that stands in place of a value of this form may be a credential.
    fileprivate var mayHoldSecrets: Bool {
        switch self {
        case .section(let section):
            section.keys.contains { $0.secrets == .always } || section.keys.allSatisfy { $0.secrets == .accepted }
        case .variants(let variants):
            variants.variants.contains { variant in variant.keys.contains { $0.secrets == .always } }
        case .mapping(_, let values, _): values.mayHoldSecrets
        case .list(let element, _): element.mayHoldSecrets
        case .anyOf(let forms): forms.contains(where: \.mayHoldSecrets)
        default: false
        }
    }

    /// Whether both are single values, lists or mappings.
    fileprivate func isContainer(like node: YAMLNode) -> Bool {
        switch (self, node.content) {
        case (.section, .mapping), (.variants, .mapping), (.mapping, .mapping), (.list, .sequence), (.json, _): true
        case (.anyOf(let forms), _): forms.contains { $0.isContainer(like: node) }
        case (.section, _), (.variants, _), (.mapping, _), (.list, _): false
        case (_, .scalar): true
        default: false
        }
    }
}
