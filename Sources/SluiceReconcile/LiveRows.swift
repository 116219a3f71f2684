/// The live base rows that a limit in percent counts.
///
/// Once too many are missing, it counts those before that run until fewer are missing or somebody allows it: what a
/// refused run itself brought in must not make the same deletes pass in the next one.
package struct LiveRows {
    /// The live base rows before the run.
    package let before: Int
    /// Those before the first run for which too many were missing; nil where the last run was not such a one.
    package let held: Int?
    /// Their keys before the run; nil where they are only counted.
    let keys: LiveKeys?

    /// - Parameters:
    ///   - before: The live base rows before the run.
    ///   - held: What an earlier run left.
    ///   - keys: Their keys, where they are known.
    package init(before: Int, held: Int?, keys: LiveKeys? = nil) {
        self.before = before
        self.held = held
        self.keys = keys
    }

    /// How many rows the limit counts.
    package var counted: Int { min(before, held ?? before) }

    /// The number in a sentence.
    package var words: String {
        counted < before ? "the \(counted) rows before the first run that missed so many" : "\(counted)"
    }
}
