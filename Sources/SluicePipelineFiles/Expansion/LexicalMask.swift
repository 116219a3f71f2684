internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// The lines of a file that could not be read, so that nobody knows which values stand where.
///
/// What follows a key that may hold a credential is masked to the end of the line, and so is what stands below it.
struct LexicalMask {
    /// Keys whose values may be credentials, of `auth`, `notify` and elsewhere.
    private static let guardedKeys: Set<String> = {
        var names: Set<String> = ["auth", "notify"]
        func collect(_ keys: [KeySpec]) {
            for key in keys {
                if key.secrets == .always || (key.secrets == .accepted && !key.value.isURLOrName) {
                    names.insert(key.name)
                }
                if case .section(let section) = key.value { collect(section.keys) }
            }
        }
        for variant in VariantSpec.authentication.variants { collect(variant.keys) }
        for entry in SpecificationCatalog.current.sections { collect(entry.section.keys) }
        // Variables may be printed, and their names tell which had better not be.
        names.remove("vars")
        return names
    }()

    private static let knownKeys = Set(SpecificationCatalog.current.titlesByKey.keys)

    /// How many lines are looked at to find what a line stands below.
    private static let farthest = 1_000

    let lines: SourceLines

    /// Whether something of a line is not shown at a place or after it, so that no message repeats it.
    func hides(at mark: Mark) -> Bool {
        guard let line = lines.line(mark.line) else { return false }
        return isBelowGuardedKey(mark.line) || Self.shown(line).isCut
    }

    /// The line as it may be shown, and the place of the caret in it.
    func snippet(of line: String, at mark: Mark) -> SourceSnippet {
        var shown = Self.shown(line).text
        if isBelowGuardedKey(mark.line) {
            let start = Self.indentation(of: line)
            let cut = line.firstRange(of: ": ")?.upperBound ?? line.index(line.startIndex, offsetBy: start)
            if cut < line.endIndex { shown = String(line[..<cut]) + "***" }
        }
        return SourceSnippet(line: shown, caretColumn: min(mark.column, shown.unicodeScalars.count + 1))
    }

    /// A line, or a comment of one, without what may be a credential in it.
    static func shown(_ line: String) -> (text: String, isCut: Bool) {
        var cut: String.Index?
        for colon in line.indices where line[colon] == ":" || line[colon] == "=" {
            let name = String(
                line[..<colon].reversed().drop { " \t\"'".contains($0) }.prefix { isPartOfName($0) }.reversed())
            if mayHoldCredential(name) {
                cut = line.index(after: colon)
                break
            }
        }
        // A user and a password may stand in any URL.
        if let at = line.firstIndex(of: "@") {
            let word = line[..<at].lastIndex { " \t\"'[{,".contains($0) }.map(line.index(after:)) ?? line.startIndex
            if word < at { cut = min(cut ?? word, word) }
        }
        guard let cut, cut < line.endIndex else { return (line, false) }
        let before = line[..<cut]
        return (before + (before.isEmpty || before.last == " " ? "***" : " ***"), true)
    }

    /// Whether the value of a key may be a credential, wherever it stands.
    private static func mayHoldCredential(_ name: String) -> Bool {
        guardedKeys.contains(name) || !knownKeys.contains(name) && CredentialNames.mayNameCredential(name)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }

    private static func indentation(of line: String) -> Int { line.prefix { $0 == " " || $0 == "\t" }.count }

    /// Whether a line stands below a key that may hold a credential, as far as indentation tells.
    private func isBelowGuardedKey(_ number: Int) -> Bool {
        guard let line = lines.line(number) else { return false }
        var limit = Self.reach(of: line)
        for above in stride(from: number - 1, through: 1, by: -1) where limit > 0 {
            if number - above > Self.farthest { return true }
            guard let line = lines.line(above) else { continue }
            let text = line.drop { $0 == " " || $0 == "\t" }
            if text.isEmpty || text.first == "#" || Self.indentation(of: line) >= limit { continue }
            limit = Self.reach(of: line)
            let name = text.drop { $0 == "-" || $0 == " " }.prefix { $0 != ":" }.trimmingQuotes
            if Self.mayHoldCredential(name) { return true }
        }
        return false
    }

    /// Lines that are indented by less stand above it; the key of a list may stand as far left as its elements.
    private static func reach(of line: String) -> Int {
        let start = indentation(of: line)
        return line.dropFirst(start).hasPrefix("-") ? start + 1 : start
    }
}

extension Substring {
    fileprivate var trimmingQuotes: String {
        String(self.drop { "\"'".contains($0) }.reversed().drop { "\"' ".contains($0) }.reversed())
    }
}

extension ValueSpec {
    /// Whether it is shown unless it has a user or a query.
    fileprivate var isURLOrName: Bool {
        switch self {
        case .string(.name), .string(.baseURL), .string(.proxyURL), .string(.endpoint), .string(.requestPath),
            .string(.recordPath):
            true
        default: false
        }
    }
}
