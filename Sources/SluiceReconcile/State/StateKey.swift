package import SluiceDecode
package import SluicePipeline
package import SluiceStore

// What a store remembers of a stream: the keys of each kind, with the types of their values.

extension StateKey<PageValidators> {
    /// What the stream's pages said of their version.
    package static var validators: StateKey<PageValidators> { StateKey<PageValidators>(.validators) }
}

extension StateKey<KeptToken> {
    /// The token by which the source is asked for what changed.
    package static var token: StateKey<KeptToken> { StateKey<KeptToken>(.token) }
}

extension StateKey<TextMemory> {
    /// Which fingerprints of records are to be believed.
    package static var fingerprints: StateKey<TextMemory> { StateKey<TextMemory>(.fingerprints) }
}

extension StateKey<PartitionMemory> {
    /// The partitions that failed, and the last run whose changed parents were asked for.
    package static var partitions: StateKey<PartitionMemory> { StateKey<PartitionMemory>(.partitions) }
}

extension StateKey<Int> {
    /// The run whose undoing gave the token up, until everything was read and there is another one.
    package static var tokenGivenUp: StateKey<Int> { StateKey<Int>(.tokenGivenUp) }
    /// The rows before the first run that missed too many of them, see ``LiveRows``.
    package static var heldRows: StateKey<Int> { StateKey<Int>(.heldRows) }
    /// The first run whose deletes were refused, until a scan of everything finds nothing to refuse.
    package static var refusedRun: StateKey<Int> { StateKey<Int>(.refusedRun) }
}

extension StateKey<KnownPaths> {
    /// The keys that the source sends and no field takes.
    package static var unmappedKeys: StateKey<KnownPaths> { StateKey<KnownPaths>(.unmappedKeys) }
}

extension StateKey<String> {
    /// How far the stream was read, as the field of its cursor is stored.
    package static func cursor(_ rule: IncrementalRule) -> StateKey<String> {
        StateKey<String>(.cursor, detail: rule.field)
    }

    /// What the pipeline said of the records when it was kept how far the stream was read, see
    /// `StreamDefinition.contentFingerprint`.
    package static var definition: StateKey<String> { StateKey<String>(.definition) }

    /// What the pipeline last asked the source for, see `ShareDefinition`.
    package static var request: StateKey<String> { StateKey<String>(.request) }

    /// That the pipeline, of which it is kept without a stream, went by another name before; the value says nothing.
    package static func formerName(_ name: String) -> StateKey<String> {
        StateKey<String>(.formerName, detail: name)
    }

    /// The saved plan that was carried out last: the number of the run, a blank and the plan's name.
    package static var appliedPlan: StateKey<String> { StateKey<String>(.appliedPlan) }

    /// That an import filled its table from a source, of which these words tell; the value says nothing.
    package static func origin(_ words: String) -> StateKey<String> { StateKey<String>(.origin, detail: words) }
}

extension StateKey<KeptCursors> {
    /// How far each partition of the stream was read.
    package static func partitionCursors(_ rule: IncrementalRule) -> StateKey<KeptCursors> {
        StateKey<KeptCursors>(.partitionCursors, detail: rule.field)
    }
}

/// Paths of keys that earlier runs have met, one a line, and those that are gone behind an empty line.
package struct KnownPaths: StateValue {
    /// How many of those that are gone are remembered: a source whose keys are values has ever new ones.
    private static let mostGone = 1000

    package var paths: [String]
    /// Those that were there once, the last to go at the end: where they come back, that is no news.
    package private(set) var gone: [String]

    package init(_ paths: [String], gone: [String] = []) {
        self.paths = paths
        self.gone = gone.suffix(Self.mostGone)
    }

    package init?(stateText: String) {
        let parts = stateText.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        paths = parts[0].split(separator: "\n").map(String.init)
        gone = parts.count == 1 ? [] : parts[1].split(separator: "\n").map(String.init)
    }

    package var stateText: String? {
        paths.joined(separator: "\n") + (gone.isEmpty ? "" : "\n\n" + gone.joined(separator: "\n"))
    }

    /// The paths of a run: those of them that no run has met, and what is to be remembered from now on.
    ///
    /// - Parameters:
    ///   - met: The paths that the run met.
    ///   - areAll: Whether a path that it did not meet is gone.
    /// - Returns: Both.
    package func meeting(_ met: [String], areAll: Bool) -> (new: [String], known: KnownPaths) {
        let (here, before, now) = (Set(paths), Set(gone), Set(met))
        let left = paths.filter { !areAll || now.contains($0) }
        let lost = areAll ? paths.filter { !now.contains($0) } : []
        let added = met.filter { !here.contains($0) }
        return (
            added.filter { !before.contains($0) },
            KnownPaths(left + added, gone: gone.filter { !now.contains($0) } + lost)
        )
    }
}

extension StateLedger {
    /// The sources from which imports filled the table of a stream.
    package func origins(pipeline: String, stream: String) throws -> [String] {
        try details(of: .origin, pipeline: pipeline, stream: stream)
    }

    /// Makes void what undoing a run makes void of a stream.
    package func voidAfterUndo(pipeline: String, stream: String) throws {
        try void(.validators, pipeline: pipeline, stream: stream)
        try void(.fingerprints, pipeline: pipeline, stream: stream)
    }
}
