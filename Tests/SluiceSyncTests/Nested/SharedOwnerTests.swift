import Testing

/// What belongs to records that two sources list, once a third one states that the record is deleted, people delete it, or one of
/// the two drops it. What a source lists unchanged says nothing new, whatever is open within it.
@Suite("What belongs to records of several sources")
struct SharedOwnerTests {
    struct Round: Sendable {
        var hand = ""
        var a: String?
        var b: String?
        /// What says which plays are deleted.
        var c: String?
        /// Whether the play is there.
        var isThere = true
        var lines = ""
        var tags = ""
        var open: [String] = []
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rounds: [Round]
    }

    private static func play(_ lines: String, _ tags: String = "") -> String { SharedListTests.play(lines, tags) }
    private static let gone = #"[{"id":1,"gone":true}]"#
    private static let element = "DELETE FROM line WHERE position = 1"
    private static let all = "DELETE FROM line; DELETE FROM tag; DELETE FROM play"

    /// The same whichever of the two goes first.
    static let lives = [
        Life(
            testDescription: "a child that was deleted here is changed as the deletion is stated",
            rounds: [
                Round(a: play("", "1x"), tags: "1x"),
                Round(
                    hand: "DELETE FROM tag", a: play("", "1y"), c: gone, open: ["a t1 delete_edit", "c t1 edit_delete"]),
                Round(hand: all, isThere: false),
            ]),
        Life(
            testDescription: "a child that a decision waits for, and the deletion is stated later",
            rounds: [
                Round(a: play("", "1x"), tags: "1x"),
                Round(hand: "DELETE FROM tag", a: play("", "1y"), open: ["a t1 delete_edit"]),
                Round(c: gone, open: ["a t1 delete_edit", "c t1 edit_delete"]),
                Round(hand: "INSERT INTO tag (play_id, id, note) VALUES (1, 1, 'x')", isThere: false),
            ]),
        Life(
            testDescription: "a child that a decision waits for, and the record is deleted here and there",
            rounds: [
                Round(a: play("", "1x"), tags: "1x"),
                Round(hand: "DELETE FROM tag", a: play("", "1y"), open: ["a t1 delete_edit"]),
                Round(hand: all, c: gone, isThere: false), Round(a: play("", "1z"), tags: "1z"),
            ]),
        Life(
            testDescription: "an element was taken out here, and the list is changed as the deletion is stated",
            rounds: [
                Round(a: play("vw"), lines: "0v 1w"),
                Round(
                    hand: element, a: play("vz"), c: gone, lines: "0v", open: ["a list edit_edit", "c t1 edit_delete"]),
            ]),
        Life(
            testDescription: "a contested list, and the record is deleted here and there",
            rounds: [
                Round(a: play("vw"), lines: "0v 1w"),
                Round(hand: element, a: play("vz"), lines: "0v", open: ["a list edit_edit"]),
                Round(hand: all, c: gone, isThere: false), Round(a: play("vy"), lines: "0v 1y"),
            ]),
        Life(
            testDescription: "a contested list, and the record is deleted here",
            rounds: [
                Round(a: play("vw"), lines: "0v 1w"),
                Round(hand: element, a: play("vz"), lines: "0v", open: ["a list edit_edit"]),
                Round(hand: all, isThere: false, open: ["a t1 delete_edit"]),
            ]),
        Life(
            testDescription: "a child that was deleted here moves with its record",
            rounds: [
                Round(a: play("", "3v"), b: play(""), tags: "3v"),
                Round(hand: "DELETE FROM tag", a: "[]", b: play("", "3w"), open: ["b t3 delete_edit"]),
            ]),
        Life(
            testDescription: "a child that was deleted here moves",
            rounds: [
                Round(a: play("", "3v"), b: play(""), tags: "3v"),
                Round(hand: "DELETE FROM tag", a: play(""), b: play("", "3w"), open: ["b t3 delete_edit"]),
            ]),
        Life(
            testDescription: "a child that was edited here moves",
            rounds: [
                Round(a: play("", "3v"), b: play(""), tags: "3v"),
                Round(hand: "UPDATE tag SET note = 'm'", a: play(""), b: play("", "3v"), tags: "3m"),
                Round(b: play("", "3w"), tags: "3m", open: ["b t3 edit_edit"]),
            ]),
        Life(
            testDescription: "a list that was deleted here moves",
            rounds: [
                Round(a: play("v"), b: play(""), lines: "0v"),
                Round(hand: "DELETE FROM line", a: play(""), b: play("w"), open: ["b list edit_edit"]),
            ]),
        Life(
            testDescription: "a list that was deleted here moves with its record",
            rounds: [
                Round(a: play("v"), lines: "0v"),
                Round(hand: "DELETE FROM line", a: "[]", b: play("w"), open: ["b list edit_edit"]),
            ]),
        Life(
            testDescription: "a list moves",
            rounds: [Round(a: play("v"), b: play(""), lines: "0v"), Round(a: play(""), b: play("wx"), lines: "0w 1x")]),
        Life(
            testDescription: "a child moves",
            rounds: [
                Round(a: play("", "3v"), b: play(""), tags: "3v"), Round(a: play(""), b: play("", "3w"), tags: "3w"),
                Round(b: play(""), tags: ""),
            ]),
        Life(
            testDescription: "a child comes back beside a new one of another source",
            rounds: [
                Round(a: play("", "1x"), b: play(""), tags: "1x"), Round(c: gone, isThere: false),
                Round(b: play("", "2y"), tags: "1x 2y"),
            ]),
        Life(
            testDescription: "one source first lists what another one listed in vain and drops",
            rounds: [
                Round(b: play("", "1x"), c: gone, isThere: false), Round(a: play("", "1x"), b: "[]", tags: "1x"),
            ]),
    ]

