package import SluicePipeline
internal import SluiceStore

/// What a store remembers of a stream between runs, under one name.
package struct StateKey: Hashable {
    /// The name, which is part of the store's format.
    package let name: String

    /// The validators of the stream's pages: ETag and Last-Modified.
    package static let validators = StateKey(name: "validators")
    /// The token by which the source is asked for what changed.
    package static let token = StateKey(name: "\(cursorPrefix)_token")
    /// Which fingerprints of records are to be believed.
    package static let fingerprints = StateKey(name: "record_texts")
    /// The partitions that failed, and the last run whose changed parents were asked for.
    package static let partitions = StateKey(name: "partitions")
    /// The rows before the first run that missed too many of them, see ``LiveRows``.
    package static let heldRows = StateKey(name: "rows_before_refused_deletes")
    /// The keys that the source sends and no field takes.
    package static let unmappedKeys = StateKey(name: "unmapped_keys")

    /// How far the stream was read, by the field of its cursor: another field is another cursor.
    package static func cursor(_ rule: IncrementalRule) -> StateKey { StateKey(name: "\(cursorPrefix).\(rule.field)") }

    /// How far each partition of the stream was read.
    package static func partitionCursors(_ rule: IncrementalRule) -> StateKey {
        StateKey(name: "\(cursorPrefix)s.\(rule.field)")
    }

    /// That an import filled its table from a source, of which its words tell.
    package static func origin(_ words: String) -> StateKey { StateKey(name: originPrefix + words) }

    fileprivate static let originPrefix = "import:"

    /// How the names of cursors and tokens begin.
    static let cursorPrefix = "cursor"

    /// Whether it says how far the stream was read: undoing a run makes it void.
    package static func isCursor(_ name: String) -> Bool { name.hasPrefix(cursorPrefix) }
}

extension StateLedger {
    /// What is kept of a stream under a key; nil where nothing is.
    package func value(_ key: StateKey, pipeline: String, stream: String) throws -> String? {
        try value(pipeline: pipeline, stream: stream, name: key.name)
    }

    /// Keeps a text in the place of what was kept under the key, which undoing the run takes back; nil to forget it.
    package func set(_ key: StateKey, to value: String?, pipeline: String, stream: String) throws {
        try set(value, pipeline: pipeline, stream: stream, name: key.name)
    }

    /// Keeps a text that undoing a run leaves as it is.
    package func remember(_ key: StateKey, _ value: String, pipeline: String, stream: String) throws {
        try remember(value, pipeline: pipeline, stream: stream, name: key.name)
    }

    /// The sources from which imports filled the table of a stream.
    package func origins(pipeline: String, stream: String) throws -> [String] {
        try names(StateKey.originPrefix, pipeline: pipeline, stream: stream).map {
            String($0.dropFirst(StateKey.originPrefix.count))
        }
    }

    /// Forgets how far a stream was read.
    ///
    /// - Returns: Whether that was known.
    package func forgetCursors(pipeline: String, stream: String) throws -> Bool {
        try forget(prefix: StateKey.cursorPrefix, pipeline: pipeline, stream: stream)
    }
}
