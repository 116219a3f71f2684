/// The cases of the merge as the contract lists them, for one field and for one record.
///
/// `∅` never given, `n` null, `⊥` absent; for records `=` what the base says, `≠` something else, `gone`.
enum TruthTable {
    /// One field: what the table holds afterwards, and what is remembered of the source.
    struct FieldCase: Sendable {
        let number: String
        let sides: [String]
        /// `policy` where the policy decides.
        let result: String
        let newBase: String
    }

    /// One record: what becomes of its row.
    struct RowCase: Sendable {
        enum Action: String { case insert, nothing, merge, delete, policy }

        let number: String
        let base: [String]
        let local: [String]
        let remote: [String]
        let action: Action
        /// The base's state afterwards, `same` where it is left alone.
        let newBase: String
    }

    static let numbers = fields.map(\.number) + rows.map(\.number) + ["r14"]

    static let fields: [FieldCase] = """
         1 ∅ n ⊥ n ∅ |  2 ∅ n n n n |  3 ∅ n a a a |  4 ∅ a ⊥ a ∅ |  5 ∅ a n a n |  6 ∅ a a a a
         7 ∅ a b policy b
         8 n n ⊥ n n |  9 n n n n n | 10 n n a a a | 11 n a ⊥ a n | 12 n a n a n | 13 n a a a a
        14 n a b policy b
        15 a n ⊥ n a | 16 a n n n n | 17 a n a n a
        18 a n b policy b
        19 a a ⊥ a a | 20 a a n n n | 21 a a a a a | 22 a a b b b | 23 a b ⊥ b a
        24 a b n policy n
        25 a b a b a | 26 a b b b b
        27 a b c policy c
        """.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map { row in
            let words = row.split(separator: " ").map(String.init)
            return FieldCase(number: words[0], sides: Array(words[1...3]), result: words[4], newBase: words[5])
        }

    static let rows: [RowCase] = """
        r1   none         absent        =,≠   insert   live
        r3   none         clean,edited  =,≠   merge    live
        r4   none         clean,edited  gone  nothing  none
        r5   live         clean         =     nothing  live
        r6   live         clean         ≠     merge    live
        r7   live         clean         gone  delete   tomb_remote
        r8   live         edited        =     nothing  live
        r9   live         edited        ≠     merge    live
        r10  live         edited        gone  policy   tomb_remote
        r11  live         absent        =     nothing  same
        r12  live         absent        ≠     policy   live,tomb_local
        r13  live         absent        gone  nothing  tomb_remote
        r15  tomb_remote  absent        =,≠   insert   live
        r17  tomb_remote  clean,edited  gone  nothing  same
        r18  tomb_remote  clean,edited  =,≠   merge    live
        r19  tomb_local   absent        =     nothing  same
        r20  tomb_local   absent        ≠     policy   live,tomb_local
        r21  tomb_local   absent        gone  nothing  tomb_remote
        r22  tomb_local   clean,edited  =,≠   merge    live
        r23  live,tomb_local  clean     gone  delete   tomb_remote
        r23  live,tomb_local  edited    gone  policy   tomb_remote
        """.split(separator: "\n").map { row in
            let words = row.split(separator: " ").map(String.init)
            func list(_ index: Int) -> [String] { words[index].split(separator: ",").map(String.init) }
            return RowCase(
                number: words[0], base: list(1), local: list(2), remote: list(3),
                action: RowCase.Action(rawValue: words[4]) ?? .nothing, newBase: words[5])
        }

    /// The case of a record, where it has one of that number: the one for its row, where there are several.
    static func row(_ number: String, local: String) -> RowCase? {
        let cases = rows.filter { $0.number == number }
        return cases.first { $0.local.contains(local) } ?? cases.first
    }
}
