/// The note that a run over its source began: of which moment, and by which program, since two may begin within a second.
package struct RunBeginning: Sendable, Equatable {
    /// When it began, as the history writes it.
    package let moment: String
    /// As the state of a store holds it: `2026-01-02T03:04:05Z 9f0c…`.
    package let text: String

    /// What tells this program from all others that have a store open.
    private static let program = String(UInt64.random(in: .min ... .max), radix: 16)

    /// The note of a run of this program.
    package init(at moment: String) { (self.moment, text) = (moment, "\(moment) \(Self.program)") }

    /// Reads what a state holds.
    package init(_ text: String) {
        (self.text, moment) = (text, text.split(separator: " ").first.map(String.init) ?? text)
    }
}
