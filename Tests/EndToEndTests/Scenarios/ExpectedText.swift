import Foundation
import Testing

/// A file of a scenario that holds what a test expects.
struct ExpectedText {
    let file: URL

    /// Compares, or writes the file where `UPDATE_GOLDEN=1` is set.
    ///
    /// Writing fails the test, so that nothing is expected that nobody has looked at.
    func check(_ actual: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try? String(contentsOf: file, encoding: .utf8)
        if expected == actual { return }
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try actual.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("\(file.path) was written; review it and run again.", sourceLocation: sourceLocation)
            return
        }
        guard let expected else {
            Issue.record("\(file.path) is missing; UPDATE_GOLDEN=1 writes it.", sourceLocation: sourceLocation)
            return
        }
        #expect(actual == expected, "\(file.lastPathComponent)", sourceLocation: sourceLocation)
    }
}
