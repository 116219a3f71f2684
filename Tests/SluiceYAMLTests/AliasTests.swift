import SluiceYAML
import Testing

@Suite struct AliasTests {
    private func read(_ text: String) -> YAMLDocument { YAMLDocument(reading: Array(text.utf8)) }

    /// The values alone, in the order of the text.
    private func text(of node: YAMLNode?) -> String {
        switch node?.content {
        case nil: ""
        case .scalar(let scalar): scalar.text
        case .sequence(let elements): "[" + elements.map { text(of: $0) }.joined(separator: " ") + "]"
        case .mapping(let members):
            "{" + members.map { "\($0.name):\(text(of: $0.value))" }.joined(separator: " ") + "}"
        }
    }

    @Test(arguments: [
        ("scalar", "a: &x 1\nb: *x", "{a:1 b:1}"),
        ("list", "a: &x [1, 2]\nb: *x", "{a:[1 2] b:[1 2]}"),
        ("mapping", "a: &x {c: 1}\nb: [*x, *x]", "{a:{c:1} b:[{c:1} {c:1}]}"),
        ("key", "&x a: 1\nb: {*x : 2}", "{a:1 b:{a:2}}"),
        ("nothing", "a: &x\nb: *x", "{a: b:}"),
        ("name used again", "- &x 1\n- *x\n- &x 2\n- *x", "[1 1 2 2]"),
        ("alias within an alias", "- &x 1\n- &y [*x]\n- *y", "[1 [1] [1]]"),
        ("merge", "a: &x {b: 1, c: 2}\nd:\n  <<: *x", "{a:{b:1 c:2} d:{b:1 c:2}}"),
        ("merge of what is written out", "<<: {a: 1}\nb: 2", "{a:1 b:2}"),
        ("own keys win after it", "<<: {a: 1, b: 1}\na: 2", "{b:1 a:2}"),
        ("own keys win before it", "a: 2\n<<: {a: 1, b: 1}", "{a:2 b:1}"),
        ("it stands where it was written", "a: 1\n<<: {b: 2}\nc: 3", "{a:1 b:2 c:3}"),
        ("list", "<<: [{a: 1, b: 1}, {b: 2, c: 2}]", "{a:1 b:1 c:2}"),
        ("list of nothing", "<<: []\na: 1", "{a:1}"),
        ("merge of a merge", "- &x {a: 1}\n- &y {<<: *x, b: 2}\n- {<<: *y, c: 3}", "[{a:1} {a:1 b:2} {a:1 b:2 c:3}]"),
        ("alias of a list", "- &x {a: 1}\n- &y [*x, {b: 2}]\n- {<<: *y}", "[{a:1} [{a:1} {b:2}] {a:1 b:2}]"),
        ("no depth", "<<: {a: {b: 1}}\na: {c: 2}", "{a:{c:2}}"),
        ("quoted key is a name", "'<<': {a: 1}", "{<<:{a:1}}"),
    ])
    func value(_ name: String, text: String, expected: String) {
        let document = read(text)
        #expect(document.problems == [], "\(name)")
        #expect(self.text(of: document.root) == expected, "\(name)")
    }

    @Test func aliasedValueStandsWhereItWasWrittenAndKnowsWhereItIsUsed() throws {
        let members = try #require(read("a: &x {c: 1}\nb: *x\n").root?.mapping)
        #expect(members[0].value.usedAt == nil)
        #expect(members[1].value.start == members[0].value.start)
        #expect(members[1].value.usedAt == Mark(line: 2, column: 4))
        #expect(members[1].value.mapping?.first?.value.start == Mark(line: 1, column: 11))
    }

    @Test func mergedMemberKnowsEachMergeThatBroughtIt() throws {
        let text = "- &x {a: 1}\n- &y {<<: *x, b: 2}\n- {<<: [*y], c: 3}\n"
        let list = try #require(read(text).root?.sequence)
        let members = try #require(list[2].mapping)
        #expect(members.map(\.name) == ["a", "b", "c"])
        #expect(members[0].key.start == Mark(line: 1, column: 7))
        #expect(members[0].mergedAt == [Mark(line: 2, column: 11), Mark(line: 3, column: 9)])
        #expect(members[1].mergedAt == [Mark(line: 3, column: 9)])
        #expect(members[2].mergedAt == [])
    }

    @Test func keyOfAnAliasStandsWhereTheAliasStands() throws {
        let inner = try #require(read("&x a: 1\nb: {*x : 2}").root?.mapping?.last?.value.mapping)
        #expect(inner.first?.key.start == Mark(line: 2, column: 5))
    }

