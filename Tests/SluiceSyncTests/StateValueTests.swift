import SluiceDecode
import SluiceModel
import SluiceReconcile
import SluiceStore
import TestSupport
import Testing

/// What a store remembers of streams: names and texts are part of its format.
@Suite("Remembered values")
struct StateValueTests {
    @Test("Each kind has its name, and the name tells the kind")
    func names() {
        let names: [(StateKind, String)] = [
            (.validators, "validators"), (.token, "cursor_token"), (.tokenGivenUp, "token_given_up"),
            (.fingerprints, "record_texts"),
            (.partitions, "partitions"), (.heldRows, "rows_before_refused_deletes"),
            (.refusedRun, "run_with_refused_deletes"), (.unmappedKeys, "unmapped_keys"), (.cursor, "cursor."),
            (.partitionCursors, "cursors."),
            (.definition, "definition"), (.request, "request"), (.formerName, "formerly:"), (.origin, "import:"),
            (.appliedPlan, "applied_plan"),
            (.order, "order"),
        ]
        #expect(names.map(\.0) == StateKind.allCases)
        for (kind, name) in names {
            #expect(kind.rawValue == name)
            #expect(StateKind(name: kind.takesDetail ? name + "at" : name) == kind)
            #expect(kind.takesDetail || StateKind(name: name + "x") == nil)
        }
        #expect(StateKind(name: "something else") == nil)
    }

    @Test("Undo makes void what it has to, and no more")
    func undo() {
        let kinds = Dictionary(grouping: StateKind.allCases, by: \.afterUndo)
        #expect(kinds[.unread] == [.token, .cursor, .partitionCursors])
        #expect(kinds[.void] == [.validators, .fingerprints])
        #expect(kinds[.before] == [.tokenGivenUp, .partitions, .heldRows, .refusedRun, .order])
        #expect(kinds[.reread] == [.definition])
        #expect(kinds[.same] == [.unmappedKeys, .request, .formerName, .origin, .appliedPlan])
        // What is to be as before has to be known.
        for kind in StateKind.allCases where [.before, .unread, .reread].contains(kind.afterUndo) {
            #expect(kind.isRecorded)
        }
        var memory = TextMemory()
        (memory.generation, memory.fingerprint) = (3, "f")
        #expect(memory.voided?.generation == 3 && memory.voided?.fingerprint == "")
        #expect(PageValidators(fingerprint: "f", pages: []).voided == nil)
    }

    @Test("The texts of earlier versions")
    func texts() throws {
        let pages = [
            PageValidators.Page(url: "http://a/1", entityTag: "\"x\"", lastModified: nil, total: 7),
            PageValidators.Page(url: "http://a/2", entityTag: nil, lastModified: "Tue"),
        ]
        check(PageValidators(fingerprint: "f", pages: pages), "f\nhttp://a/1\t\"x\"\t\t7\nhttp://a/2\t\tTue")
        check(PartitionMemory(fingerprint: "f", asked: 7, failed: ["[\"b\"]", "[\"a\"]"]), "f\n7\n[\"a\"]\n[\"b\"]")
        check(KeptCursors(["[\"b\"]": "2", "[\"a\"]": "1"]), "[\"a\"]\t1\n[\"b\"]\t2")
        check(KnownPaths(["a", "b.c"]), "a\nb.c")
        check(KnownPaths([]), "")
        check(KnownPaths(["a"], gone: ["b", "c"]), "a\n\nb\nc")
        check(KnownPaths([], gone: ["b"]), "\n\nb")
        check(10, "10")
        check("2024-01-01", "2024-01-01")
        check(
            KeptToken(fingerprint: "f", lead: .value(.text("t\n"))),
            #"{"fingerprint":"f","lead":"text","token":"t\n"}"#)
        check(
            KeptToken(fingerprint: "f", lead: .link("http://a")),
            #"{"fingerprint":"f","lead":"link","token":"http://a"}"#)
        var memory = TextMemory()
        (memory.generation, memory.fingerprint) = (3, "abc")
        check(memory, "3 abc 3")
        // What an earlier version made of the same texts may differ.
        #expect(TextMemory(stateText: "3 abc 2") == nil)
        #expect(KeptCursors().stateText == nil)
        let many = Set((0...1000).map { ExactText("[\"\($0)\"]") })
        #expect(PartitionMemory(fingerprint: "f", asked: 1, failed: many).stateText == nil)
    }

    private func check<Value: StateValue>(_ value: Value, _ text: String) {
        #expect(value.stateText == text)
        #expect(Value(stateText: text) == value)
    }

    @Test("Damaged texts count as absent")
    func damage() {
        #expect(PageValidators(stateText: "f") == nil && PageValidators(stateText: "f\nurl\tx") == nil)
        #expect(PartitionMemory(stateText: "f\nx") == nil && PartitionMemory(stateText: "") == nil)
        #expect(KeptToken(stateText: "{}") == nil && KeptToken(stateText: "[") == nil)
        #expect(TextMemory(stateText: "1 f 2") == nil && TextMemory(stateText: "x f 3") == nil)
        #expect(Int(stateText: "ten") == nil)
        #expect(KeptCursors(stateText: "a\tb\tc\nd\t1")?.cursors == ["d": "1"])
    }

    @Test("Every value is read as it was written; no damage ends the program", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word() -> String {
            String((0..<Int.random(in: 1...6, using: &random)).map { _ in random.pick(Array("ab \"\\/é😀{}[],:0")) })
        }
        func words() -> [String] { (0..<Int.random(in: 0..<4, using: &random)).map { _ in word() } }
        func maybe() -> String? { random.chance(50) ? word() : nil }
        let pages = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            PageValidators.Page(url: word(), entityTag: maybe(), lastModified: maybe())
        }
        keeps(PageValidators(fingerprint: word(), pages: pages), &random)
        keeps(
            PartitionMemory(
                fingerprint: word(), asked: Int64.random(in: 0 ... .max, using: &random),
                failed: Set(words().map { ExactText($0) })),
            &random)
        keeps(KeptCursors(Dictionary(words().map { (ExactText($0), word()) }) { $1 }), &random)
        keeps(KnownPaths(words(), gone: words()), &random)
        keeps(Int.random(in: 0 ... .max, using: &random), &random)
        let text = random.pick(["", "\n", "\t"]) + word()
        let leads: [PageToken.Lead] = [.start, .link(text), .value(.text(text)), .value(.json(text))]
        keeps(KeptToken(fingerprint: word(), lead: random.pick(leads)), &random)
        var memory = TextMemory()
        memory.generation = Int.random(in: 0 ... .max, using: &random)
        memory.fingerprint = word().filter { $0 != " " }
        keeps(memory, &random)
    }

    private func keeps<Value: StateValue>(_ value: Value, _ random: inout SeededGenerator) {
        guard let text = value.stateText else { return }
        #expect(Value(stateText: text) == value)
        var bytes = Array(text.utf8)
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if random.chance(50) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
        // Whatever it reads there, it reads again from what it writes of it.
        guard let read = Value(stateText: String(decoding: bytes, as: UTF8.self)), let again = read.stateText else {
            return
        }
        #expect(Value(stateText: again) == read)
    }
}
