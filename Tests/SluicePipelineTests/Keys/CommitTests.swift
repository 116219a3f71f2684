import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What is kept of a run that does not come to its end.
@Suite struct CommitTests {
    private static let incremental = "incremental: {cursor_field: at, client_side: true}"

    @Test(
        "The default",
        arguments: [
            ("", "", CommitMode.run), ("", incremental, .page), ("commit: run", incremental, .run),
            ("commit: page", "", .page),
        ])
    func modes(_ top: String, _ stream: String, _ mode: CommitMode) throws {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(field: "at: datetime", stream: stream, top: top))
        #expect(try #require(definition, "\(Fixtures.render(problems))").commit == mode)
    }

    @Test("Files are read as a whole", arguments: ["commit: run", "commit: page", ""])
    func files(_ top: String) throws {
        let text = PipelineText.make(field: "at: datetime", stream: Self.incremental, top: top)
            .replacing("https://api.example.com", with: "file:data")
        let (definition, problems) = PipelineText.load(text)
        if top == "commit: page" {
            #expect(definition == nil && problems.count == 1)
            #expect(problems.first?.help?.contains("commit: run") == true)
        } else {
            #expect(definition?.commit == .run, "\(Fixtures.render(problems))")
        }
    }

    @Test(
        "Another request is another scan",
        arguments: [
            ("filter: .open", false), ("params: {a: b}", false), ("delete_missing: hard", true),
            ("on_duplicate: first", true), ("paginator: {type: header_link, max_pages: 3}", false),
        ])
    func fingerprints(_ stream: String, _ isSame: Bool) throws {
        func fingerprint(_ stream: String) throws -> String {
            let definition = try #require(PipelineText.load(PipelineText.make(stream: stream)).0)
            return try #require(definition.streams.first).requestFingerprint
        }
        #expect(try !fingerprint("").isEmpty)
        #expect(try (fingerprint(stream) == fingerprint("")) == isSame)
    }
}
