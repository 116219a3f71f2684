import SluiceMerge
import SluiceModel
import Testing

/// A row of the truth table for fields.
struct FieldCase: Sendable, CustomTestStringConvertible {
    let number: Int
    let base: FieldSide
    let local: FieldSide
    let remote: FieldSide
    /// What the store holds afterwards; nil where the policy decides.
    let result: FieldSide?
    /// What the base says afterwards; where the policy decides, once it has.
    let newBase: FieldSide
    let fieldClass: FieldClass
    /// How it is said of a field that belongs to the source.
    let classIfRemoteOwned: FieldClass
    /// How it is said of a field that belongs to people.
    let classIfLocalOwned: FieldClass
    let testDescription: String

    /// number, base, local, remote → result, new base, class | class where the source owns it | where people own it
    private static let table = """
         1  ∅ n ⊥  n      ∅  no_info         no_info            no_info
         2  ∅ n n  n      n  converged       converged          converged
         3  ∅ n a  a      a  fill            fill               kept_local
         4  ∅ a ⊥  a      ∅  no_info         no_info            no_info
         5  ∅ a n  a      n  kept_local      drift_overwritten  kept_local
         6  ∅ a a  a      a  converged       converged          converged
         7  ∅ a b  policy b  add_add         drift_overwritten  kept_local
         8  n n ⊥  n      n  no_info         no_info            no_info
         9  n n n  n      n  unchanged       unchanged          unchanged
        10  n n a  a      a  remote_update   remote_update      kept_local
        11  n a ⊥  a      n  local_override  local_override     local_override
        12  n a n  a      n  local_override  drift_overwritten  local_override
        13  n a a  a      a  converged       converged          converged
        14  n a b  policy b  edit_edit       drift_overwritten  kept_local
        15  a n ⊥  n      a  local_override  local_override     local_override
        16  a n n  n      n  converged       converged          converged
        17  a n a  n      a  local_override  drift_overwritten  local_override
        18  a n b  policy b  clear_edit      drift_overwritten  kept_local
        19  a a ⊥  a      a  no_info         no_info            no_info
        20  a a n  n      n  remote_clear    remote_clear       kept_local
        21  a a a  a      a  unchanged       unchanged          unchanged
        22  a a b  b      b  remote_update   remote_update      kept_local
        23  a b ⊥  b      a  local_override  local_override     local_override
        24  a b n  policy n  edit_clear      drift_overwritten  kept_local
        25  a b a  b      a  local_override  drift_overwritten  local_override
        26  a b b  b      b  converged       converged          converged
        27  a b c  policy c  edit_edit       drift_overwritten  kept_local
        """

    /// All rows; none where the table above cannot be read, which a test notices.
    static let all: [FieldCase] = (try? table.split(separator: "\n").map(FieldCase.init(line:))) ?? []
    static let divergent = all.filter { $0.result == nil }
    static let decided = all.filter { $0.result != nil }

    private init(line: Substring) throws {
        let words = line.split(separator: " ")
        number = try #require(Int(words[0]))
        base = try Sides.named(words[1])
        local = try Sides.named(words[2])
        remote = try Sides.named(words[3])
        result = words[4] == "policy" ? nil : try Sides.named(words[4])
        newBase = try Sides.named(words[5])
        fieldClass = try #require(FieldClass(rawValue: String(words[6])))
        classIfRemoteOwned = try #require(FieldClass(rawValue: String(words[7])))
        classIfLocalOwned = try #require(FieldClass(rawValue: String(words[8])))
        testDescription = "\(number): base \(words[1]), local \(words[2]), remote \(words[3])"
    }
}

/// What a policy does to a divergent field.
struct PolicyCase: Sendable, CustomTestStringConvertible {
    let policy: ConflictPolicy
    let newest: NewestSide
    let takesRemote: Bool
    let settlement: FieldDecision.Settlement

    var testDescription: String { "\(policy.rawValue), newest \(newest)" }

    static let all: [PolicyCase] =
        [NewestSide.local, .remote, .unknown].flatMap { newest in
            [
                PolicyCase(policy: .remoteWins, newest: newest, takesRemote: true, settlement: .byPolicy),
                PolicyCase(policy: .localWins, newest: newest, takesRemote: false, settlement: .byPolicy),
                PolicyCase(policy: .manual, newest: newest, takesRemote: false, settlement: .open),
                PolicyCase(policy: .fail, newest: newest, takesRemote: false, settlement: .failed),
            ]
        } + [
            PolicyCase(policy: .newestWins, newest: .remote, takesRemote: true, settlement: .byPolicy),
            PolicyCase(policy: .newestWins, newest: .local, takesRemote: false, settlement: .byPolicy),
            PolicyCase(policy: .newestWins, newest: .unknown, takesRemote: false, settlement: .open),
        ]
}
