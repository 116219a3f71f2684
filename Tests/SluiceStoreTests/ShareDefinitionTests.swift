import SluiceStore
import Testing

/// What a store keeps of what shared requests are made from.
@Suite struct ShareDefinitionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: [String]
        let second: [String]
        var fingerprint = "f"
        let isSame: Bool
    }

    static let cases = [
        Case(testDescription: "no variables", first: [], second: [], isSame: true),
        Case(testDescription: "another file", first: [], second: [], fingerprint: "g", isSame: false),
        Case(testDescription: "the same values", first: ["a", ""], second: ["a", ""], isSame: true),
        Case(
            testDescription: "another file, the same values", first: ["a"], second: ["a"], fingerprint: "g",
            isSame: false),
        Case(testDescription: "another value", first: ["a"], second: ["b"], isSame: false),
        Case(testDescription: "other order", first: ["a", "b"], second: ["b", "a"], isSame: false),
        Case(testDescription: "other bounds", first: ["ab", "c"], second: ["a", "bc"], isSame: false),
        Case(testDescription: "one more", first: ["a"], second: ["a", ""], isSame: false),
        Case(testDescription: "none any more", first: ["a"], second: [], isSame: false),
        Case(testDescription: "what versions without values kept", first: [], second: ["a"], isSame: false),
    ]

    @Test(arguments: cases)
    func comparing(test: Case) {
        let kept = ShareDefinition(fingerprint: "f", values: test.first).sealed
        let other = ShareDefinition(fingerprint: test.fingerprint, values: test.second)
        #expect(other.isSame(as: kept) == test.isSame, "\(kept)")
    }

    @Test func noValueIsKept() {
        let definition = ShareDefinition(fingerprint: "f", values: ["hunter-of-secrets"])
        let kept = [definition.sealed, definition.sealed]
        #expect(kept[0] != kept[1] && kept.allSatisfy { definition.isSame(as: $0) })
        #expect(kept.allSatisfy { $0.hasPrefix("f ") && !$0.contains("hunter") }, "\(kept)")
    }
}
