import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// What `compare` makes of changes on both sides, through files and SQL.
@Suite("A field that compares in another way")
struct CompareTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let mode: FieldComparison
        /// JSON; nil is an absent key.
        let base: String?
        /// JSON; nil leaves the row as it is.
        var local: String?
        let remote: String?
        /// What the table holds then, as JSON.
        let result: String
        let summary: String
        /// The class of the field where the run tells it.
        var told: String?
        var conflict: String?
        var testDescription: String { "\(mode.rawValue): \(name)" }
    }

    static let ignoringCase = [
        Case(
            name: "another case there", mode: .ignoringCase, base: #""Dune""#, remote: #""DUNE""#, result: #""Dune""#,
            summary: "unchanged 1"),
        Case(
            name: "another case here", mode: .ignoringCase, base: #""Dune""#, local: #""dune""#, remote: #""Dune""#,
            result: #""dune""#, summary: "unchanged 1"),
        Case(
            name: "another case on both sides", mode: .ignoringCase, base: #""Dune""#, local: #""dune""#,
            remote: #""DUNE""#, result: #""dune""#, summary: "unchanged 1"),
        Case(
            name: "another case here, another text there", mode: .ignoringCase, base: #""Dune""#, local: #""dune""#,
            remote: #""Emma""#, result: #""Emma""#, summary: "update 1", told: "remote_update"),
        Case(
            name: "both came to the same but for case", mode: .ignoringCase, base: #""Dune""#, local: #""emma""#,
            remote: #""EMMA""#, result: #""emma""#, summary: "unchanged 1"),
        Case(
            name: "both changed it", mode: .ignoringCase, base: #""Dune""#, local: #""Emma""#, remote: #""Ulysses""#,
            result: #""Emma""#, summary: "conflict 1", told: "edit_edit",
            conflict: #"edit_edit a "Dune" "Emma" "Ulysses" open 1"#),
        Case(
            name: "a long text, of which a digest is kept", mode: .ignoringCase,
            base: #""École des femmes, comédie en cinq actes""#, local: #""école des femmes, comédie en cinq actes""#,
            remote: #""ÉCOLE DES FEMMES, COMÉDIE EN CINQ ACTES""#,
            result: #""école des femmes, comédie en cinq actes""#, summary: "unchanged 1"),
        Case(
            name: "cleared here, another case there", mode: .ignoringCase, base: #""Dune""#, local: "null",
            remote: #""DUNE""#, result: "null", summary: "unchanged 1"),
    ]

    static let sets = [
        Case(
            name: "another order there", mode: .set, base: #"["a","b"]"#, remote: #"["b","a"]"#,
            result: #"["a","b"]"#, summary: "unchanged 1"),
        Case(
            name: "repeated here", mode: .set, base: #"["a","b"]"#, local: #"["b","a","a"]"#,
            remote: #"["a","b"]"#, result: #"["b","a","a"]"#, summary: "unchanged 1"),
        Case(
            name: "both add", mode: .set, base: #"["a"]"#, local: #"["a","mine"]"#, remote: #"["theirs","a"]"#,
            result: #"["a","mine","theirs"]"#, summary: "update 1", told: "merged"),
        Case(
            name: "one adds, the other takes away", mode: .set, base: #"["a","b"]"#, local: #"["a","b","mine"]"#,
            remote: #"["b"]"#, result: #"["b","mine"]"#, summary: "update 1", told: "merged"),
        Case(
            name: "both take away", mode: .set, base: #"["a","b","c"]"#, local: #"["b","c"]"#, remote: #"["a","b"]"#,
            result: #"["b"]"#, summary: "update 1", told: "merged"),
        Case(
            name: "here all of it is already", mode: .set, base: #"["a"]"#, local: #"["b","c","a"]"#,
            remote: #"["a","b"]"#, result: #"["b","c","a"]"#, summary: "unchanged 1"),
        Case(
            name: "elements of any kind, written in their own ways", mode: .set, base: #"[1,{"x":1,"y":2}]"#,
            local: #"[1.0,{"y":2,"x":1},true]"#, remote: #"[{"x":1.0,"y":2},null]"#,
            result: #"[{"y":2,"x":1},true,null]"#, summary: "update 1", told: "merged"),
        Case(
            name: "an empty set", mode: .set, base: "[]", local: #"["mine"]"#, remote: #"["theirs"]"#,
            result: #"["mine","theirs"]"#, summary: "update 1", told: "merged"),
        Case(
            name: "the source never gave it", mode: .set, base: nil, local: #"["mine"]"#, remote: #"["theirs"]"#,
            result: #"["mine","theirs"]"#, summary: "update 1", told: "merged"),
        Case(
            name: "no array here", mode: .set, base: #"["a"]"#, local: #""a""#, remote: #"["b"]"#, result: #""a""#,
            summary: "conflict 1", told: "edit_edit", conflict: #"edit_edit a ["a"] "a" ["b"] open 1"#),
        Case(
            name: "no array there", mode: .set, base: #"["a"]"#, local: #"["b"]"#, remote: "7", result: #"["b"]"#,
            summary: "conflict 1", told: "edit_edit", conflict: #"edit_edit a ["a"] ["b"] 7 open 1"#),
        Case(
            name: "null before", mode: .set, base: "null", local: #"["b"]"#, remote: #"["c"]"#, result: #"["b"]"#,
            summary: "conflict 1", told: "edit_edit", conflict: #"edit_edit a null ["b"] ["c"] open 1"#),
        Case(
            name: "cleared here", mode: .set, base: #"["a"]"#, local: "null", remote: #"["b"]"#, result: "null",
            summary: "conflict 1", told: "clear_edit", conflict: #"clear_edit a ["a"] null ["b"] open 1"#),
        Case(
            name: "cleared there", mode: .set, base: #"["a"]"#, local: #"["b"]"#, remote: "null", result: #"["b"]"#,
            summary: "conflict 1", told: "edit_clear", conflict: #"edit_clear a ["a"] ["b"] null open 1"#),
    ]

    static let documents = [
        Case(
            name: "another order and spelling there", mode: .json, base: #"{"x":1,"y":2}"#, remote: #"{"y":2,"x":1.0}"#,
            result: #"{"x":1,"y":2}"#, summary: "unchanged 1"),
        Case(
            name: "different keys", mode: .json, base: #"{"x":1,"y":1}"#, local: #"{"x":2,"y":1}"#,
            remote: #"{"x":1,"y":2,"z":3}"#, result: #"{"x":2,"y":2,"z":3}"#, summary: "update 1", told: "merged"),
        Case(
            name: "different keys, far down and long", mode: .json,
            base: #"{"size":{"width":1,"height":1},"title":"a title that is too long for a short base"}"#,
            local: #"{"size":{"width":2,"height":1},"title":"a title that is too long for a short base"}"#,
            remote: #"{"size":{"width":1,"height":3},"title":"another title, too long for a short base"}"#,
            result: #"{"size":{"width":2,"height":3},"title":"another title, too long for a short base"}"#,
            summary: "update 1", told: "merged"),
        Case(
            name: "a key taken away here, another changed there", mode: .json, base: #"{"x":1,"y":1}"#,
            local: #"{"y":1}"#, remote: #"{"x":1,"y":2}"#, result: #"{"y":2}"#, summary: "update 1", told: "merged"),
        Case(
            name: "null is not absent", mode: .json, base: #"{"x":1,"y":1}"#, local: #"{"x":null,"y":1}"#,
            remote: #"{"x":1}"#, result: #"{"x":null}"#, summary: "update 1", told: "merged"),
        Case(
            name: "null here, absent there", mode: .json, base: #"{"x":1}"#, local: #"{"x":null}"#, remote: "{}",
            result: #"{"x":null}"#, summary: "conflict 1", told: "edit_edit",
            conflict: #"edit_edit a {"x":1} {"x":null} {} open 1"#),
        Case(
            name: "the same key", mode: .json, base: #"{"x":1,"y":1}"#, local: #"{"x":2,"y":1}"#,
            remote: #"{"x":3,"y":2}"#, result: #"{"x":2,"y":1}"#, summary: "conflict 1", told: "edit_edit",
            conflict: #"edit_edit a {"x":1,"y":1} {"x":2,"y":1} {"x":3,"y":2} open 1"#),
        Case(
            name: "arrays are one value", mode: .json, base: #"{"x":[1]}"#, local: #"{"x":[1,2]}"#,
            remote: #"{"x":[1,3]}"#, result: #"{"x":[1,2]}"#, summary: "conflict 1", told: "edit_edit",
            conflict: #"edit_edit a {"x":[1]} {"x":[1,2]} {"x":[1,3]} open 1"#),
        Case(
            name: "the source never gave it", mode: .json, base: nil, local: #"{"x":1}"#, remote: #"{"y":2}"#,
            result: #"{"x":1,"y":2}"#, summary: "update 1", told: "merged"),
        Case(
            name: "the source never gave it, the same key", mode: .json, base: nil, local: #"{"x":1}"#,
            remote: #"{"x":2}"#, result: #"{"x":1}"#, summary: "conflict 1", told: "add_add",
            conflict: #"add_add a - {"x":1} {"x":2} open 1"#),
        Case(
            name: "here all of it is already", mode: .json, base: #"{"x":1}"#, local: #"{"x":2,"y":3}"#,
            remote: #"{"x":2}"#, result: #"{"x":2,"y":3}"#, summary: "unchanged 1"),
        Case(
            name: "no object here", mode: .json, base: #"{"x":1}"#, local: "[1]", remote: #"{"x":2}"#, result: "[1]",
            summary: "conflict 1", told: "edit_edit", conflict: #"edit_edit a {"x":1} [1] {"x":2} open 1"#),
        Case(
            name: "of two members with one name the last counts", mode: .json, base: #"{"x":1,"y":1}"#,
            local: #"{"x":9,"y":1,"x":1}"#, remote: #"{"x":1,"y":2,"z":1}"#, result: #"{"x":1,"y":2,"z":1}"#,
            summary: "update 1", told: "remote_update"),
    ]

    @Test(arguments: ignoringCase + sets + documents)
    func goesAsItSays(_ example: Case) throws {
        let shop = try Self.shop(example.mode)
        _ = try shop.syncPlanned(Self.record(example.base))
        if let local = example.local { try shop.sql("UPDATE items SET a = \(Self.sql(local, example.mode))") }
        let (report, recorder) = try shop.syncPlanned(Self.record(example.remote))
        #expect(report.summary.text == example.summary)
        #expect(try shop.rows("SELECT a FROM items") == [Self.sql(example.result, example.mode)])
        let classes = recorder.changes.compactMap { $0.split(separator: "a:").dropFirst().first?.prefix { $0 != "(" } }
        #expect(classes.map(String.init) == [example.told].compactMap { $0 })
        #expect(try shop.conflicts == [example.conflict].compactMap { $0 })
        // The same again, also as the source may write it, says nothing new.
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("A merged value is told with all its sides, and what the source changes next is merged again")
    func goesOn() throws {
        let shop = try Self.shop(.set)
        _ = try shop.syncPlanned(Self.record(#"["a"]"#))
        try shop.sql(#"UPDATE items SET a = '["a","mine"]'"#)
        let (_, recorder) = try shop.syncPlanned(Self.record(#"["a","b"]"#))
        #expect(
            recorder.changes == [
                #"update merge {"id":1} a:merged(["a"] ["a","mine"] ["a","b"] ["a","mine","b"])"#
            ])
        #expect(try shop.bases == [#"1 live a='["a","b"]'"#])
        _ = try shop.syncPlanned(Self.record(#"["b","c"]"#))
        #expect(try shop.items == [#"1|'["mine","b","c"]'"#])
        _ = try shop.syncPlanned(Self.record(#"["c"]"#))
        #expect(try shop.items == [#"1|'["mine","c"]'"#])
    }

    @Test("A source that only writes an open conflict's value in another way says nothing new")
    func theSameRemote() throws {
        for (mode, base, local, remote, again) in [
            (FieldComparison.ignoringCase, #""x""#, #""y""#, #""z""#, #""Z""#),
            (.set, "null", "[1]", "[2,3]", "[3,2,2]"), (.json, "null", "[1]", #"{"x":1,"y":2}"#, #"{"y":2,"x":1.0}"#),
        ] {
            let shop = try Self.shop(mode)
            _ = try shop.syncPlanned(Self.record(base))
            try shop.sql("UPDATE items SET a = \(Self.sql(local, mode))")
            _ = try shop.syncPlanned(Self.record(remote))
            let before = try shop.contents()
            let (report, recorder) = try shop.syncPlanned(Self.record(again))
            #expect(report.summary.text == "conflict 1" && !report.hasChanges)
            #expect(recorder.conflicts.isEmpty && recorder.changes.isEmpty)
            #expect(try shop.contents() == before)
        }
    }

    @Test("Owners and policies stand over what could be merged, and a person decides about the whole value")
    func policies() throws {
        for (owner, policy, result) in [
            (FieldOwner.remote, ConflictPolicy?.none, #"["b"]"#), (.local, nil, #"["a","mine"]"#),
            (.shared, .remoteWins, #"["mine","b"]"#), (.shared, .fail, #"["mine","b"]"#),
        ] {
            let shop = try Self.shop(.set)
            shop.fields[1].owner = owner
            shop.fields[1].onConflict = policy
            _ = try shop.syncPlanned(Self.record(#"["a"]"#))
            try shop.sql(#"UPDATE items SET a = '["a","mine"]'"#)
            _ = try shop.syncPlanned(Self.record(#"["b"]"#))
            #expect(try shop.rows("SELECT a FROM items") == ["'\(result)'"])
        }
        for (policy, result) in [(ConflictPolicy.remoteWins, #"{"x":3}"#), (.localWins, #"{"x":2,"y":1}"#)] {
            let shop = try Self.shop(.json)
            shop.fields[1].onConflict = policy
            _ = try shop.syncPlanned(Self.record(#"{"x":1}"#))
            try shop.sql(#"UPDATE items SET a = '{"x":2,"y":1}'"#)
            _ = try shop.syncPlanned(Self.record(#"{"x":3}"#))
            #expect(try shop.rows("SELECT a FROM items") == ["'\(result)'"])
        }
    }

    @Test("A set that a path collects")
    func collected() throws {
        let shop = try Self.shop(.set)
        shop.fields[1] = try field("a", .json, from: "tags[*].name")
        shop.fields[1].comparison = .set
        func tags(_ names: String...) -> String {
            "[{\"id\":1,\"tags\":[\(names.map { "{\"name\":\"\($0)\"}" }.joined(separator: ","))]}]"
        }
        _ = try shop.syncPlanned(tags("a", "b"))
        try shop.sql(#"UPDATE items SET a = '["b","a","mine"]'"#)
        let (same, _) = try shop.syncPlanned(tags("b", "a"))
        #expect(same.summary.text == "unchanged 1")
        _ = try shop.syncPlanned(tags("b", "c"))
        #expect(try shop.items == [#"1|'["b","mine","c"]'"#])
    }

    /// A shop with a field `a` that compares in some way.
    static func shop(_ mode: FieldComparison, keepsBase: BaseKeeping = .digest) throws -> Workshop {
        let shop = try Workshop(fields: [field("id", .int), field("a", mode == .ignoringCase ? .string : .json)])
        shop.fields[1].comparison = mode
        shop.fields[1].keepsBase = keepsBase
        return shop
    }

    static func record(_ json: String?) -> String { "[{\"id\":1\(json.map { ",\"a\":" + $0 } ?? "")}]" }

    /// JSON as the table holds it: a text field's strings without their quotes.
    static func sql(_ json: String, _ mode: FieldComparison) -> String {
        if json == "null" { return "NULL" }
        return mode == .ignoringCase ? "'" + json.dropFirst().dropLast() + "'" : "'" + json + "'"
    }
}
