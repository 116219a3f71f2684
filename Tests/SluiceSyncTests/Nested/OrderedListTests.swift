import Foundation
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
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
        /// Whether a conflict over the list is open.
        var isOpen = false
        /// What is decided afterwards.
        var decision: Resolution?
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
    static let add = "INSERT INTO line VALUES (1, 3, 'm')"

    static let lives = [
        ListLife(
            name: "one deleted here, all gone there: contested until decided",
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c", isOpen: true), .init(lines: "0a 2c", isOpen: true),
                .init(source: [], lines: "0a 2c", isOpen: true),
            ]),
        ListLife(
            name: "one deleted here, shortened there",
            rounds: [
                start, .init(hand: cut, source: ["a"], lines: "0a 2c", isOpen: true),
                .init(source: [], lines: "0a 2c", isOpen: true),
            ]),
        ListLife(
            name: "one deleted here, another list there",
            rounds: [
                start, .init(hand: cut, source: ["p", "q", "r", "s"], lines: "0a 2c", isOpen: true),
                .init(source: ["p"], lines: "0a 2c", isOpen: true),
            ]),
        ListLife(
            name: "the source takes its change back",
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c", isOpen: true),
                .init(source: ["a", "b", "c"], lines: "0a 2c"),
                .init(source: ["a", "b", "d"], lines: "0a 2c", isOpen: true),
            ]),
        ListLife(
            name: "the change here is taken back",
            rounds: [
                start, .init(hand: edit, source: ["p", "b"], lines: "0x 1b 2c", isOpen: true),
                .init(hand: "UPDATE line SET text = 'a' WHERE position = 0", lines: "0p 1b"),
            ]),
        ListLife(
            name: "the source comes to say what is here",
            rounds: [
                start, .init(hand: edit, source: ["a", "y", "c"], lines: "0x 1b 2c", isOpen: true),
                .init(source: ["x", "b", "c"], lines: "0x 1b 2c"), .init(source: ["z", "b"], lines: "0z 1b"),
            ]),
        ListLife(
            name: "both made the same list",
            rounds: [start, .init(hand: edit, source: ["x", "b", "c"], lines: "0x 1b 2c"), .init(lines: "0x 1b 2c")]),
        ListLife(
            name: "what both changed alike is no reason to mix the rest",
            rounds: [
                start, .init(hand: edit, source: ["x", "y", "c"], lines: "0x 1b 2c", isOpen: true),
                .init(lines: "0x 1b 2c", isOpen: true, decision: .remote), .init(lines: "0x 1y 2c"),
            ]),
        ListLife(
            name: "changed at other places: the elements are not mixed",
            rounds: [
                start, .init(hand: edit, source: ["a", "b", "d"], lines: "0x 1b 2c", isOpen: true, decision: .remote),
                .init(lines: "0a 1b 2d"),
            ]),
        ListLife(
            name: "added here, changed there",
            rounds: [
                start, .init(hand: add, source: ["a", "b", "d"], lines: "0a 1b 2c 3m", isOpen: true),
                .init(source: [], lines: "0a 1b 2c 3m", isOpen: true, decision: .remote), .init(lines: ""),
            ]),
        ListLife(
            name: "added here, as the source comes to do",
            rounds: [
                start, .init(hand: add, source: ["a", "b", "c", "m"], lines: "0a 1b 2c 3m"),
                .init(lines: "0a 1b 2c 3m"),
            ]),
        ListLife(
            name: "decided for what is here, until the source says another list",
            rounds: [
                start, .init(hand: cut, source: ["a", "b"], lines: "0a 2c", isOpen: true, decision: .local),
                .init(lines: "0a 2c"), .init(source: ["a", "b"], lines: "0a 2c"),
                .init(source: ["a", "k"], lines: "0a 2c", isOpen: true),
            ]),
        ListLife(
            name: "decided for the source",
            rounds: [
                start, .init(hand: cut, source: ["a", "b"], lines: "0a 2c", isOpen: true, decision: .remote),
                .init(lines: "0a 1b"), .init(source: ["k"], lines: "0k"),
            ]),
        ListLife(
            name: "decided for what the source said before",
            rounds: [
                start, .init(hand: edit, source: ["a", "b"], lines: "0x 1b 2c", isOpen: true, decision: .base),
                .init(lines: "0a 1b 2c"), .init(source: ["a"], lines: "0a 1b 2c", isOpen: true),
            ]),
        ListLife(
            name: "the source decides", policy: .remoteWins,
            rounds: [
                start, .init(hand: cut, source: ["p"], lines: "0p"),
                .init(hand: edit, source: ["p", "q"], lines: "0p 1q"),
            ]),
        ListLife(
            name: "the source decides, for the whole list", policy: .remoteWins,
            rounds: [
                start, .init(hand: edit, source: ["a", "b", "d"], lines: "0a 1b 2d"),
                .init(hand: "\(add); \(cut)", source: ["a", "b", "e"], lines: "0a 1b 2e"),
            ]),
        ListLife(
            name: "the store decides", policy: .localWins,
            rounds: [
                start, .init(hand: cut, source: [], lines: "0a 2c"), .init(source: ["k"], lines: "0a 2c"),
            ]),
        ListLife(
            name: "a list is a value that was edited on both sides", rules: "{edit_edit: remote_wins, default: manual}",
            rounds: [start, .init(hand: edit, source: ["y"], lines: "0y")]),
        ListLife(
            name: "and no record that was deleted", rules: "{edit_delete: remote_wins, delete_edit: remote_wins}",
            rounds: [start, .init(hand: cut, source: ["y"], lines: "0a 2c", isOpen: true)]),
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
            #expect(try scripts.open == (round.isOpen ? ["a list edit_edit"] : []), "round \(number)")
            #expect(try scripts.shop.quietRun().written == [], "round \(number)")
            guard let decision = round.decision else { continue }
            try scripts.resolve(decision)
            #expect(try scripts.open == [], "round \(number): decided")
            #expect(try scripts.shop.quietRun().written == [], "round \(number): decided")
        }
    }

    @Test("Elements that both sides took out leave nothing to decide", arguments: [["a"], []])
    func shortenedAlike(_ rest: [String]) throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b"])
        try scripts.shop.sql("DELETE FROM line WHERE position >= \(rest.count)")
        try scripts.run(rest)
        #expect(try scripts.lines == (rest.isEmpty ? "" : "0a") && scripts.conflicts == [])
        #expect(try scripts.shop.quietRun().written == [])
        try scripts.run(["a", "b"])
        #expect(try scripts.lines == "0a 1b")
    }

    @Test("A conflict names the list and has its three sides")
    func sides() throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b"])
        try scripts.shop.sql(Self.edit)
        let report = try scripts.run(["a", "c"])
        #expect(report.entities["Line"]?.conflict == 1)
        #expect(report.entities["Line"]?.unchanged == 0)
        let columns = "kind, entity, key, field, base, local, remote, policy, seen"
        func list(_ first: String, _ second: String) -> String {
            #"[{"position":0,"text":"\#(first)"},{"position":1,"text":"\#(second)"}]"#
        }
        let base = list("a", "b")
        #expect(
            try scripts.shop.rows("SELECT \(columns) FROM _sluice_conflicts") == [
                "'edit_edit'|'Line'|'{\"play_id\":1}'|NULL|'\(base)'|'\(list("x", "b"))'|'\(list("a", "c"))'|'manual'|1"
            ])
        // The same conflict goes on with what both sides say by then.
        try scripts.shop.sql("UPDATE line SET text = 'z' WHERE position = 1")
        try scripts.run(["a", "d"])
        #expect(
            try scripts.shop.rows("SELECT id, local, remote, seen FROM _sluice_conflicts") == [
                "1|'\(list("x", "z"))'|'\(list("a", "d"))'|2"
            ])
    }

    @Test("A policy that takes the source's list keeps the other with the conflict")
    func overwritten() throws {
        let scripts = try Scripts(policy: .remoteWins)
        try scripts.run(["a", "b"])
        try scripts.shop.sql("\(Self.edit); \(Self.add)")
        try scripts.run(["a", "c"])
        #expect(
            try scripts.shop.rows("SELECT status, policy, local FROM _sluice_conflicts") == [
                #"'auto'|'remote_wins'|'[{"position":0,"text":"x"},{"position":1,"text":"b"},{"position":3,"text":"m"}]'"#
            ])
        let undo = try scripts.shop.undoPlanned(2)
        #expect(undo.report.left == 0)
        #expect(try scripts.lines == "0x 1b 3m")
    }

    @Test("A policy that ends the run")
    func failing() throws {
        let scripts = try Scripts(policy: .fail)
        try scripts.run(["a", "b"])
        try scripts.shop.sql(Self.edit)
        try scripts.put(Scripts.play(["a", "c"]))
        let report = scripts.shop.sync().report
        #expect(report.status == .failed)
        #expect(
            report.problems.map(\.message).joined().contains(#"The list of Line {"play_id":1} was changed on both"#))
        #expect(try scripts.lines == "0x 1b")
    }

    @Test("A conflict that shows another list than the store holds is reopened, and no value is set")
    func refused() throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b"])
        try scripts.shop.sql(Self.edit)
        try scripts.run(["a", "c"])
        #expect(try scripts.decide(.value("[]", field: "lines")).first?.isRefusal == true)
        try scripts.shop.sql("DELETE FROM line WHERE position = 1")
        #expect(try scripts.decide(.remote) == [.reopened])
        #expect(try scripts.lines == "0x")
        #expect(try scripts.decide(.remote) == [.resolved])
        #expect(try scripts.lines == "0a 1c")
        #expect(try scripts.shop.quietRun().written == [])
    }

    @Test("What was asked about single elements is asked of the list as a whole", arguments: [false, true])
    func elements(isDecided: Bool) throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b", "c"])
        try scripts.shop.sql("PRAGMA foreign_keys = ON; \(Self.cut)")
        // As earlier versions left it, where the source said a, k.
        try scripts.put(Scripts.play(["a", "k"]))
        try scripts.shop.sql(
            """
            UPDATE \(try scripts.shop.baseTable(of: "Line")) SET open = 1 WHERE position > 0;
            INSERT INTO _sluice_conflicts
            (id, pipeline, stream, entity, key, field, kind, local, remote, policy, status, first_run, last_run, seen) VALUES
            (1, 'scripts', 'a', 'Line', '{"play_id":1,"position":1}', NULL, 'delete_edit', NULL,
            '{"play_id":1,"position":1,"text":"k"}', 'manual', 'open', 1, 1, 1),
            (2, 'scripts', 'a', 'Line', '{"play_id":1,"position":2}', NULL, 'edit_delete',
            '{"play_id":1,"position":2,"text":"c"}', NULL, 'manual', 'open', 1, 1, 1);
            """)
        if isDecided {
            try scripts.resolve(.remote)
            #expect(try scripts.lines == "0a 1k")
            try scripts.run()
            #expect(try scripts.lines == "0a 1k")
            #expect(try scripts.open == [])
            return
        }
        try scripts.run()
        #expect(try scripts.lines == "0a 2c")
        #expect(try scripts.open == ["a list edit_edit"])
        #expect(
            try scripts.conflicts == [
                "a 1 delete_edit obsolete", "a 2 edit_delete obsolete", "a list edit_edit open",
            ])
        #expect(try scripts.shop.quietRun().written == [])
        try scripts.resolve(.local)
        #expect(try scripts.lines == "0a 2c")
        #expect(try scripts.shop.quietRun().written == [])
    }

    /// A program that checks no foreign keys leaves the rows of a list whose record it deletes.
    struct Orphaned: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hand = ""
        let source: [String]
        let lines: String
        /// Whether the record is asked about.
        var isAsked = true
    }

    static let orphaned = [
        Orphaned(testDescription: "an element changes", source: ["a", "x", "c"], lines: "0a 1x 2c"),
        Orphaned(testDescription: "the list grows at its beginning", source: ["n", "a", "b", "c"], lines: "0n 1a 2b"),
        Orphaned(testDescription: "the first element is gone", source: ["b", "c"], lines: "0b 1c"),
        Orphaned(testDescription: "the last element is gone", source: ["a", "b"], lines: "0a 1b", isAsked: false),
        Orphaned(testDescription: "nothing changes", source: ["a", "b", "c"], lines: "0a 1b 2c", isAsked: false),
        Orphaned(
            testDescription: "an element was edited here", hand: "; UPDATE line SET text = 'h' WHERE position = 0",
            source: ["p", "b", "q"], lines: "0h 1b 2q"),
    ]

    @Test("Rows of a list whose record alone was deleted here take what the source says", arguments: orphaned)
    func rowsThatStay(_ test: Orphaned) throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b", "c"])
        try scripts.shop.sql("PRAGMA foreign_keys = OFF; DELETE FROM play WHERE id = 1\(test.hand)")
        try scripts.put(Scripts.play(test.source))
        let (report, _) = try scripts.shop.syncPlanned()
        #expect(report.summary.conflict == (test.isAsked ? 1 : 0))
        #expect(try scripts.lines == test.lines)
        #expect(try scripts.open == (test.isAsked ? ["a t1 delete_edit"] : []))
        #expect(try scripts.shop.quietRun().written == [])
        #expect(try scripts.lines == test.lines)
        if !test.isAsked { return }
        try scripts.resolve(.remote)
        let all = test.source.enumerated().map { "\($0)\($0 == 0 && !test.hand.isEmpty ? "h" : $1)" }
        #expect(try scripts.lines == all.joined(separator: " "))
        #expect(try scripts.shop.rows("PRAGMA foreign_key_check") == [])
    }

    @Test("A field that is redacted from now on is in clear in no side of a list's conflict")
    func redacted() throws {
        let scripts = try Scripts()
        try scripts.run(["secret one", "b"])
        try scripts.shop.sql("UPDATE line SET text = 'x' WHERE position = 1")
        try scripts.run(["secret one", "secret two"])
        #expect(try scripts.open == ["a list edit_edit"])
        let entity = try #require(scripts.shop.definition?.entities.firstIndex { $0.name == "Line" })
        let field = try #require(scripts.shop.definition?.entities[entity].fields.firstIndex { $0.name == "text" })
        scripts.shop.definition?.entities[entity].fields[field].redaction = .hash
        let report = try scripts.run()
        let counts = report.schemaChanges.first { $0.kind == .redactValues }?.redacted
        #expect(counts?.rows == 1 && counts?.bases == 2 && counts?.conflicts == 1 && counts?.edited == 1, "\(report)")
        for (suffix, bytes) in scripts.shop.storeFiles() {
            for secret in ["secret one", "secret two"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(suffix)")
            }
        }
        #expect(try scripts.open == ["a list edit_edit"])
        try scripts.resolve(.remote)
        #expect(try scripts.shop.rows("SELECT DISTINCT length(text) FROM line") == ["64"])
        try scripts.run()
        #expect(try scripts.open == [])
    }

    // MARK: Random lives

    /// What becomes of a list as one value: what the source said, what the store holds, and whether a conflict waits.
    private struct Model {
        let policy: ConflictPolicy
        var base: [Int: String] = [:]
        var local: [Int: String] = [:]
        var isOpen = false

        mutating func take(_ remote: [Int: String]) {
            defer { if !isOpen { base = remote } }
            isOpen = false
            if remote == base || remote == local { return }
            if local == base || policy == .remoteWins { return local = remote }
            isOpen = policy == .manual
        }

        mutating func decide(_ resolution: Resolution, _ remote: [Int: String]) {
            switch resolution {
            case .remote: local = remote
            case .base: local = base
            case .local, .value: break
            }
            (base, isOpen) = (remote, false)
        }
    }

    @Test(
        "Nothing of a contested list is lost, and the same input twice is quiet",
        arguments: Seeds.first(12))
    func random(_ seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &* 104_729)
        let policy = [ConflictPolicy.manual, .manual, .remoteWins, .localWins][Int(seed % 4)]
        let scripts = try Scripts(policy: policy)
        var model = Model(policy: policy)
        var source: [String] = []
        var runs: Int64 = 0
        func letter() -> String { ["a", "b", "c"].randomElement(using: &chance) ?? "" }
        func check(_ place: String) throws {
            let expected = model.local.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined(separator: " ")
            #expect(try scripts.lines == expected, "seed \(seed), \(policy), \(place), \(source)")
            #expect(
                try scripts.open == (model.isOpen ? ["a list edit_edit"] : []),
                "seed \(seed), \(policy), \(place), \(source)")
        }
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
            let before = round > 0 ? try scripts.shop.managed() : [:]
            var isUndone = false
            try scripts.run(source)
            model.take(remote)
            try check("round \(round)")
            #expect(try scripts.shop.quietRun().written == [], "seed \(seed), round \(round)")
            runs = try scripts.shop.lastRun()
            if round > 0, Int.random(in: 0..<3, using: &chance) == 0 {
                isUndone = true
                // What the run did can be taken back, and done again.
                let undo = try scripts.shop.undoPlanned(runs - 1)
                #expect(undo.report.left == 0, "seed \(seed), round \(round)")
                for (table, rows) in before where undo.report.run != nil {
                    let now = try scripts.shop.managed()[table]?.sorted()
                    #expect(now == rows.sorted(), "seed \(seed), round \(round): \(table) undone")
                }
                try scripts.run()
                try check("round \(round), once more")
            }
            guard model.isOpen, Int.random(in: 0..<2, using: &chance) == 0 else { continue }
            let decision = [Resolution.local, .remote, .base].randomElement(using: &chance) ?? .local
            let undecided = try scripts.shop.managed()
            try scripts.resolve(decision)
            if Int.random(in: 0..<3, using: &chance) == 0 {
                isUndone = true
                let undo = try scripts.shop.undoPlanned(try scripts.shop.lastRun())
                #expect(undo.report.left == 0, "seed \(seed), round \(round): decision undone")
                for (table, rows) in undecided {
                    let now = try scripts.shop.managed()[table]?.sorted()
                    #expect(now == rows.sorted(), "seed \(seed), round \(round): \(table) undecided")
                }
                try check("round \(round), undecided")
                try scripts.resolve(decision)
            }
            model.decide(decision, remote)
            try check("round \(round), decided for \(decision)")
            let (_, written) = try scripts.shop.quietRun(renewing: isUndone)
            #expect(written == [], "seed \(seed), round \(round): decided")
        }
    }

    @Test("A record in conflict takes the place of its list's conflict, until the source lists it again")
    func recordInConflict() throws {
        let scripts = try Scripts()
        try scripts.run(["a", "b"])
        try scripts.shop.sql(Self.cut)
        try scripts.run(["a", "z"])
        #expect(try scripts.open == ["a list edit_edit"])
        try scripts.put("[]")
        let report = try scripts.run()
        #expect(try scripts.conflicts == ["a list edit_edit obsolete", "a t1 edit_delete open"])
        #expect(
            try scripts.shop.rows("SELECT resolution FROM _sluice_conflicts WHERE id = 1") == ["'record_conflict 2'"])
        #expect(report.streams.map(\.summary.conflict) == [1])
        #expect(try scripts.lines == "0a")
        #expect(try scripts.shop.quietRun().written == [])
        try scripts.run(["a", "z"])
        #expect(try scripts.open == ["a list edit_edit"])
        #expect(try scripts.lines == "0a")
    }
}
