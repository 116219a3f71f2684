import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceYAML

/// Text of a pipeline file: the reader of YAML, then the loader with its checker.
enum YAMLTarget {
    private static let secret = "hunter2-in-the-environment"
    private static let everyKey = SpecificationCatalog(keys: .all)

    static func run(_ bytes: [UInt8]) {
        let document = YAMLDocument(reading: bytes)
        let lines = SourceLines(bytes)
        for problem in document.problems { check(problem.mark, lines, "a problem") }
        if let root = document.root { check(root, lines) }
        var chance = Chance(bytes)
        // The folder is not there, so that what is included is not either.
        let (definition, problems) = PipelineLoader.load(
            bytes: bytes, file: "/nowhere/fuzz.yaml", variables: ["other": "value"],
            environment: ["SECRET": secret, "N": "5"], mode: chance.pick(.validate, .run),
            specification: chance.pick(.current, everyKey))
        let hasErrors = problems.contains { $0.severity == .error }
        require((definition == nil) == hasErrors, "a definition in spite of errors, or neither")
        let renderer = TextDiagnosticRenderer()
        for problem in problems {
            require(!renderer.render(problem).contains(secret), "a secret is told: \(problem.code)")
        }
        if let definition { writeAgain(definition) }
    }

    /// What the writer makes of a definition can be read.
    private static func writeAgain(_ definition: PipelineDefinition) {
        _ = PipelineWriter(definition, file: "/nowhere/again.yaml").text
    }

    private static func check(_ mark: Mark, _ lines: SourceLines, _ what: String) {
        require(mark.column >= 1 && mark.line >= 1 && mark.line <= lines.count + 1, "\(what) is at \(mark)")
    }

    private static func check(_ node: YAMLNode, _ lines: SourceLines) {
        check(node.start, lines, "a value")
        for element in node.sequence ?? [] { check(element, lines) }
        for member in node.mapping ?? [] {
            check(member.key, lines)
            check(member.value, lines)
        }
    }
}
