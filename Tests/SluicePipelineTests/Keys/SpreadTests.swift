import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What `spread` divides between workers, and where it cannot.
@Suite struct SpreadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let codes: [DiagnosticCode]
        let words: String
    }

    private static let items = "path: \"/{{ item }}\"\n    for_each: [a, b]\n    spread: true"

    static let cases = [
        Case(testDescription: "a list", text: PipelineText.make(stream: items), codes: [], words: ""),
        Case(
            testDescription: "pages that are kept one by one",
            text: PipelineText.make(stream: items, top: "commit: page"),
            codes: [], words: ""),
        Case(
            testDescription: "a store on PostgreSQL",
            text: PipelineText.make(stream: items, top: "store: postgres://db.example/shop"), codes: [], words: ""),
        Case(
            testDescription: "neither list nor parent", text: PipelineText.make(stream: "spread: true"),
            codes: ["conflicting_keys"], words: "`books` has neither"),
        Case(
            testDescription: "files",
            text: PipelineText.make(stream: items).replacing("https://api.example.com", with: "file:data"),
            codes: ["conflicting_keys"], words: "a `file:` source makes none"),
        Case(
            testDescription: "values that the store is not to have",
            text: PipelineText.make(field: "mail: {type: string, redact: hash}", stream: items),
            codes: ["conflicting_keys"], words: "`redact` keeps out of it"),
        Case(
            testDescription: "a store on SQLite", text: PipelineText.make(stream: items, top: "store: sqlite:shop.db"),
            codes: ["unused_spread"], words: "SQLite, which has one worker"),
    ]

    @Test(arguments: cases)
    func spread(test: Case) {
        let (definition, problems) = PipelineText.load(test.text)
        #expect(problems.map(\.code) == test.codes, "\(problems)")
        #expect(problems.allSatisfy { $0.detail.contains(test.words) }, "\(problems)")
        let isRefused = problems.contains { $0.severity == .error }
        #expect((definition == nil) == isRefused)
        if let definition { #expect(definition.streams[0].isSpread) }
    }

    /// Who reads makes no difference to what is read: nothing has to be read anew for it.
    @Test func whoReadsIsNoPartOfWhatIsRead() throws {
        let with = try #require(PipelineText.load(PipelineText.make(stream: Self.items)).0?.streams.first)
        let text = Self.items.replacing("    spread: true", with: "")
        let without = try #require(PipelineText.load(PipelineText.make(stream: text)).0?.streams.first)
        #expect(with.isSpread && !without.isSpread)
        #expect(with.requestFingerprint == without.requestFingerprint)
        #expect(with.contentFingerprint == without.contentFingerprint)
        #expect(with.mappingFingerprint == without.mappingFingerprint)
    }
}
