import SluiceReport
import Testing

/// What streams that fill one table say of a record and what people do to it, round by round. Each plan shows what its run
/// does, and a second run writes nothing.
@Suite("A record of several streams")
struct StreamLifeTests {
    struct Round: Sendable {
        var hand = ""
        /// What streams say now, by their names; others say what they said before.
        var says: [String: String] = [:]
        /// The only stream that is run, nil for all.
        var alone: String?
        let rows: [String]
        var open: [String] = []
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let name: String
        let setting: StreamHistory.Setting
        let rounds: [Round]
        /// How many conflicts there ever were, nil for any number.
        var conflicts: Int?
        var testDescription: String { name }
    }

    static let gone = #"[{"id":1,"gone":true}]"#
    static func item(_ a: String, _ b: String) -> String { "[{\"id\":1,\"a\":\"\(a)\",\"b\":\"\(b)\"}]" }

    static let deleted = "DELETE FROM items"
    static let edited = "UPDATE items SET a = 'm'"
    static let asked = #"list delete_edit - {"id":1,"a":"x","b":"2"}"#

    static let statements = ["hard", "soft"].flatMap { mode in
        [["list", "dels"], ["dels", "list"]].flatMap { streams in
            let setting = StreamHistory.Setting(streams, mode: ["list": mode, "dels": mode])
            let listed = Round(says: ["list": item("x", "3")], rows: ["1|x|3"])
            return [
                Life(
                    name: "deleted here, listed with news and stated in one run: \(mode), \(streams)", setting: setting,
                    rounds: [
                        listed, Round(hand: deleted, says: ["list": item("x", "2"), "dels": gone], rows: []),
                        Round(rows: []), Round(says: ["list": item("x", "4")], rows: ["1|x|4"]),
                    ]),
                Life(
                    name: "deleted here, listed with news, then stated: \(mode), \(streams)", setting: setting,
                    rounds: [
                        listed, Round(hand: deleted, says: ["list": item("x", "2")], rows: [], open: [asked]),
                        Round(says: ["dels": gone], alone: "dels", rows: []), Round(rows: []),
                        Round(says: ["list": item("x", "4")], rows: ["1|x|4"]),
                    ]),
                Life(
                    name: "a question over a field, then stated: \(mode), \(streams)",
                    setting: StreamHistory.Setting(
                        streams, mode: ["list": mode, "dels": mode],
                        policies: "{edit_delete: remote_wins, default: manual}"),
                    rounds: [
                        listed,
                        Round(
                            hand: edited, says: ["list": item("y", "3")], rows: ["1|m|3"],
                            open: [#"list edit_edit a "m" "y""#]),
                        Round(says: ["dels": gone], alone: "dels", rows: []), Round(rows: []),
                    ]),
            ]
        }
    }

    static let revivals = [["list", "dels", "other"], ["dels", "other", "list"], ["other", "list", "dels"]].map {
        Life(
            name: "stated, then listed by another one, which goes last: file \($0)",
            setting: StreamHistory.Setting($0, precedence: ["list", "dels", "other"]),
            rounds: [
                Round(says: ["list": item("x", "1")], rows: ["1|x|1"]), Round(says: ["dels": gone], rows: []),
                Round(says: ["other": item("y", "2")], rows: ["1|x|1"]), Round(rows: ["1|x|1"]),
                Round(says: ["list": "[]"], rows: ["1|y|2"]),
            ])
    }

    static let questions = [["list", "dels"], ["dels", "list"]].map {
        Life(
            name: "edited here, stated, and listed with news: file \($0)", setting: StreamHistory.Setting($0),
            rounds: [
                Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                Round(
                    hand: edited, says: ["list": item("x", "2"), "dels": gone], rows: ["1|m|2"],
                    open: [#"dels edit_delete {"id":1,"a":"m","b":"2"} -"#]),
                // A source that lists it with something new has it.
                Round(says: ["list": item("x", "3")], rows: ["1|m|3"]),
                Round(says: ["list": item("m", "3")], rows: ["1|m|3"]),
            ])
    }

    static let retractions = [["list", "dels"], ["dels", "list"]].flatMap { streams in
        [
            ("deleted here", deleted, [String]()), ("the edit taken back", "UPDATE items SET a = 'x'", []),
        ].map { name, hand, rows in
            Life(
                name: "edited here, stated once, and \(name): \(streams)",
                setting: StreamHistory.Setting(streams, mode: ["list": "ignore", "dels": "ignore"]),
                rounds: [
                    Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                    Round(
                        hand: edited, says: ["list": "[]", "dels": gone], rows: ["1|m|1"],
                        open: [#"dels edit_delete {"id":1,"a":"m","b":"1"} -"#]),
                    // As lists of changes are: they have it no more.
                    Round(
                        says: ["dels": "[]"], rows: ["1|m|1"], open: [#"dels edit_delete {"id":1,"a":"m","b":"1"} -"#]),
                    Round(hand: hand, rows: rows), Round(says: ["list": item("y", "2")], rows: ["1|y|2"]),
                ])
        }
    }

    static let returns = [["list", "dels"], ["dels", "list"]].flatMap { streams in
        ["ignore", "hard"].map { mode in
            Life(
                name: "edited here, stated, left out, and listed again: \(streams), \(mode)",
                setting: StreamHistory.Setting(streams, mode: ["list": "hard", "dels": mode]),
                rounds: [
                    Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                    Round(
                        hand: edited, says: ["list": "[]", "dels": gone], rows: ["1|m|1"],
                        // Both have it no more, and the first of them asks for both.
                        open: [#"\#(streams[0]) edit_delete {"id":1,"a":"m","b":"1"} -"#]),
                    Round(says: ["list": item("x", "1"), "dels": "[]"], rows: ["1|m|1"]),
                ])
        }
    }

    static let silences = [["list", "dels"], ["dels", "list"]].flatMap { streams in
        ["ignore", "hard"].map { mode in
            Life(
                name: "edited here, stated, and no longer stated: \(streams), \(mode)",
                setting: StreamHistory.Setting(streams, mode: ["dels": mode]),
                rounds: [
                    Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                    Round(
                        hand: edited, says: ["dels": gone], rows: ["1|m|1"],
                        open: [#"dels edit_delete {"id":1,"a":"m","b":"1"} -"#]),
                    Round(
                        says: ["dels": "[]"], rows: ["1|m|1"], open: [#"dels edit_delete {"id":1,"a":"m","b":"1"} -"#]),
                    Round(hand: deleted, rows: []),
                ])
        }
    }

    static let endings = [["list", "dels"], ["dels", "list"]].map {
        Life(
            name: "deleted here, listed with news, and stated by another run: file \($0)",
            setting: StreamHistory.Setting($0),
            rounds: [
                Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                Round(hand: deleted, says: ["list": item("x", "2")], rows: [], open: [asked]),
                Round(says: ["dels": gone], rows: []),
            ])
    }

    static let moves = ["manual", "remote_wins", "local_wins"].map { policy in
        Life(
            name: "edited here, and moved to another stream: \(policy)",
            setting: StreamHistory.Setting(["list", "other"], stating: [], policies: policy),
            rounds: [
                Round(says: ["list": item("x", "1"), "other": "[]"], rows: ["1|x|1"]),
                Round(hand: edited, says: ["list": "[]", "other": item("x", "2")], rows: ["1|m|2"]),
                Round(says: ["other": item("x", "3")], rows: ["1|m|3"]),
            ], conflicts: 0)
    }

    static let absences = [["list", "dels"], ["dels", "list"]].map {
        Life(
            name: "stated while it is listed no longer: file \($0)",
            setting: StreamHistory.Setting($0, mode: ["list": "ignore"]),
            rounds: [
                Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
                Round(says: ["list": "[]", "dels": gone], rows: []),
                Round(says: ["list": item("x", "1")], rows: ["1|x|1"]),
            ])
    }

    @Test(arguments: statements + revivals + questions + retractions + returns + silences + endings + moves + absences)
    func life(_ life: Life) throws {
        let shop = try life.setting.makeShop()
        for stream in life.setting.streams { try shop.put("[]", as: "\(stream).json") }
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try shop.sql(round.hand) }
            for (stream, text) in round.says { try shop.put(text, as: "\(stream).json") }
            shop.stream = round.alone
            let (report, _) = try shop.syncPlanned()
            #expect(report.status == .succeeded)
            let isMarked = life.setting.mode.values.contains("soft") ? "WHERE _deleted_at IS NULL" : ""
            let rows = try shop.rows("SELECT id || '|' || a || '|' || b FROM items \(isMarked)")
            #expect(rows == round.rows.map { "'\($0)'" }, "round \(number)")
            #expect(try shop.openConflicts.map(Self.shortened) == round.open, "round \(number)")
            // What is open no longer counts no longer.
            if round.open.isEmpty { #expect(report.summary.conflict == 0, "round \(number)") }
            #expect(try shop.quietRun().written == [], "round \(number)")
        }
        let count = try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status <> 'auto'")
        if let conflicts = life.conflicts { #expect(count == ["\(conflicts)"]) }
    }

    /// A conflict without its key, as in `list edit_edit a "m" "y"`; the record as a whole is not named.
    private static func shortened(_ conflict: String) -> String {
        let words = conflict.split(separator: " ").map(String.init)
        return ([words[0], words[3]] + (words[2] == "*" ? [] : [words[2]]) + words[4...]).joined(separator: " ")
    }
}
