import SluiceMerge
import SluicePipeline
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// What becomes of a list that is one value, where people and its source change it.
struct ListLife: CustomTestStringConvertible, Sendable {
    struct Round: Sendable {
        /// What is done by hand.
        var hand = ""
        /// What the source says then; nil where that is what it said before.
        var source: [String]?
        let lines: String
        /// The open conflicts.
        var open: [String] = []
        /// What is decided afterwards about all of them, or about those at a position.
        var decision: Resolution?
        var position: Int?
    }

    let name: String
    var policy = ConflictPolicy.manual
    var rules: String?
    let rounds: [Round]
    var testDescription: String { name }
}

@Suite("Lists that are one value")
struct OrderedListTests {
    static let start = ListLife.Round(source: ["a", "b", "c"], lines: "0a 1b 2c")
    static let cut = "DELETE FROM line WHERE position = 1"
    static let edit = "UPDATE line SET text = 'x' WHERE position = 0"
    static let twoGone = ["a 0 edit_delete", "a 2 edit_delete"]

    static let lives = [
        ListLife(
            name: "one deleted here, all gone there: contested until decided",
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c", open: twoGone),
                .init(lines: "0a 2c", open: twoGone), .init(source: [], lines: "0a 2c", open: twoGone),
            ]),
        ListLife(
            name: "one deleted here, shortened there",
            rounds: [
                start, .init(hand: cut, source: ["a"], lines: "0a 2c", open: ["a 2 edit_delete"]),
                .init(source: [], lines: "0a 2c", open: twoGone),
            ]),
        ListLife(
            name: "one deleted here, another list there",
            rounds: [
                start,
                .init(
                    hand: cut, source: ["p", "q", "r", "s"], lines: "0a 2c",
                    open: ["a 0 edit_edit", "a 1 delete_edit", "a 2 edit_edit", "a 3 delete_edit"]),
                .init(source: ["p"], lines: "0a 2c", open: ["a 0 edit_edit", "a 2 edit_delete"]),
            ]),
        ListLife(
            name: "the source takes its change back",
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c", open: twoGone),
                .init(source: ["a", "b", "c"], lines: "0a 2c"),
                .init(source: ["a", "b", "d"], lines: "0a 2c", open: ["a 1 delete_edit", "a 2 edit_edit"]),
            ]),
        ListLife(
            name: "the source comes to say what is here",
            rounds: [
                start,
                .init(
                    hand: edit, source: ["a", "y", "c"], lines: "0x 1b 2c", open: ["a 0 edit_edit", "a 1 edit_edit"]),
                .init(source: ["x", "b", "c"], lines: "0x 1b 2c"), .init(source: ["z", "b"], lines: "0z 1b"),
            ]),
        ListLife(
            name: "both made the same change of one, and others of others",
            rounds: [
                start, .init(hand: edit, source: ["x", "y", "c"], lines: "0x 1b 2c", open: ["a 1 edit_edit"]),
                .init(lines: "0x 1b 2c", open: ["a 1 edit_edit"], decision: .remote), .init(lines: "0x 1y 2c"),
            ]),
        ListLife(
            name: "added here, changed there",
            rounds: [
                start,
                .init(
                    hand: "INSERT INTO line VALUES (1, 3, 'm')", source: ["a", "b", "d"], lines: "0a 1b 2c 3m",
                    open: ["a 2 edit_edit"]),
                .init(
                    source: [], lines: "0a 1b 2c 3m", open: ["a 0 edit_delete", "a 1 edit_delete", "a 2 edit_delete"]),
            ]),
        ListLife(
            name: "decided for what is here",
            rounds: [
                start,
                .init(
                    hand: cut, source: ["a", "b"], lines: "0a 2c", open: ["a 1 delete_edit", "a 2 edit_delete"],
                    decision: .local),
                .init(lines: "0a 2c"), .init(source: ["a", "b"], lines: "0a 2c"),
            ]),
        ListLife(
            name: "decided for the source",
            rounds: [
                start,
                .init(
                    hand: cut, source: ["a", "b"], lines: "0a 2c", open: ["a 1 delete_edit", "a 2 edit_delete"],
                    decision: .remote),
                .init(lines: "0a 1b"), .init(source: ["k"], lines: "0k"),
            ]),
        ListLife(
            name: "what was decided of it is not asked again",
            rounds: [
                start,
                .init(
                    hand: edit, source: ["a", "y", "z"], lines: "0x 1b 2c",
                    open: ["a 0 edit_edit", "a 1 edit_edit", "a 2 edit_edit"], decision: .local, position: 0),
                .init(lines: "0x 1b 2c", open: ["a 1 edit_edit", "a 2 edit_edit"], decision: .remote, position: 1),
                .init(lines: "0x 1y 2c", open: ["a 2 edit_edit"], decision: .local),
                .init(lines: "0x 1y 2c"),
            ]),
        ListLife(
            name: "the source decides", policy: .remoteWins,
            rounds: [
                start, .init(hand: cut, source: ["p"], lines: "0p"),
                .init(hand: edit, source: ["p", "q"], lines: "0p 1q"),
            ]),
        ListLife(
            name: "the store decides", policy: .localWins,
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c"), .init(source: ["k"], lines: "0a 2c"),
            ]),
        ListLife(
            name: "a policy for one kind leaves the others open",
            rules: "{edit_edit: remote_wins, default: manual}",
            rounds: [
                start,
                .init(hand: edit, source: ["y"], lines: "0y 1b 2c", open: ["a 1 edit_delete", "a 2 edit_delete"]),
                .init(lines: "0y 1b 2c", open: ["a 1 edit_delete", "a 2 edit_delete"], decision: .remote),
                .init(lines: "0y"),
            ]),
        ListLife(
            name: "only changed there",
            rounds: [start, .init(source: ["x", "b"], lines: "0x 1b"), .init(source: [], lines: "")]),
        ListLife(
            name: "only changed here",
            rounds: [start, .init(hand: cut, lines: "0a 2c"), .init(hand: edit, lines: "0x 2c")]),
    ]

    @Test("A list's life", arguments: lives)
    func life(_ life: ListLife) throws {
        let scripts = try Scripts(policy: life.policy, lineRules: life.rules)
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try scripts.shop.sql("PRAGMA foreign_keys = ON; \(round.hand)") }
            try scripts.run(round.source)
            #expect(try scripts.lines == round.lines, "round \(number)")
            #expect(try scripts.open == round.open, "round \(number)")
            #expect(try scripts.shop.quietRun().written == [], "round \(number)")
            if let decision = round.decision { try scripts.resolve(decision, at: round.position) }
        }
    }

    // MARK: Random lives

    /// What becomes of a list as one value: base, store and source, by position, and where a conflict waits.
    private struct Model {
        var base: [Int: String] = [:]
        var local: [Int: String] = [:]
        var open: Set<Int> = []

        mutating func take(_ remote: [Int: String]) {
            let all = Set(remote.keys).union(base.keys).union(local.keys)
            if !all.contains(where: { remote[$0] != base[$0] && remote[$0] != local[$0] }) {
                (base, open) = (remote, [])
            } else if local == base && open.isEmpty {
                (base, local) = (remote, remote)
            } else {
                let isNew = open.isEmpty
                for position in all where remote[position] != nil || base[position] != nil || open.contains(position) {
                    if remote[position] == local[position] {
                        if open.remove(position) != nil { base[position] = remote[position] }
                    } else if isNew || remote[position] != base[position] {
                        open.insert(position)
                        // What the source said before it was contested is not known, but that it had the element is.
                        if base[position] == nil { base[position] = "?" }
                    }
                }
            }
        }
    }

    @Test(
        "Nothing of a contested list is lost, and the same input twice is quiet",
        arguments: 1...60 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &* 104_729)
        let scripts = try Scripts()
        var model = Model()
        var source: [String] = []
        func letter() -> String { ["a", "b", "c"].randomElement(using: &chance) ?? "" }
        for round in 0..<6 {
            for _ in 0..<Int.random(in: 0..<3, using: &chance) where round > 0 {
                let position = Int.random(in: 0..<4, using: &chance)
                let text = Int.random(in: 0..<3, using: &chance) == 0 ? nil : letter()
                model.local[position] = text
                try scripts.shop.sql(
                    text.map { "INSERT OR REPLACE INTO line VALUES (1, \(position), '\($0)')" }
                        ?? "DELETE FROM line WHERE position = \(position)")
            }
            if Int.random(in: 0..<4, using: &chance) > 0 {
                source = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in letter() }
            }
            let remote = Dictionary(uniqueKeysWithValues: source.enumerated().map { ($0, $1) })
            try scripts.run(source)
            model.take(remote)
            let expected = model.local.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined(separator: " ")
            #expect(try scripts.lines == expected, "seed \(seed), round \(round), \(source)")
            #expect(try scripts.open.count == model.open.count, "seed \(seed), round \(round), \(source)")
            #expect(try scripts.shop.quietRun().written == [], "seed \(seed), round \(round)")
            guard !model.open.isEmpty, Int.random(in: 0..<3, using: &chance) == 0 else { continue }
            let takesRemote = Bool.random(using: &chance)
            try scripts.resolve(takesRemote ? .remote : .local)
            for position in model.open where takesRemote { model.local[position] = remote[position] }
            (model.base, model.open) = (remote, [])
            try scripts.run()
            #expect(try scripts.open == [], "seed \(seed), round \(round): decided")
        }
    }
}
