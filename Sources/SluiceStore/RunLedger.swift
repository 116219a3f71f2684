/// One run, as it is kept.
public struct RunEntry: Sendable, Equatable {
    public var id: Int64
    public var pipeline: String
    public var command: String
    public var status: String
    /// RFC 3339 in UTC.
    public var startedAt: String
    public var finishedAt: String?
    public var inserted: Int
    public var updated: Int
    public var deleted: Int
    public var unchanged: Int
    public var keptLocal: Int
    public var conflicts: Int
    public var quarantined: Int
    /// What went wrong, where something did.
    public var error: String?

    /// Makes an entry without counts.
    public init(id: Int64, pipeline: String, command: String, status: String, startedAt: String) {
        self.id = id
        self.pipeline = pipeline
        self.command = command
        self.status = status
        self.startedAt = startedAt
        (inserted, updated, deleted, unchanged, keptLocal, conflicts, quarantined) = (0, 0, 0, 0, 0, 0, 0)
    }
}

/// What was run, and how it ended.
public protocol RunLedger: AnyObject {
    /// The id that the next run will have.
    func nextID() throws -> Int64
    /// Writes a run that has ended.
    func record(_ run: RunEntry) throws
    /// The newest runs of a pipeline or of all, newest first.
    func list(pipeline: String?, limit: Int) throws -> [RunEntry]
    /// The names of all pipelines that ever ran here.
    func pipelines() throws -> [String]
}
