internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSwiftModels
internal import SluiceSystem

/// Compares the models of Swift files with pipelines, and mends what needs no judgement.
struct ModelCheck {
    /// A Swift file.
    private struct File {
        let path: String
        var text: [UInt8]
        /// What was there at first.
        let original: [UInt8]
    }

    /// How often files are looked at again at most while edits are made.
    private static let passes = 20

    private var files: [File]
    private let expected: [SwiftModel]
    private let configuration: SwiftConfiguration?
    /// What is wrong with the rules of the configuration.
    private let ruleProblems: [Diagnostic]
    private let command: ModelCommandLine
    /// Whether generated files are to be what would be generated now.
    private let isExact: Bool
    /// How many differences were mended.
    private(set) var mendedCount = 0

    /// Compares Swift files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - pipelines: What the models are to agree with.
    ///   - isExact: Whether generated files are to be what would be generated now.
    ///   - configuration: What differs from what follows of the pipelines; nil for nothing.
    ///   - command: What writes models, for remedies.
    init(
        _ files: [SwiftSources.File], _ pipelines: [PipelineDefinition], exactly isExact: Bool,
        _ configuration: SwiftConfiguration?, _ command: ModelCommandLine
    ) {
        self.files = files.map { File(path: $0.path, text: $0.text, original: $0.text) }
        self.isExact = isExact
        self.command = command
        self.configuration = configuration
        let maker = SwiftModelMaker(pipelines, configuration ?? SwiftConfiguration())
        expected = maker.models
        ruleProblems = maker.problems
    }

    /// How many files were read.
    var fileCount: Int { files.count }
    /// How many models they have.
    var modelCount: Int { files.map { FoundModel.all(in: $0.text, file: $0.path).count }.reduce(0, +) }

    /// What differs.
    private var findings: [ModelFinding] {
        let found = files.flatMap { FoundModel.all(in: $0.text, file: $0.path) }
        let compositions = files.flatMap { FoundModel.compositions(in: $0.text) }
        return ModelComparison(expected, found, compositions, configuration, command).findings
            + (isExact ? managedFindings : [])
    }

    /// What differs in generated files, folder by folder.
    private var managedFindings: [ModelFinding] {
        let folders = Dictionary(grouping: files) { FileSystem.folder(of: $0.path) }
        return folders.sorted { $0.key < $1.key }.flatMap { folder, files in
            let texts = files.map { file in
                ManagedFiles.File(
                    path: file.path, name: FileSystem.name(of: file.path),
                    text: String(decoding: file.text, as: UTF8.self))
            }
            return ManagedFiles(texts, in: folder, expected, configuration, command).findings
        }
    }

    /// What differs, as problems.
    var problems: [Diagnostic] {
        let findings = findings
        return ruleProblems + findings.map(diagnostic)
    }

    // MARK: Mending

    /// Mends what needs no judgement, in memory alone.
    mutating func mend() {
        for _ in 0..<Self.passes {
            let findings = findings
            var count = 0
            for index in files.indices where Self.isText(files[index].text) {
                let own = findings.filter { $0.file == files[index].path }
                let (text, mended) = ModelFinding.apply(own, to: files[index].text)
                files[index].text = text
                count += mended
            }
            if count == 0 { return }
            mendedCount += count
        }
    }

    /// A file that is no UTF-8 is left alone.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
    }

    /// Writes the files that were mended.
    ///
    /// - Throws: ``Failure`` or `SystemError`.
    func write(_ context: CommandContext) throws {
        for file in files where file.text != file.original {
            let output = try ResultOutput(path: file.path, context: context)
            try output.write(String(decoding: file.text, as: UTF8.self))
            try output.finish()
        }
    }

    /// What mending changes, as a unified diff.
    var diff: String {
        files.filter { $0.text != $0.original }.map { file in
            UnifiedDiff.text(
                String(decoding: file.original, as: UTF8.self), String(decoding: file.text, as: UTF8.self),
                file: PrintableText.escape(file.path))
        }.joined()
    }

    // MARK: Problems

    private func diagnostic(_ finding: ModelFinding) -> Diagnostic {
        var problem = Diagnostic(
            code: DiagnosticCode(rawValue: finding.code.rawValue), severity: Severity(finding.severity),
            summary: finding.code.summary, detail: finding.detail, location: SourceLocation(file: finding.file),
            help: finding.help,
            notes: finding.sources.map { place in
                let location =
                    place.line.map { SourceLocation(file: place.file, line: $0, column: 1) }
                    ?? SourceLocation(file: place.file)
                return .init(text: "the pipeline says it in", location: location)
            })
        if let offset = finding.offset, let file = files.first(where: { $0.path == finding.file }) {
            let (line, column, text) = Self.place(offset, in: file.text)
            problem.location = SourceLocation(file: finding.file, line: line, column: column)
            problem.snippet = SourceSnippet(line: text, caretColumn: column)
        }
        return problem
    }

    /// The line and column of an offset, both from 1, and the line's text.
    private static func place(_ offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int, text: String) {
        let offset = max(0, min(offset, bytes.count))
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
        let line = bytes[..<offset].count { $0 == newline } + 1
        let column = String(decoding: bytes[start..<offset], as: UTF8.self).unicodeScalars.count + 1
        let text = bytes[start..<end]
        let shown = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
        return (line, column, String(decoding: shown, as: UTF8.self))
    }
}

extension Severity {
    fileprivate init(_ severity: ModelFinding.Severity) {
        self =
            switch severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
    }
}
