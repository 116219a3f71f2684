internal import SluiceDiagnostics

/// Deletes that a guard refused, of a stream or of a run, and what would allow them.
package struct RefusedDeletes: Codable, Sendable, Equatable {
    /// The least `--allow-deletes` that would let them happen.
    package let count: Int
    /// Whether only a run that reads everything finds them again: one that asks for changes alone is not told of them.
    package let needsFull: Bool

    /// Makes a value of its parts.
    package init(count: Int, needsFull: Bool) {
        self.count = count
        self.needsFull = needsFull
    }

    /// What allows them on the command line.
    package var options: String { (needsFull ? "--full " : "") + "--allow-deletes \(count)" }

    /// These and others, which one run has to be allowed together.
    package func and(_ other: RefusedDeletes?) -> RefusedDeletes {
        guard let other else { return self }
        return RefusedDeletes(count: count + other.count, needsFull: needsFull || other.needsFull)
    }

    /// What allows these, as a sentence for people.
    ///
    /// - Parameters:
    ///   - stream: The stream whose deletes they are.
    ///   - all: Those of the whole run; the same as these where no other stream has any.
    /// - Returns: The sentence, with its full stop.
    package func remedy(stream: String, all: RefusedDeletes) -> String {
        if all.count == count { return "If this is right, allow it once with `\(options)`." }
        return
            "If this is right, allow it once with `--stream \(ShellWord.quoted(stream)) \(options)`, or what the whole run deletes beyond its limits with `\(all.options)`."
    }
}
