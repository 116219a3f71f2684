package import SluiceHTTP
package import SluiceStore
package import SluiceSystem

/// What a run is asked for besides its pipeline.
package struct SyncOptions: Sendable {
    /// The store's file.
    package var storePath: String
    /// Whether the work is kept.
    package var command: RunReport.Command
    /// `--allow-deletes`: the most rows that may be deleted whatever the pipeline says.
    package var allowedDeletes: Int?
    /// `--allow-schema drop`: whether what the store keeps for names that the pipeline no longer has may be given up.
    package var allowsDrops = false
    /// The names of all pipelines of the invocation, none of which is an earlier name of another one.
    package var companions: Set<String> = []
    /// The only stream to run, nil for all.
    package var stream: String?
    /// The only entity whose streams to run, nil for all.
    package var entity: String?
    /// The records in quarantine to try again, in the place of what the source has; nil for a run as usual.
    package var retry: QuarantineSelection?
    /// `--full`: whether incremental streams are read from their beginning.
    package var isFull: Bool {
        get { cursor.isFull }
        set { cursor.isFull = newValue }
    }
    /// `--from`: where incremental streams are read from, as their cursor's field is stored; nil from the last cursor.
    package var from: String? {
        get { cursor.from }
        set { cursor.from = newValue }
    }
    /// `--to`: up to where they are read; nil for all.
    package var to: String? {
        get { cursor.to }
        set { cursor.to = newValue }
    }
    var cursor = CursorReading.Wish()
    /// How long to wait for a store or pipeline that is in use.
    package var waitSeconds: Double
    /// How long to wait for another program's lock on the store, which is rarely held for long.
    package var busyMilliseconds: Int
    /// The program's version, which requests name.
    package var version: String
    /// Clock, sleep and chance for HTTP.
    package var httpEnvironment: HTTPEnvironment
    /// The recording that answers in the place of the source; nil for the source itself.
    package var replay: Recording? {
        didSet { httpEnvironment.traffic = replay.map { .replayed($0.replayer) } ?? .live }
    }
    /// What stops the work.
    package var cancellation: Cancellation
    /// What ends a run that takes too long; nil for no limit.
    var deadline: RunDeadline?
    /// What the keys that a scan has read may take.
    var keyRoom = SpillableHashes.Room()

    /// Makes options with the defaults.
    package init(storePath: String, command: RunReport.Command, version: String, cancellation: Cancellation) {
        self.storePath = storePath
        self.command = command
        self.version = version
        self.cancellation = cancellation
        allowedDeletes = nil
        stream = nil
        entity = nil
        retry = nil
        waitSeconds = 0
        busyMilliseconds = 5_000
        httpEnvironment = .live
        replay = nil
    }
}
