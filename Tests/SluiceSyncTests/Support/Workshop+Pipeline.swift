import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import TestSupport

extension Workshop {
    /// Takes the pipeline of a text, whose files are in the workshop's folder.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - rest: The keys behind `source`.
    /// - Throws: What is wrong with it.
    func define(_ name: String, _ rest: String) throws {
        let text = """
            version: 1
            name: \(name)
            source: {base_url: "file:\(directory.path)"}
            \(rest)
            """
        let (loaded, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let loaded else { throw Disagreement(what: TextDiagnosticRenderer().render(problems)) }
        self.name = name
        definition = loaded
    }
}
