/// The notes that runs of a pipeline over its source began of which nothing else is kept: the newest first, and behind it the one
/// whose place it took, which counts again where the newest ends without having looked at its source's news.
package struct RunBeginnings: Sendable, Equatable {
    /// Each as `2026-01-02T03:04:05Z 9f0c…`: when the run began, as the history writes it, and in which program, since two may begin
    /// within a second.
    private let notes: [String]

    /// What tells this program from all others that have a store open.
    private static let program = String(UInt64.random(in: .min ... .max), radix: 16)

    private init(_ notes: [String]) { self.notes = notes }

    /// Reads what a state holds; nothing where it holds none.
    package init(_ text: String?) {
        let words = text?.split(separator: " ") ?? []
        notes = stride(from: 0, to: words.count, by: 2).map {
            words[$0..<min($0 + 2, words.count)].joined(separator: " ")
        }
    }

    private static func own(_ moment: String) -> String { "\(moment) \(program)" }

    /// What a state holds of them; nil where there is none.
    package var text: String? { notes.isEmpty ? nil : notes.joined(separator: " ") }

    /// When the newest of these runs began; nil where there is none.
    package var moment: String? { notes.first?.split(separator: " ").first.map(String.init) }

    /// With a run of this program that begins.
    package func adding(_ moment: String) -> RunBeginnings {
        let own = Self.own(moment)
        return RunBeginnings([own] + notes.filter { $0 != own }.prefix(1))
    }

    /// Without a run of this program that ended and is not kept.
    package func removing(_ moment: String) -> RunBeginnings {
        RunBeginnings(notes.filter { $0 != Self.own(moment) })
    }

    /// What stays where a run is kept that ended: nothing where it succeeded, or failed and no other one began since. It may have
    /// lost its lock to that one.
    package func settling(_ run: RunEntry) -> RunBeginnings {
        if run.hasSucceeded || notes.first == Self.own(run.startedAt) { return RunBeginnings([]) }
        return removing(run.startedAt)
    }
}

extension RunLedger {
    /// When the newest run of a pipeline began of which nothing else is kept: it is at work, or was cut off. Nil where there is none.
    package func beginning(of pipeline: String) throws -> String? {
        RunBeginnings(try beginnings(of: pipeline)).moment
    }

    /// Notes that a run of a pipeline over its source begins, where runs are known: in a transaction of its own, so none may be open.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - moment: When it begins.
    /// - Throws: ``StoreError``.
    package func noteBeginning(of pipeline: String, at moment: String) throws {
        let known = RunBeginnings(try beginnings(of: pipeline))
        try setBeginnings(of: pipeline, from: nil, to: known.adding(moment).text)
    }

    /// Takes that note back where it is there still, since the run ended without being kept; as ``noteBeginning(of:at:)`` in a
    /// transaction of its own.
    package func forgetBeginning(of pipeline: String, at moment: String) throws {
        try change(pipeline) { $0.removing(moment) }
    }

    /// Takes back what a run that is kept makes up for.
    package func settleBeginnings(by run: RunEntry) throws {
        if run.asksSource { try change(run.pipeline) { $0.settling(run) } }
    }

    private func change(_ pipeline: String, _ body: (RunBeginnings) -> RunBeginnings) throws {
        guard let text = try beginnings(of: pipeline) else { return }
        let changed = body(RunBeginnings(text)).text
        if changed != text { try setBeginnings(of: pipeline, from: text, to: changed) }
    }
}
