import TestSupport
import Testing

/// A file that holds what a test expects.
struct GoldenFile {
    let path: String

    /// Compares, or records where `UPDATE_GOLDEN=1` is set; see `ExpectedFile`.
    func check(_ actual: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let complaint = ExpectedFile(path).complaint(about: actual)
        if let complaint { Issue.record("\(complaint)", sourceLocation: sourceLocation) }
    }
}
