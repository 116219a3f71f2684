import Foundation

/// A file that holds what a test expects.
package struct ExpectedFile {
    private let path: String

    /// - Parameter path: The file.
    package init(_ path: String) { self.path = path }

    /// Compares, or writes the file where `UPDATE_GOLDEN=1` is set.
    ///
    /// - Parameter actual: What there is.
    /// - Returns: What is wrong, nil where nothing is. A file that was written is wrong, so that nobody blesses by accident.
    package func complaint(about actual: String) -> String? {
        let expected = try? String(contentsOfFile: path, encoding: .utf8)
        if expected == actual { return nil }
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            do {
                try actual.write(toFile: path, atomically: true, encoding: .utf8)
                return "\(path) was written; look at the change and run again."
            } catch {
                return "\(path) could not be written: \(error)"
            }
        }
        guard let expected else { return "\(path) is missing; UPDATE_GOLDEN=1 writes it." }
        let lines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let others = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(lines, others).prefix { $0 == $1 }.count
        func text(_ lines: [Substring]) -> String { line < lines.count ? "\"\(lines[line])\"" : "its end" }
        return "\(path) has in line \(line + 1) \(text(lines)), and there is \(text(others))."
    }
}