    @Test(arguments: [
        ("no anchor", "a: *x", [YAMLError.Code.invalidAlias], Mark(line: 1, column: 4)),
        ("anchor after it", "a: *x\nb: &x 1", [.invalidAlias], Mark(line: 1, column: 4)),
        ("merge without an anchor", "<<: *x", [.invalidAlias], Mark(line: 1, column: 5)),
        ("mapping within itself", "a: &x\n  b: *x", [.invalidAlias], Mark(line: 2, column: 6)),
        ("list within itself", "&x [1, *x]", [.invalidAlias], Mark(line: 1, column: 8)),
        ("merge of itself", "a: &x\n  <<: *x", [.invalidAlias], Mark(line: 2, column: 7)),
        ("merge of a text", "<<: a", [.invalidMerge], Mark(line: 1, column: 5)),
        ("merge of texts", "<<: [{a: 1}, b]", [.invalidMerge], Mark(line: 1, column: 14)),
        ("merge of a list of lists", "<<: [[{a: 1}]]", [.invalidMerge], Mark(line: 1, column: 6)),
        ("merge of an aliased text", "a: &x b\n<<: *x", [.invalidMerge], Mark(line: 2, column: 5)),
        ("two merge keys", "<<: {a: 1}\n<<: {b: 1}", [.duplicateKey], Mark(line: 2, column: 1)),
        ("two problems", "a: *x\nb: *y", [.invalidAlias, .invalidAlias], Mark(line: 1, column: 4)),
    ])
    func refused(_ name: String, text: String, codes: [YAMLError.Code], mark: Mark) {
        let document = read(text)
        #expect(document.problems.map(\.code) == codes, "\(name)")
        #expect(document.problems.first?.mark == mark, "\(name)")
    }

    @Test func recursiveAliasSaysSo() {
        let message = read("a: &x [*x]").problems.first?.message
        #expect(message == "The alias `*x` is within the value of `&x`, which would then contain itself.")
    }

    /// Nine anchors, each a list of ten times the one before: a thousand million values.
    @Test(.timeLimit(.minutes(1))) func aliasesDoNotMultiplyWithoutEnd() {
        var text = "- &x0 [a, b]\n"
        for level in 1...9 {
            let aliases = [String](repeating: "*x\(level - 1)", count: 10).joined(separator: ", ")
            text += "- &x\(level) [\(aliases)]\n"
        }
        let document = read(text)
        #expect(document.root == nil)
        #expect(document.problems.map(\.code) == [.limit])
        #expect(document.problems.first?.mark.line == 6)
        #expect(
            document.problems.first?.message
                == "The aliases up to here expand to more than 100000 values, which is the limit.")
    }

    @Test(.timeLimit(.minutes(1))) func mergesDoNotMultiplyWithoutEnd() {
        let keys = (0..<200).map { "k\($0): 1" }.joined(separator: ", ")
        let chain = (1...3000).map { "- &x\($0) {<<: *x\($0 - 1)}" }.joined(separator: "\n")
        let document = read("- &x0 {\(keys)}\n\(chain)\n")
        #expect(document.problems.map(\.code) == [.limit])
    }

    @Test func limitIsExact() {
        var limits = YAMLDocument.Limits()
        limits.maximumAliasedNodes = 6
        // A list of two is three values.
        #expect(YAMLDocument(reading: Array("[&x [1, 2], *x, *x]".utf8), limits: limits).problems == [])
        let third = YAMLDocument(reading: Array("[&x [1, 2], *x, *x, *x]".utf8), limits: limits)
        #expect(third.problems.map(\.code) == [.limit])
        #expect(third.problems.first?.mark == Mark(line: 1, column: 21))
    }

    @Test func aliasesCountTowardsTheDepth() {
        var limits = YAMLDocument.Limits()
        limits.maximumDepth = 3
        #expect(YAMLDocument(reading: Array("[&x [1], [*x]]".utf8), limits: limits).problems == [])
        let deep = YAMLDocument(reading: Array("[&x [1], [[*x]]]".utf8), limits: limits)
        #expect(deep.problems.map(\.code) == [.limit])
    }

    @Test(arguments: ["a: 1\n---\nb: 2\n", "a: 1\n...\n---\nb: 2\n", "--- a\n--- b\n"])
    func secondDocumentIsRefused(text: String) {
        let document = read(text)
        #expect(document.problems.map(\.code) == [.unsupported])
        #expect(document.problems.first?.message.hasPrefix("A second document starts here") == true)
        #expect(document.problems.first?.mark.column == 1)
    }
}
