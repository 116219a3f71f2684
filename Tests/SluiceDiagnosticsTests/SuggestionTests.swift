import SluiceDiagnostics
import Testing

@Suite struct SuggestionTests {
    static let streamKeys = ["name", "entity", "path", "params", "headers", "format", "records", "paginator"]

    @Test(arguments: [
        ("pathh", "path"), ("pth", "path"), ("psth", "path"), ("apth", "path"), ("Path", "path"),
        ("recrods", "records"),
        ("record", "records"), ("frmt", "format"), ("header", "headers"), ("pagination", "paginator"),
        ("parameters", "params"), ("nmae", "name"),
    ])
    func nearest(name: String, expected: String) {
        #expect(Suggestion.nearest(to: name, among: Self.streamKeys) == expected)
    }

    @Test(arguments: ["zzzz", "schedule", "", "x", "url", "rate_limit"])
    func nothingIsNear(name: String) {
        #expect(Suggestion.nearest(to: name, among: Self.streamKeys) == nil)
    }

    @Test(arguments: [
        ("url", "base_url"), ("baseUrl", "base_url"), ("base-url", "base_url"), ("max_respons", "max_response"),
        ("record", "max_record"),
    ])
    func wordsAndSeparators(name: String, expected: String) {
        let keys = ["base_url", "max_response", "max_record"]
        #expect(Suggestion.nearest(to: name, among: keys) == expected)
    }

    @Test func shortNamesNeedSomethingInCommon() {
        #expect(Suggestion.nearest(to: "a", among: ["b"]) == nil)
        #expect(Suggestion.nearest(to: "ab", among: ["ac"]) == "ac")
    }

    @Test func theFirstOfEquallyNearOnesWins() {
        #expect(Suggestion.nearest(to: "cat", among: ["bat", "rat"]) == "bat")
    }

    @Test func endlessNamesAreNotCompared() {
        let long = String(repeating: "a", count: 100_000)
        #expect(Suggestion.nearest(to: long, among: ["a", long + "b"]) == nil)
    }
}
