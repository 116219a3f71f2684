import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles

/// The pipeline files that tests load.
enum Fixtures {
    /// The root of the package, from where this file stands.
    static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The names of the pipeline files of a folder, without `.yaml`.
    static func names(in folder: String) -> [String] {
        let (files, _) = PipelineLocator.locate(["\(root)/fixtures/pipelines/\(folder)"])
        return files.compactMap { $0.split(separator: "/").last?.dropLast(".yaml".count) }.map(String.init)
    }

    /// The diagnostics as text, in which paths are relative to the package.
    static func render(_ diagnostics: [Diagnostic]) -> String {
        let diagnostics = diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.location = diagnostic.location.map(relative)
            diagnostic.notes = diagnostic.notes.map { .init(text: $0.text, location: relative($0.location)) }
            return diagnostic
        }
        return TextDiagnosticRenderer().render(diagnostics)
    }

    private static func relative(_ location: SourceLocation) -> SourceLocation {
        var location = location
        if location.file.hasPrefix(root) { location.file = String(location.file.dropFirst(root.utf8.count + 1)) }
        return location
    }
}
