/// The note that a run over its source began: when, and in which program, since two may begin within a second. It goes before the
/// note that was there, which counts again where the run ends without having looked at its source's news.
package struct RunBeginning: Sendable, Equatable {
    /// When it began, as the history writes it.
    package let moment: String
    /// The note alone: `2026-01-02T03:04:05Z 9f0c…`.
    package let text: String

    /// What tells this program from all others that have a store open.
    private static let program = String(UInt64.random(in: .min ... .max), radix: 16)

    /// The note of a run of this program.
    package init(at moment: String) { (self.moment, text) = (moment, "\(moment) \(Self.program)") }

    /// Reads the first note of what a state holds.
    package init(_ text: String) {
        let words = text.split(separator: " ")
        (moment, self.text) = (words.first.map(String.init) ?? text, words.prefix(2).joined(separator: " "))
    }

    /// What a state holds of it, before the note that it takes the place of.
    package func text(before other: RunBeginning?) -> String {
        other.map { $0 == self ? text : "\(text) \($0.text)" } ?? text
    }
}
