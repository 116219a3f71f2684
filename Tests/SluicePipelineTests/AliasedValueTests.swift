import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct AliasedValueTests {
    @Test func problemPointsToTheValueAndNotesEachUse() throws {
        let text = PipelineText.make(
            field:
                "a: &a {type: int, from: &f 5}\n      b: &b {<<: *a, column: c}\n      c: {<<: *b, from: *f, column: d}"
        )
        let problems = PipelineText.load(text).1
        let places = Set(problems.map { "\($0.location?.description ?? "")" })
        #expect(places == ["books.yaml:12:31"])
        #expect(
            problems.map { $0.notes.map { "\($0.location)".dropFirst("books.yaml:".count) } } == [
                [], ["13:18"], ["14:25"],
            ])
        #expect(problems.last?.notes.first?.text == "it is used at")
        #expect(problems[1].notes.first?.text == "it is merged in at")
    }

    @Test func mergeOfAMergeNotesBoth() throws {
        let text = PipelineText.make(
            field: "a: &a {type: itn}\n      b: &b {<<: *a, column: c}\n      c: {<<: *b, column: d}")
        let problem = try #require(PipelineText.load(text).1.last)
        #expect(problem.location?.position == .init(line: 12, column: 20))
        #expect(problem.notes.map(\.location.position) == [.init(line: 13, column: 18), .init(line: 14, column: 15)])
    }

    @Test func secretOfAuthStaysSecretWhereAnAliasUsesIt() throws {
        let text = PipelineText.make(
            source: "auth: {type: bearer, token: &t hunter2}\n  params: {key: *t, other: 1}", stream: "headers: {X: *t}"
        )
        let (definition, problems) = PipelineText.load(text)
        #expect(Fixtures.render(problems) == "")
        let stream = try #require(definition?.streams.first)
        #expect(stream.parameters.map(\.value.description) == ["***", "1"])
        #expect(stream.headers.map(\.value.description) == ["***"])
        #expect(stream.headers.first?.value.revealed == "hunter2")
    }

    @Test func aliasOfASecretReachesNoDiagnostic() {
        let places = [
            PipelineText.make(source: "auth: &a {type: bearer, token: hunter2, x: y}\n  params: *a"),
            PipelineText.make(source: "auth: {type: bearer, token: &t hunter2}", field: "x: {type: *t}"),
            PipelineText.make(source: "auth: {type: bearer, token: &t hunter2}\n  retry: {base: *t}"),
            PipelineText.make(source: "auth: {type: bearer, token: &t [hunter2]}\n  params: {a: *t}"),
            PipelineText.make(source: "auth: {<<: &a {type: bearer, token: hunter2}, z: 1}\n  timeout: {<<: *a}"),
            PipelineText.make(source: "auth: *v", top: "vars: &v {type: bearer, token: hunter2, x: z}"),
        ]
        for text in places {
            let problems = PipelineText.load(text).1
            let output = Fixtures.render(problems) + problems.map { "\($0.fields)" }.joined()
            #expect(!problems.isEmpty, "\(text)")
            #expect(!output.contains("hunter2"), "\(output)")
        }
    }

    @Test func variablesMayBeAliasedAndMerged() throws {
        let text = PipelineText.make(
            stream: "path: /${var:a}/${var:b}/${var:c}", top: "vars: {a: &x one, b: *x, <<: {c: two}}")
        let (definition, problems) = PipelineText.load(text)
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.streams.first?.path?.revealed == "/one/one/two")
        #expect(PipelineText.load(text, variables: ["c": "3"]).0?.streams.first?.path?.revealed == "/one/one/3")
    }
}
