import SluiceMerge
import TestSupport
import Testing

/// A tree in short: names with values, or a text taken as a whole.
indirect enum Plant: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, Sendable {
    case leaf(String)
    case members([(String, Plant)])

    init(stringLiteral text: String) { self = .leaf(text) }
    init(dictionaryLiteral members: (String, Plant)...) { self = .members(members) }

    var tree: MergeTree {
        switch self {
        case .leaf(let text): .whole(MergeItem(canonical: Array(text.lowercased().utf8), text: Array(text.utf8)))
        case .members(let members):
            .members(members.map { MergeTree.Member(name: Array($0.utf8), value: $1.tree) })
        }
    }
}

extension MergeTree {
    /// Names and texts in their order, as in `a:1 b:(c:2)`.
    var words: String {
        switch self {
        case .whole(let item): String(decoding: item.text, as: UTF8.self)
        case .members(let members):
            "("
                + members.map { String(decoding: $0.name, as: UTF8.self) + ":" + $0.value.words }
                .joined(separator: " ") + ")"
        }
    }
}

@Suite("Merging a value name by name")
struct MemberMergeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let base: Plant?
        let local: Plant
        let remote: Plant
        let result: String
        var divergences: [String] = []
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "both sides add", base: ["a": "1"], local: ["a": "1", "l": "2"], remote: ["a": "1", "r": "3"],
            result: "(a:1 l:2 r:3)"),
        Case(
            name: "both sides change, each its own", base: ["a": "1", "b": "1"], local: ["a": "2", "b": "1"],
            remote: ["a": "1", "b": "2"], result: "(a:2 b:2)"),
        Case(
            name: "one takes away, the other changes another", base: ["a": "1", "b": "1"], local: ["b": "1"],
            remote: ["a": "1", "b": "2"], result: "(b:2)"),
        Case(name: "both take away", base: ["a": "1"], local: [:], remote: [:], result: "()"),
        Case(
            name: "both make the same change, written in their own ways", base: ["a": "x"], local: ["a": "Y"],
            remote: ["a": "y"], result: "(a:Y)"),
        Case(
            name: "another way to write it is no change", base: ["a": "x", "b": "1"], local: ["a": "X", "b": "2"],
            remote: ["a": "x", "b": "1"], result: "(a:X b:2)"),
        Case(
            name: "the order of names is no change", base: ["a": "1", "b": "2"], local: ["b": "2", "a": "1"],
            remote: ["a": "1", "b": "3"], result: "(a:1 b:3)"),
        Case(
            name: "deep down", base: ["a": ["x": "1", "y": "1"]], local: ["a": ["x": "2", "y": "1"]],
            remote: ["a": ["x": "1", "y": "2", "z": "3"]], result: "(a:(x:2 y:2 z:3))"),
        Case(
            name: "the same name changed on both sides", base: ["a": "1", "b": "1"], local: ["a": "2", "b": "2"],
            remote: ["a": "3", "b": "1"], result: "(a:2 b:2)", divergences: ["a"]),
        Case(
            name: "deep down as well", base: ["a": ["x": "1", "y": "1"]], local: ["a": ["x": "2", "y": "2"]],
            remote: ["a": ["x": "3", "y": "3"]], result: "(a:(x:2 y:2))", divergences: ["a/x", "a/y"]),
        Case(
            name: "taken away here, changed there", base: ["a": "1"], local: [:], remote: ["a": "2"], result: "()",
            divergences: ["a"]),
        Case(
            name: "changed here, taken away there", base: ["a": "1"], local: ["a": "2"], remote: [:], result: "(a:2)",
            divergences: ["a"]),
        Case(
            name: "changed within, replaced as a whole", base: ["a": [:]], local: ["a": ["x": "1"]],
            remote: ["a": "2"], result: "(a:(x:1))", divergences: ["a"]),
        Case(
            name: "added on both sides, with names", base: [:], local: ["a": ["x": "1"]], remote: ["a": ["y": "2"]],
            result: "(a:(x:1 y:2))"),
        Case(
            name: "added on both sides, one without names", base: [:], local: ["a": ["x": "1"]], remote: ["a": "2"],
            result: "(a:(x:1))", divergences: ["a"]),
        Case(
            name: "names in place of a text on both sides", base: ["a": "1"], local: ["a": ["x": "1"]],
            remote: ["a": ["y": "1"]], result: "(a:(x:1))", divergences: ["a"]),
        Case(
            name: "no base", base: nil, local: ["a": "1", "b": "2"], remote: ["b": "2", "c": "3"],
            result: "(a:1 b:2 c:3)"),
        Case(
            name: "no base and the same name", base: nil, local: ["a": "1"], remote: ["a": "2"], result: "(a:1)",
            divergences: ["a"]),
        Case(name: "texts", base: "1", local: "2", remote: "3", result: "2", divergences: [""]),
        Case(name: "a text and names", base: [:], local: ["a": "1"], remote: "3", result: "(a:1)", divergences: [""]),
    ]

    @Test(arguments: cases)
    func goesAsItSays(_ example: Case) {
        let merge = MemberMerge(base: example.base?.tree, local: example.local.tree, remote: example.remote.tree)
        #expect(merge.result.words == example.result)
        let paths = merge.divergences.map { $0.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/") }
        #expect(paths == example.divergences)
        // The other way round the same diverges.
        let mirrored = MemberMerge(base: example.base?.tree, local: example.remote.tree, remote: example.local.tree)
        #expect(Set(mirrored.divergences) == Set(merge.divergences))
        if merge.divergences.isEmpty { #expect(mirrored.result == merge.result) }
    }

    @Test func namesAreTheirBytes() {
        // é in one character and in two.
        let merge = MemberMerge(
            base: Plant.members([]).tree, local: Plant.members([("\u{E9}", "1")]).tree,
            remote: Plant.members([("e\u{301}", "2")]).tree)
        #expect(merge.divergences.isEmpty)
        #expect(merge.result.words.unicodeScalars.count == "(\u{E9}:1 e\u{301}:2)".unicodeScalars.count)
    }

    @Test func depthIsNoDanger() {
        func nested(_ text: String) -> MergeTree {
            (0..<1024).reduce(Plant.leaf(text).tree) { inner, _ in
                .members([MergeTree.Member(name: [0x61], value: inner)])
            }
        }
        let merge = MemberMerge(base: nested("1"), local: nested("2"), remote: nested("3"))
        #expect(merge.divergences.map(\.count) == [1024])
    }
}

@Suite("Laws of merging name by name, on random values")
struct MemberMergeLawTests {
    static func tree(depth: Int, using random: inout SeededGenerator) -> MergeTree {
        if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
            return Plant.leaf(String(Int.random(in: 0..<4, using: &random))).tree
        }
        let names = (0..<5).filter { _ in Bool.random(using: &random) }
        return .members(
            names.map { MergeTree.Member(name: [UInt8(0x61 + $0)], value: tree(depth: depth - 1, using: &random)) })
    }

    /// A value of which some names were changed, added or taken away.
    static func edited(_ tree: MergeTree, only names: Set<UInt8>, using random: inout SeededGenerator) -> MergeTree {
        guard case .members(let members) = tree else { return tree }
        let standing = Set(members.map { $0.name[0] })
        var result = members.compactMap { member -> MergeTree.Member? in
            guard names.contains(member.name[0]) else { return member }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return nil
            case 1: return MergeTree.Member(name: member.name, value: self.tree(depth: 2, using: &random))
            default: return member
            }
        }
        for name in names.subtracting(standing).sorted() where Bool.random(using: &random) {
            result.append(MergeTree.Member(name: [name], value: self.tree(depth: 2, using: &random)))
        }
        return .members(result.shuffled(using: &random))
    }

    static let letters = Set((0..<8).map { UInt8(0x61 + $0) })

    @Test(arguments: 0..<300 as Range<UInt64>)
    func editsOfDifferentNamesNeverDiverge(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = MergeTree.members(
            Self.letters.sorted().filter { _ in Bool.random(using: &random) }.map {
                MergeTree.Member(name: [$0], value: Self.tree(depth: 2, using: &random))
            })
        let ours = Self.letters.filter { _ in Bool.random(using: &random) }
        let local = Self.edited(base, only: ours, using: &random)
        let remote = Self.edited(base, only: Self.letters.subtracting(ours), using: &random)
        let merge = MemberMerge(base: base, local: local, remote: remote)
        #expect(merge.divergences.isEmpty, "seed \(seed): \(base.words) \(local.words) \(remote.words)")
        // What each side did stands.
        for (side, names) in [(local, ours), (remote, Self.letters.subtracting(ours))] {
            for name in names { #expect(Self.value(merge.result, name) == Self.value(side, name), "seed \(seed)") }
        }
    }

    private static func value(_ tree: MergeTree, _ name: UInt8) -> MergeTree? {
        if case .members(let members) = tree { members.first { $0.name == [name] }?.value } else { nil }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func aSideThatDidNothingGivesTheOther(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = Self.tree(depth: 3, using: &random)
        let other = Self.tree(depth: 3, using: &random)
        let fromRemote = MemberMerge(base: base, local: base, remote: other)
        #expect(fromRemote.result == other && fromRemote.divergences.isEmpty, "seed \(seed)")
        let fromLocal = MemberMerge(base: base, local: other, remote: base)
        #expect(fromLocal.result == other && fromLocal.divergences.isEmpty, "seed \(seed)")
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func mergingAgainIsQuietAndBothWaysAreOne(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = Self.tree(depth: 3, using: &random)
        let local = Self.tree(depth: 3, using: &random)
        let remote = Self.tree(depth: 3, using: &random)
        let merge = MemberMerge(base: base, local: local, remote: remote)
        let mirrored = MemberMerge(base: base, local: remote, remote: local)
        #expect(Set(merge.divergences) == Set(mirrored.divergences), "seed \(seed)")
        guard merge.divergences.isEmpty else { return }
        #expect(merge.result == mirrored.result, "seed \(seed)")
        let again = MemberMerge(base: remote, local: merge.result, remote: remote)
        #expect(again.result == merge.result && again.divergences.isEmpty, "seed \(seed)")
    }
}
