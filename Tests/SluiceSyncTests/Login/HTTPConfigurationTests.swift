import SluiceFetch
import SluiceHTTP
import SluicePages
import SluicePipeline
import Testing

@Suite struct HTTPConfigurationTests {
    @Test func whatThePipelineSaysOfTheSourceReachesTheClient() {
        var source = SourceDefinition(base: .http(ConfigurationText("http://h")))
        (source.rateLimit.limit, source.rateLimit.interval) = (10, .seconds(60))
        (source.rateLimit.remainingHeader, source.rateLimit.resetHeader) = ("X-Left", "X-Reset")
        (source.rateLimit.resetUnit, source.rateLimit.reserve) = (.epoch, 3)
        source.retry.maximumWait = .seconds(7)
        let configuration = HTTPConfiguration(source, version: "1")
        var expected = HTTPRateLimit()
        (expected.limit, expected.interval) = (10, .seconds(60))
        (expected.remainingHeader, expected.resetHeader) = ("X-Left", "X-Reset")
        (expected.resetUnit, expected.reserve) = (.epoch, 3)
        #expect(configuration.rateLimit == expected)
        #expect(configuration.retry.maximumWait == .seconds(7))
    }
}
