import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import TestSupport
import Testing

@Suite struct LoaderFuzzTests {
    static let pieces = [
        "${", "}", "$$", "{{ ", "- ", ": ", "\n", "\t", "'", "\"", "[", "]", "&a ", "*a", "!!int ", "|", "0x", "-", "%",
        "\u{85}", "\u{2028}", "图", "\\u0000", "e9999", "99999999999999999999", "~", "#", "? ", "<<", "---\n", "@",
    ].map { Array($0.utf8) }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func mutatedPipelineNeverTraps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = PipelineText.make(
            source: "auth: {type: basic, username: u, password: '${env:P}'}",
            field: "at: {from: '$.a[0]', type: datetime, format: '%Y-%m-%d', timezone: UTC, default: 2024-01-01}",
            stream: "records: $.items[*]\n    delete_missing: {mode: hard, max_delete: 5%}",
            top: "vars: {a: 1}\nstore: sqlite:${var:a}.db")
        for _ in 0..<100 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + 3, bytes.count))
                case 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
                default: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: place)
                }
            }
            let (definition, problems) = PipelineLoader.load(
                bytes: bytes, file: "x.yaml", environment: ["P": "hunter2"], mode: .run)
            let hasErrors = problems.contains { $0.severity == .error }
            #expect((definition == nil) == hasErrors, "seed \(seed)")
            #expect(!Fixtures.render(problems).contains("hunter2"), "seed \(seed)")
        }
    }
}
