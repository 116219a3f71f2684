import SluiceYAML
import TestSupport
import Testing

@Suite struct YAMLFuzzTests {
    static let text = Array(
        """
        %YAML 1.2
        ---
        a: &x [1, 2.5, 0x1F, .inf, ~]
        "b\\u00e9": {c: 'd''e', ? f : g, h: *x}
        list:
          - |+
            literal

          - >2-
              folded
          - !!str 12
        <<: [&m {k: v, <<: {o: p}}, *m]
        é: 図書 # comment
        ...
        """.utf8)

    @Test(arguments: 0..<20 as Range<UInt64>)
    func mutatedTextNeverTraps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = Self.text
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(Array("[]{}:,-?&*!|>'\"%@`#\n\t ".utf8).randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            check(YAMLDocument(reading: bytes), lines: SourceLines(bytes), seed: seed)
        }
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func randomBytesNeverTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            check(YAMLDocument(reading: bytes), lines: SourceLines(bytes), seed: seed)
        }
    }

    /// Every mark is a place of the text.
    private func check(_ document: YAMLDocument, lines: SourceLines, seed: UInt64) {
        #expect(document.root != nil || !document.problems.isEmpty || lines.count >= 1)
        for problem in document.problems {
            #expect((1...lines.count).contains(problem.mark.line), "seed \(seed): \(problem)")
            #expect(problem.mark.column >= 1, "seed \(seed): \(problem)")
        }
        if let root = document.root { check(root, lines: lines, seed: seed) }
    }

    private func check(_ node: YAMLNode, lines: SourceLines, seed: UInt64) {
        let width = lines.line(node.start.line)?.unicodeScalars.count
        #expect(width.map { node.start.column <= $0 + 1 } == true, "seed \(seed): \(node.start)")
        for element in node.sequence ?? [] { check(element, lines: lines, seed: seed) }
        for member in node.mapping ?? [] {
            check(member.key, lines: lines, seed: seed)
            check(member.value, lines: lines, seed: seed)
        }
    }
}
