package import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// A YAML file with a specification of its own: read, filled in and checked as a pipeline file is.
package struct SpecifiedFile {
    /// A value of the file, with its place.
    package struct Value {
        let node: ConfigNode
        /// Where its key stands; where it begins itself, if it has none.
        let place: SourcePlace

        /// The value of a key; nil where there is none.
        package func member(_ name: String) -> Value? { members.first { $0.name == name }?.value }

        /// The keys with their values, in the order of the file.
        package var members: [(name: String, value: Value)] {
            (node.members ?? []).map { ($0.name, Value(node: $0.value, place: $0.mark)) }
        }

        /// The characters of a single value.
        package var text: String? { node.string }

        /// The texts of a list, or the only one.
        package var texts: [String] { node.names.compactMap(\.string) }

        /// A truth value.
        package var flag: Bool? { node.bool }

        /// A problem with it, at its key.
        ///
        /// - Parameters:
        ///   - code: The stable word for it.
        ///   - summary: A few words for it.
        ///   - detail: Sentences that say what is wrong.
        ///   - severity: How much it matters.
        ///   - suggestion: The name that was probably meant.
        ///   - help: What to do.
        /// - Returns: The problem.
        package func problem(
            _ code: DiagnosticCode, _ summary: String, _ detail: String, severity: Severity = .error,
            suggestion: String? = nil, help: String? = nil
        ) -> Diagnostic {
            Diagnostic(
                code: code, severity: severity, summary: summary, detail: detail, location: place.location,
                snippet: place.file.snippet(at: place.mark), suggestion: suggestion, help: help, notes: place.notes)
        }
    }

    /// The file as a whole; nil where it has errors.
    package let root: Value?
    /// What is wrong with it, by position.
    package let problems: [Diagnostic]

    private init(root: Value?, problems: [Diagnostic]) { (self.root, self.problems) = (root, problems) }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; what it names is relative to its folder.
    ///   - specification: Its keys.
    ///   - environment: What `${env:}` may name.
    package init(path: String, _ specification: SpecificationCatalog, environment: [String: String]) {
        let bytes: [UInt8]
        do throws(FileReader.Failure) {
            bytes = try FileReader.read(path, maximumBytes: YAMLDocument.Limits().maximumBytes)
        } catch {
            let kind = ProblemKind.unreadableFile
            let problem = Diagnostic(
                code: kind.code, summary: kind.summary, detail: "The file \(error.reason).",
                location: SourceLocation(file: path), help: error.help)
            self.init(root: nil, problems: [problem])
            return
        }
        self.init(bytes: bytes, file: path, specification, environment: environment)
    }

    /// Reads the text of a file; no bytes make it trap.
    package init(
        bytes: [UInt8], file: String, _ specification: SpecificationCatalog, environment: [String: String]
    ) {
        let document = YAMLDocument(reading: bytes)
        let source = SourceFile(name: file, bytes: bytes, root: document.root)
        let reporter = Reporter()
        YAMLProblems(file: source, reporter: reporter).report(document.problems)
        guard let yaml = document.root, document.isUsable else {
            if document.problems.isEmpty {
                reporter.report(
                    .emptyConfiguration, "The file is empty.", at: SourcePlace(file: source, mark: .start),
                    help: "\(specification.noun) begins with `version: 1`.")
            }
            (root, problems) = (nil, reporter.list.sorted)
            return
        }
        let context = Expander.Context(environment: environment, mode: .run, file: source)
        let node = Expander(context: context, reporter: reporter).expand(yaml)
        SpecChecker(reporter: reporter, specification: specification)
            .check(node, against: .section(specification.topLevel), at: SpecChecker.Place())
        root = reporter.list.hasErrors ? nil : Value(node: node, place: node.start)
        problems = reporter.list.sorted
    }
}
