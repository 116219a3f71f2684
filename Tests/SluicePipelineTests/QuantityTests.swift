import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct QuantityTests {
    @Test(arguments: [
        ("10s", 10_000), ("500ms", 500), ("5m", 300_000), ("2h", 7_200_000), ("1d", 86_400_000), ("007s", 7_000),
    ])
    func duration(text: String, milliseconds: Int) {
        let (definition, problems) = PipelineText.load(PipelineText.make(source: "timeout: {total: \(text)}"))
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.source.timeout.total == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "10", "s", "10 s", "1.5s", "-1s", "10S", "10sec", "1h30m", "", "~", "99999999999999999999s",
        "9223372036854775807d", "2d", "0s", "[10s]",
    ])
    func noDuration(text: String) {
        let (definition, problems) = PipelineText.load(PipelineText.make(source: "timeout: {total: \(text)}"))
        #expect(definition == nil)
        #expect(problems.count == 1)
    }

    @Test(arguments: [
        ("1", 1), ("100", 100), ("10B", 10), ("2KB", 2_000), ("10MB", 10_000_000), ("1GB", 1_000_000_000),
        ("512KiB", 524_288), ("64MiB", 67_108_864), ("2GiB", 2_147_483_648),
    ])
    func size(text: String, bytes: Int) {
        let (definition, problems) = PipelineText.load(PipelineText.make(source: "max_response: \(text)"))
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.source.maximumResponseBytes == bytes)
    }

    @Test(arguments: ["0", "-1", "1.5MiB", "64mib", "MiB", "1 MiB", "1TB", "9999999999GiB", "true", "0x10"])
    func noSize(text: String) {
        let (definition, problems) = PipelineText.load(PipelineText.make(source: "max_response: \(text)"))
        #expect(definition == nil)
        #expect(problems.count == 1)
    }

    @Test(arguments: [
        ("0", DeleteRule.Limit.count(0)), ("25", .count(25)), ("0%", .percent(0)), ("10%", .percent(10)),
        ("2.5%", .percent(2.5)), ("100%", .percent(100)),
    ])
    func rowLimit(text: String, limit: DeleteRule.Limit) {
        let stream = "delete_missing: {mode: hard, max_delete: \(text)}"
        #expect(PipelineText.load(PipelineText.make(stream: stream)).0?.streams.first?.deleteMissing.maximum == limit)
    }

    @Test(arguments: ["-1", "101%", "'%'", ".5%", "5.%", "1e1%", "1.5", "ten", "10 %", "1.2.3%", "0x10"])
    func noRowLimit(text: String) {
        let stream = "delete_missing: {mode: hard, max_delete: \(text)}"
        #expect(PipelineText.load(PipelineText.make(stream: stream)).1.map(\.code) == ["invalid_value"])
    }
}
