internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// One of the files that a pipeline is made of.
///
/// A class, since every place within the file refers to it.
final class SourceFile: Sendable {
    /// The file as diagnostics name it.
    let name: String
    /// Where another file includes it; nil for the pipeline file itself.
    let includedAt: SourcePlace?
    private let lines: SourceLines
    private let secrets: SecretPlaces

    init(
        name: String, bytes: [UInt8], root: YAMLNode?, includedAt: SourcePlace? = nil,
        purpose: SecretPlaces.Purpose = .diagnostic
    ) {
        self.name = name
        self.includedAt = includedAt
        lines = SourceLines(bytes)
        secrets = SecretPlaces(root: root, purpose: purpose)
    }

    /// The folder that paths within the file are relative to.
    var folder: String { FilePath.folder(of: name) }

    /// Whether a value that stands here is part of `auth`, wherever an alias uses it.
    func isSecret(_ node: YAMLNode) -> Bool { secrets.hasValue(at: node.start) }

    /// Whether what stands at a place may be a credential, so that no message repeats it.
    func hides(at mark: Mark) -> Bool { secrets.hides(at: mark, of: lines) }

    /// A line as it was written.
    func line(_ number: Int) -> String? { lines.line(number) }

    /// A line as it may be shown.
    func snippet(at mark: Mark) -> SourceSnippet? {
        secrets.snippet(of: lines, at: mark)
    }
}
