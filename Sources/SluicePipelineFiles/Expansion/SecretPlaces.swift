internal import SluiceDiagnostics
internal import SluiceYAML

/// Where the file itself may hold secrets, so that no diagnostic shows them with its source line.
struct SecretPlaces {
    private struct Place {
        var start: Mark
        var end: Mark
    }

    private static let secretKeys: [String] =
        VariantSpec.authentication.variants.flatMap { variant in
            variant.keys.filter { key in
                if case .text = key.value { return key.secrets == .always }
                return false
            }.map(\.name)
        } + ["webhook"]

    private var places: [Place] = []
    /// Where the secret values of `auth` and `notify` stand, for aliases may use them elsewhere too.
    private var values: Set<Mark> = []
    private let isKnown: Bool

    /// Finds the places of a file.
    ///
    /// - Parameter root: Its top node; nil where it could not be read, and then a line is judged by its words.
    init(root: YAMLNode?) {
        isKnown = root != nil
        for member in root?.mapping ?? [] {
            if member.name == "store" { addCredentials(in: member.value) }
            if member.name == "notify", case .sequence(let elements) = member.value.content {
                for element in elements where element.mapping != nil { add(element, plain: .notification) }
            }
            guard member.name == "source" else { continue }
            for part in member.value.mapping ?? [] {
                if part.name == "auth" { add(part.value, plain: .authentication) }
                if part.name == "base_url" { addCredentials(in: part.value) }
            }
        }
    }

    private mutating func add(_ node: YAMLNode, plain: PlainKeys) {
        switch node.content {
        case .sequence(let elements): for element in elements { add(element, plain: .none) }
        case .mapping(let members):
            for member in members where !plain.isPlain(member.name) {
                add(member.value, plain: plain.within(member.name))
            }
        case .scalar(let scalar):
            values.insert(node.start)
            let pieces = (try? ReferenceText.parse(scalar.text)) ?? [.literal(scalar.text)]
            let holdsText = pieces.contains { piece in
                switch piece {
                case .literal, .environment(_, fallback: _?): true
                default: false
                }
            }
            if holdsText { places.append(Place(start: node.start, end: node.end)) }
        }
    }

    /// Whether a value is one of `auth` or `notify`, wherever it is used.
    func hasValue(at mark: Mark) -> Bool { values.contains(mark) }

    /// A URL with a user and a password, or a text with `password=`, which is an error, but must not be shown.
    private mutating func addCredentials(in node: YAMLNode) {
        let text = node.scalar?.text ?? ""
        if text.contains("@") || text.lowercased().contains("password") {
            places.append(Place(start: node.start, end: node.end))
        }
    }

    /// The line with `***` for each secret, and the place of the caret in it.
    func snippet(of line: String, at mark: Mark) -> SourceSnippet {
        if !isKnown { return lexicalSnippet(of: line, at: mark) }
        var scalars = Array(line.unicodeScalars)
        var caret = mark.column
        for place in places.reversed() where place.start.line <= mark.line && mark.line <= place.end.line {
            let from = place.start.line == mark.line ? place.start.column - 1 : 0
            let to = place.end.line == mark.line ? place.end.column - 1 : scalars.count
            guard from < min(to, scalars.count) else { continue }
            let range = from..<min(to, scalars.count)
            scalars.replaceSubrange(range, with: "***".unicodeScalars)
            if caret - 1 >= range.upperBound {
                caret += 3 - range.count
            } else if caret - 1 > range.lowerBound {
                caret = range.lowerBound + 1
            }
        }
        return SourceSnippet(line: scalars.reduce(into: "") { $0.unicodeScalars.append($1) }, caretColumn: caret)
    }

    /// Without nodes: what follows a key that `auth` keeps secret is masked to the end of the line.
    private func lexicalSnippet(of line: String, at mark: Mark) -> SourceSnippet {
        var cut = line.endIndex
        for key in Self.secretKeys {
            var rest = line[...]
            while let colon = rest.firstIndex(of: ":") {
                let before = rest[..<colon].reversed().drop { " \t\"'".contains($0) }
                if before.starts(with: key.reversed()) { cut = min(cut, line.index(after: colon)) }
                rest = rest[line.index(after: colon)...]
            }
        }
        if cut == line.endIndex { return SourceSnippet(line: line, caretColumn: mark.column) }
        let shown = line[..<cut] + " ***"
        return SourceSnippet(line: String(shown), caretColumn: min(mark.column, shown.unicodeScalars.count))
    }
}
