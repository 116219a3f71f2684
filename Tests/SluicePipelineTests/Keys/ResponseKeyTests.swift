import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct ResponseKeyTests {
    @Test func aRateLimitIsRead() throws {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(
                source:
                    "rate_limit: {limit: 10, interval: 1m, remaining_header: X-Left, reset_header: X-Reset, reset_unit: epoch, reserve: 3}"
            ), keys: .all)
        #expect(Fixtures.render(problems) == "")
        var expected = SourceDefinition.RateLimit()
        (expected.limit, expected.interval) = (10, .seconds(60))
        (expected.remainingHeader, expected.resetHeader) = ("X-Left", "X-Reset")
        (expected.resetUnit, expected.reserve) = (.epoch, 3)
        #expect(definition?.source.rateLimit == expected)
    }

    @Test func rulesAreReadInOrder() throws {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(
                source:
                    "on_response: [{status: [429, 5xx], action: retry}, {when: .body.gone, action: stop, message: Gone.}, {status: 404, action: ignore}]"
            ), keys: .all)
        #expect(Fixtures.render(problems) == "")
        #expect(
            definition?.source.responseRules == [
                .init(statuses: [429...429, 500...599], action: .retry),
                .init(condition: ".body.gone", action: .stop, message: "Gone."),
                .init(statuses: [404...404], action: .ignore),
            ])
    }
}
