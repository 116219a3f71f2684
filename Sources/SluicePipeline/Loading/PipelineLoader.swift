public import SluiceDiagnostics
internal import SluiceYAML

/// Reads and checks pipeline files.
public enum PipelineLoader {
    /// What a file is read for.
    public enum Mode: Sendable, Hashable {
        /// To find its problems: what is not set on this machine is a warning, and stands for anything.
        case validate
        /// To run it: everything must be there.
        case run
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; what it names is relative to its folder.
    ///   - variables: Values that win over those under `vars`.
    ///   - environment: What `${env:}` may name.
    ///   - mode: What the file is read for.
    /// - Returns: The definition, or nil where there are errors, and all problems by position.
    public static func load(
        path: String, variables: [String: String] = [:], environment: [String: String], mode: Mode
    ) -> (PipelineDefinition?, [Diagnostic]) {
        let bytes: [UInt8]
        do throws(FileReader.Failure) {
            bytes = try FileReader.read(path, maximumBytes: YAMLDocument.Limits().maximumBytes)
        } catch {
            let kind = ProblemKind.unreadableFile
            let detail = "The file \(error.reason)."
            return (
                nil,
                [
                    Diagnostic(
                        code: kind.code, summary: kind.summary, detail: detail, location: SourceLocation(file: path))
                ]
            )
        }
        return load(bytes: bytes, file: path, variables: variables, environment: environment, mode: mode)
    }

    /// Reads the text of a file; no bytes make it trap.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - file: The file that it is, or would be, the content of.
    ///   - variables: Values that win over those under `vars`.
    ///   - environment: What `${env:}` may name.
    ///   - mode: What the text is read for.
    /// - Returns: The definition, or nil where there are errors, and all problems by position.
    public static func load(
        bytes: [UInt8], file: String, variables: [String: String] = [:], environment: [String: String], mode: Mode
    ) -> (PipelineDefinition?, [Diagnostic]) {
        let document = YAMLDocument(reading: bytes)
        let lines = SourceLines(bytes)
        let reporter = Reporter(file: file, lines: lines, secrets: SecretPlaces(root: document.root))
        for problem in document.problems { report(problem, lines: lines, to: reporter) }
        guard let root = document.root, document.problems.allSatisfy({ $0.code == .duplicateKey }) else {
            if document.problems.isEmpty {
                let help = "A pipeline file begins with `version: 1`."
                reporter.report(.emptyFile, "The file holds no pipeline.", at: .start, help: help)
            }
            return (nil, reporter.list.sorted)
        }
        let context = Expander.Context(environment: environment, mode: mode, folder: FilePath.folder(of: file))
        let config = expand(root, variables: variables, context: context, reporter: reporter)
        SpecChecker(reporter: reporter).check(config, against: .section(.topLevel), at: SpecChecker.Place())
        let definition = PipelineBuilder(root: config, file: file, reporter: reporter).build()
        return (reporter.list.hasErrors ? nil : definition, reporter.list.sorted)
    }

    private static func expand(
        _ root: YAMLNode, variables: [String: String], context: Expander.Context, reporter: Reporter
    ) -> ConfigNode {
        let table = VariableTable(root: root, overrides: variables, context: context, reporter: reporter)
        var expander = Expander(context: context, reporter: reporter)
        expander.variables = table.variables
        return expander.expand(root: root, variables: table.node)
    }

    private static func report(_ problem: YAMLError, lines: SourceLines, to reporter: Reporter) {
        switch problem.code {
        case .duplicateKey: reporter.report(.duplicateKey, problem.message, at: problem.mark)
        case .unsupported:
            reporter.report(.unsupportedYAML, problem.message, at: problem.mark, help: help(problem, lines))
        default: reporter.report(.invalidYAML, problem.message, at: problem.mark, help: help(problem, lines))
        }
    }

    /// What to do about the mistakes that are made most.
    private static func help(_ problem: YAMLError, _ lines: SourceLines) -> String? {
        let line = lines.line(problem.mark.line) ?? ""
        let rest = line.unicodeScalars.dropFirst(problem.mark.column - 1)
        if rest.first == "\t" || line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "YAML is indented with blanks, not with tabs."
        }
        if line.contains("${") || line.contains("{{") {
            return "Write texts with `${…}` or `{{ … }}` in quotes; within `{…}` and `[…]` they must be."
        }
        if let first = rest.first, "@`%&*!|>".unicodeScalars.contains(first) {
            return "A text that begins with this character must be in quotes."
        }
        return nil
    }
}
