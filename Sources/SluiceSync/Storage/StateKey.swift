internal import SluicePipeline
internal import SluiceStore

/// What a store remembers of a stream between runs, under one name.
struct StateKey: Hashable {
    /// The name, which is part of the store's format.
    let name: String

    /// The validators of the stream's pages: ETag and Last-Modified.
    static let validators = StateKey(name: "validators")
    /// The token by which the source is asked for what changed.
    static let token = StateKey(name: "\(cursorPrefix)_token")
    /// Which fingerprints of records are to be believed.
    static let fingerprints = StateKey(name: "record_texts")
    /// The partitions that failed, and the last run whose changed parents were asked for.
    static let partitions = StateKey(name: "partitions")
    /// The rows before the first run that missed too many of them, see ``LiveRows``.
    static let heldRows = StateKey(name: "rows_before_refused_deletes")
    /// The keys that the source sends and no field takes.
    static let unmappedKeys = StateKey(name: "unmapped_keys")

    /// How far the stream was read, by the field of its cursor: another field is another cursor.
    static func cursor(_ rule: IncrementalRule) -> StateKey { StateKey(name: "\(cursorPrefix).\(rule.field)") }

    /// How far each partition of the stream was read.
    static func partitionCursors(_ rule: IncrementalRule) -> StateKey {
        StateKey(name: "\(cursorPrefix)s.\(rule.field)")
    }

    /// That an import filled its table from a source, of which its words tell.
    static func origin(_ words: String) -> StateKey { StateKey(name: originPrefix + words) }

    fileprivate static let originPrefix = "import:"

    /// How the names of cursors and tokens begin.
    static let cursorPrefix = "cursor"

    /// Whether it says how far the stream was read: undoing a run makes it void.
    static func isCursor(_ name: String) -> Bool { name.hasPrefix(cursorPrefix) }
}

extension StateLedger {
    /// What is kept of a stream under a key; nil where nothing is.
    func value(_ key: StateKey, pipeline: String, stream: String) throws -> String? {
        try value(pipeline: pipeline, stream: stream, name: key.name)
    }

    /// Keeps a text in the place of what was kept under the key, which undoing the run takes back; nil to forget it.
    func set(_ key: StateKey, to value: String?, pipeline: String, stream: String) throws {
        try set(value, pipeline: pipeline, stream: stream, name: key.name)
    }

    /// Keeps a text that undoing a run leaves as it is.
    func remember(_ key: StateKey, _ value: String, pipeline: String, stream: String) throws {
        try remember(value, pipeline: pipeline, stream: stream, name: key.name)
    }

    /// The sources from which imports filled the table of a stream.
    func origins(pipeline: String, stream: String) throws -> [String] {
        try names(StateKey.originPrefix, pipeline: pipeline, stream: stream).map {
            String($0.dropFirst(StateKey.originPrefix.count))
        }
    }

    /// Forgets how far a stream was read.
    ///
    /// - Returns: Whether that was known.
    func forgetCursors(pipeline: String, stream: String) throws -> Bool {
        try forget(prefix: StateKey.cursorPrefix, pipeline: pipeline, stream: stream)
    }
}