    /// Where `a` goes before `b`, whose list yields.
    static let yielding = [
        Life(
            testDescription: "two lists, and the deletion is stated",
            rounds: [
                Round(a: play("v"), b: play("vw"), lines: "0v"), Round(c: gone, isThere: false),
                Round(b: play("vx"), lines: "0v"), Round(c: "[]", lines: "0v"),
            ]),
        Life(
            testDescription: "two lists, and the deletion is stated in the first run",
            rounds: [
                Round(a: play("v"), b: play("vw"), c: gone, isThere: false), Round(c: "[]", isThere: false),
                Round(a: play("x"), lines: "0x"),
            ]),
        Life(
            testDescription: "a list that begins after the deletion was stated",
            rounds: [
                Round(a: play("v"), b: play(""), lines: "0v"), Round(c: gone, isThere: false),
                Round(b: play("w"), lines: "0v"),
            ]),
        Life(
            testDescription: "two lists, and the record is deleted here",
            rounds: [
                Round(a: play("v"), b: play("vw"), lines: "0v"), Round(hand: all, isThere: false),
                Round(b: play("vwx"), isThere: false),
                Round(a: play("y"), isThere: false, open: ["a t1 delete_edit"]),
            ]),
        Life(
            testDescription: "the first list ends, so that the second one's is taken",
            rounds: [
                Round(a: play("v"), b: play("vw"), lines: "0v"), Round(a: play(""), lines: "0v 1w"),
                Round(a: play("x"), lines: "0x"), Round(c: gone, isThere: false), Round(c: "[]", isThere: false),
            ]),
    ]

    private func check(_ life: Life, precedence: [String]) throws {
        let scripts = try Scripts(["a", "b", "c"], precedence: precedence, deletedWhen: ".gone == true")
        for stream in ["a", "b", "c"] { try scripts.put("[]", as: stream) }
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try scripts.shop.sql("PRAGMA foreign_keys = ON; \(round.hand)") }
            for (stream, said) in [("a", round.a), ("b", round.b), ("c", round.c)] {
                if let said { try scripts.put(said, as: stream) }
            }
            try scripts.run()
            for again in [false, true] {
                if again { #expect(try scripts.shop.quietRun().written == [], "round \(number)") }
                #expect(
                    try scripts.shop.rows("SELECT count(*) FROM play") == [round.isThere ? "1" : "0"], "round \(number)"
                )
                #expect(try scripts.lines == round.lines, "round \(number)")
                #expect(try scripts.tags == round.tags, "round \(number)")
                #expect(try scripts.open == round.open, "round \(number)")
            }
        }
    }

    @Test(arguments: lives, [["a", "b", "c"], ["b", "a", "c"]])
    func life(_ life: Life, precedence: [String]) throws { try check(life, precedence: precedence) }

    @Test(arguments: yielding)
    func listsThatYield(_ life: Life) throws {
        try check(life, precedence: ["a", "b", "c"])
    }
}
