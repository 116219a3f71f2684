import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct GoldenDiagnosticsTests {
    @Test(arguments: Fixtures.names(in: "invalid"))
    func invalidPipelinePrintsItsProblems(name: String) {
        let folder = "\(Fixtures.root)/fixtures/pipelines/invalid"
        let environment = ["NAME": "hunter2-is-secret", "SIZE": "hunter2-is-secret"]
        let (definition, problems) = PipelineLoader.load(
            path: "\(folder)/\(name).yaml", environment: environment, mode: .run)
        let text = Fixtures.render(problems)
        #expect(definition == nil)
        #expect(problems.contains { $0.severity == .error })
        #expect(!text.contains("is-secret"))
        GoldenFile(path: "\(folder)/\(name).diagnostics.txt").check(text)
    }

    @Test func thereAreInvalidPipelines() {
        #expect(Fixtures.names(in: "invalid").count > 30)
    }
}
