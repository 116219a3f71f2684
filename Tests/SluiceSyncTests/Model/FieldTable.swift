/// What one side says of a field, in the model.
enum Said: Hashable, CustomStringConvertible {
    /// The base: never given. The remote: the key is absent.
    case nothing
    case null
    case text(String)

    var description: String {
        switch self {
        case .nothing: "-"
        case .null: "null"
        case .text(let text): text
        }
    }
}

/// What becomes of a field, in the model.
struct FieldOutcome: Equatable {
    var result: Said
    var base: Said
    /// The kind of conflict where a policy has to decide, whether or not it has.
    var divergence: String?
    /// Whether it stays for a person.
    var isOpen = false
    /// Whether the source's change was not taken because the local value stands.
    var keptLocal = false
    var fails = false
}

/// The truth table of the fields, written down a second time and looked up as it stands.
///
/// A row is base, local and remote, then the result, the new base and what it is called. `n` is null, `-` is an absent
/// key or a base that was never given, `?` is the policy's to decide; other letters are values, equal where the letters
/// are.
enum FieldTable {
    private static let rows = """
        - n -  n -  no_info
        - n n  n n  converged
        - n a  a a  fill
        - a -  a -  no_info
        - a n  a n  kept_local
        - a a  a a  converged
        - a b  ? b  add_add
        n n -  n n  no_info
        n n n  n n  unchanged
        n n a  a a  remote_update
        n a -  a n  local_override
        n a n  a n  local_override
        n a a  a a  converged
        n a b  ? b  edit_edit
        a n -  n a  local_override
        a n n  n n  converged
        a n a  n a  local_override
        a n b  ? b  clear_edit
        a a -  a a  no_info
        a a n  n n  remote_clear
        a a a  a a  unchanged
        a a b  b b  remote_update
        a b -  b a  local_override
        a b n  ? n  edit_clear
        a b a  b a  local_override
        a b b  b b  converged
        a b c  ? c  edit_edit
        """

    /// By base, local and remote: result, new base, name.
    private static let table: [String: [String]] = Dictionary(
        uniqueKeysWithValues: rows.split(separator: "\n").map { row in
            let words = row.split(separator: " ").map(String.init)
            return (words[0...2].joined(), Array(words[3...]))
        })

    static var count: Int { table.count }

    /// What the table says, with a policy for what it leaves open.
    static func look(base: Said, local: Said, remote: Said, policy: (String) -> Policy) -> FieldOutcome? {
        var letters: [Said: String] = [:]
        var values: [String: Said] = ["n": .null, "-": .nothing]
        func letter(_ side: Said) -> String {
            switch side {
            case .nothing: return "-"
            case .null: return "n"
            case .text:
                if let known = letters[side] { return known }
                let next = ["a", "b", "c"][letters.count]
                letters[side] = next
                values[next] = side
                return next
            }
        }
        let sides = letter(base) + letter(local) + letter(remote)
        guard let row = table[sides], let newBase = values[row[1]] else { return nil }
        guard row[0] == "?" else {
            guard let result = values[row[0]] else { return nil }
            return FieldOutcome(result: result, base: newBase, keptLocal: row[2] == "kept_local")
        }
        var outcome = settle(row[2], base: base, local: local, remote: remote, policy: policy(row[2]))
        if !outcome.isOpen && !outcome.fails { outcome.base = newBase }
        return outcome
    }

    /// What a policy makes of a field that both sides changed.
    static func settle(_ kind: String, base: Said, local: Said, remote: Said, policy: Policy) -> FieldOutcome {
        switch policy {
        case .manual: FieldOutcome(result: local, base: base, divergence: kind, isOpen: true)
        case .remoteWins: FieldOutcome(result: remote, base: remote, divergence: kind)
        case .localWins: FieldOutcome(result: local, base: remote, divergence: kind, keptLocal: true)
        case .fail: FieldOutcome(result: local, base: base, divergence: kind, fails: true)
        }
    }

    enum Policy: String, Sendable {
        case manual, fail
        case remoteWins = "remote_wins"
        case localWins = "local_wins"
    }
}
