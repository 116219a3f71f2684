import Foundation
import Testing

/// Checks that a command failed as it should: by its code, and with one error that says what is wrong and what to do.
///
/// - Parameters:
///   - result: How the command ended.
///   - code: The exit code.
///   - words: What the error must say: the place, the cause, the remedy.
///   - place: The test, for messages.
func expectOneError(
    _ result: Program.Result, code: Int32, _ words: [String], sourceLocation place: SourceLocation = #_sourceLocation
) {
    let told = Comment(rawValue: "\(result.output)\(result.errors)")
    #expect(result.code == code, told, sourceLocation: place)
    // What is said without a place begins the line, or follows the time; a file's problem follows its place.
    let errors = result.errors.split(separator: "\n").count { line in
        line.hasPrefix("error: ") || line.contains(": error: ") || line.contains(#/^[-0-9T:]+Z error: /#)
    }
    #expect(errors == 1, told, sourceLocation: place)
    for word in words { #expect(result.errors.contains(word), "`\(word)` in \(told)", sourceLocation: place) }
    // What a program says of itself, and what would move a terminal's cursor.
    for word in ["bug in sluice", "Optional(", "Error(", "\u{1B}"] {
        #expect(!result.errors.contains(word), told, sourceLocation: place)
    }
}
