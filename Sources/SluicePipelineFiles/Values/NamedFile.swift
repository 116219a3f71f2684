package import SluiceDiagnostics

/// A file that a pipeline file names, besides those that it includes: it must be there where the pipeline runs.
package struct NamedFile: Sendable, Hashable {
    /// What it is for.
    package enum Use: Sendable, CaseIterable {
        /// Its text is a value, as of `${file:PATH}`.
        case value
        /// It has certificates or their key.
        case certificate
        /// It is a program that is told how runs end.
        case program
        /// It has the records, or is the folder of files that do.
        case records
    }

    /// What it is for.
    package let use: Use
    /// Its path as it is written.
    package let path: String
    /// Where it is named.
    package let location: SourceLocation

    /// Whether it is looked for beside the file that names it.
    package var isBeside: Bool { !path.hasPrefix("/") }

    init(use: Use, path: String, location: SourceLocation) {
        (self.use, self.path, self.location) = (use, path, location)
    }
}
