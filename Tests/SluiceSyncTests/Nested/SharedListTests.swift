import SluicePipeline
import Testing

/// Lists that two sources give: one that is one value is the first source's that gives it, others are merged one by one.
@Suite("Children of two sources")
struct SharedListTests {
    struct Round: Sendable {
        var hand = ""
        var a: String?
        var b: String?
        let lines: String
        var tags = ""
        var open: [String] = []
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let name: String
        let rounds: [Round]
        var testDescription: String { name }
    }

    static func play(_ lines: String, _ tags: String = "") -> String {
        Scripts.play(lines.map { String($0) }, tags: tags.split(separator: " ").map { String($0) })
    }

    static let both = Round(a: play("ab", "1x 2y"), b: play("cde", "1z 3w"), lines: "0a 1b", tags: "1x 2y 3w")

    static let lives = [
        Life(name: "the first one's list stands, whole", rounds: [both, Round(lines: "0a 1b", tags: "1x 2y 3w")]),
        Life(
            name: "what the second one changes is not taken",
            rounds: [both, Round(b: play("f", "1z 3v"), lines: "0a 1b", tags: "1x 2y 3v")]),
        Life(
            name: "the first one shortens its list, and loses a tag that the second one has",
            rounds: [both, Round(a: play("a", "2y"), lines: "0a", tags: "1z 2y 3w")]),
        Life(
            name: "the first one has no list any more: the second one's is taken, and given back",
            rounds: [
                both, Round(a: play("", "2y"), lines: "0c 1d 2e", tags: "1z 2y 3w"),
                Round(b: play("ce", "1z 3w"), lines: "0c 1e", tags: "1z 2y 3w"),
                Round(a: play("p", "2y"), lines: "0p", tags: "1z 2y 3w"),
            ]),
        Life(
            name: "the second one had it alone",
            rounds: [
                Round(a: "[]", b: play("cde", "1z"), lines: "0c 1d 2e", tags: "1z"),
                Round(a: play("ab", "1x"), lines: "0a 1b", tags: "1x"),
            ]),
        Life(
            name: "the first one begins a list as the second one does not give its own: that gives way all the same",
            rounds: [
                Round(a: play(""), b: play("cde"), lines: "0c 1d 2e"),
                Round(a: play("ab"), b: #"[{"id":1}]"#, lines: "0a 1b"), Round(b: play("cde"), lines: "0a 1b"),
                Round(a: play(""), lines: "0c 1d 2e"),
            ]),
        Life(
            name: "the first one begins a longer list as the second one does not give its own",
            rounds: [
                Round(a: play(""), b: play("cd"), lines: "0c 1d"),
                Round(a: play("abx"), b: #"[{"id":1}]"#, lines: "0a 1b 2x"), Round(a: play("a"), lines: "0a"),
            ]),
        Life(
            name: "the first one loses the play: nothing of it is the first one's",
            rounds: [
                both, Round(a: "[]", lines: "0c 1d 2e", tags: "1z 3w"), Round(b: "[]", lines: "", tags: ""),
                both,
            ]),
        Life(
            name: "the second one loses the play", rounds: [both, Round(b: "[]", lines: "0a 1b", tags: "1x 2y")]),
        Life(name: "both lose the play", rounds: [both, Round(a: "[]", b: "[]", lines: "", tags: ""), both]),
        Life(
            name: "contested at the first one: nothing of it goes or comes",
            rounds: [
                both,
                Round(
                    hand: "DELETE FROM line WHERE position = 0", a: play("a", "1x 2y"), lines: "1b",
                    tags: "1x 2y 3w", open: ["a list edit_edit"]),
                Round(
                    a: play("", "1x 2y"), b: play("xyz", "1z 3w"), lines: "1b", tags: "1x 2y 3w",
                    open: ["b list edit_edit"]),
            ]),
        Life(
            name: "edited before the first one gives it",
            rounds: [
                Round(a: "[]", b: play("cde"), lines: "0c 1d 2e"),
                Round(
                    hand: "UPDATE line SET text = 'm' WHERE position = 1", a: play("ab"), lines: "0c 1m 2e",
                    open: ["a list edit_edit"]),
            ]),
        Life(
            name: "contested at the first one: what the second one had is what the question began with",
            rounds: [
                Round(a: play(""), b: play("wv"), lines: "0w 1v"),
                Round(
                    hand: "DELETE FROM line WHERE position = 1", a: play("xyz"), lines: "0w",
                    open: ["a list edit_edit"]),
                Round(hand: "DELETE FROM line", b: play(""), lines: "", open: ["a list edit_edit"]),
                Round(b: play("uu"), lines: "", open: ["a list edit_edit"]),
                Round(a: play(""), lines: "", open: ["b list edit_edit"]),
            ]),
        Life(
            name: "contested at the second one, and the first one begins a list: one question",
            rounds: [
                Round(a: play(""), b: play("wv"), lines: "0w 1v"),
                Round(
                    hand: "UPDATE line SET text = 'm' WHERE position = 1", b: play("wx"), lines: "0w 1m",
                    open: ["b list edit_edit"]),
                Round(a: play("xyz"), lines: "0w 1m", open: ["a list edit_edit"]),
            ]),
        Life(
            name: "the first one's list is edited and ends: asked about as the second one says it",
            rounds: [
                both,
                Round(
                    hand: "DELETE FROM line WHERE position = 0", a: "[]", lines: "1b", tags: "1z 3w",
                    open: ["b list edit_edit"]),
            ]),
        Life(
            name:
                "the first one's list is edited and ends as the second one's begins: one question, about what would stand",
            rounds: [
                Round(a: play("b"), b: "[]", lines: "0b"),
                Round(
                    hand: "UPDATE line SET text = 'm'", a: play(""), b: play("ca"), lines: "0m",
                    open: ["b list edit_edit"]),
                Round(lines: "0m", open: ["b list edit_edit"]),
            ]),
        Life(
            name: "the first one's list is edited and ends, and the second one has none",
            rounds: [
                Round(a: play("b"), b: "[]", lines: "0b"),
                Round(
                    hand: "UPDATE line SET text = 'm'", a: play(""), b: play(""), lines: "0m",
                    open: ["a list edit_edit"]),
                Round(b: play("ca"), lines: "0m", open: ["b list edit_edit"]),
            ]),
    ]

    @Test("Two sources", arguments: lives)
    func life(_ life: Life) throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"])
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try scripts.shop.sql("PRAGMA foreign_keys = ON; \(round.hand)") }
            if let a = round.a { try scripts.put(a, as: "a") }
            if let b = round.b { try scripts.put(b, as: "b") }
            try scripts.run()
            #expect(try scripts.lines == round.lines, "round \(number)")
            #expect(try scripts.tags == round.tags, "round \(number)")
            #expect(try scripts.open == round.open, "round \(number)")
            #expect(try scripts.shop.quietRun().written == [], "round \(number)")
            #expect(try scripts.open == round.open, "round \(number), once more")
        }
    }
}
