package import SluiceDecode
package import SluiceFetch
package import SluiceHTTP
package import SluiceReconcile
package import SluiceReport
package import SluiceStore
package import SluiceStores
package import SluiceSystem

/// What a run is asked for besides its pipeline.
package struct SyncOptions: Sendable {
    /// The store, and how long to wait for it.
    package var store: StoreOptions
    /// Where the store is.
    package let address: StoreAddress
    /// Whether the work is kept.
    package var command: RunReport.Command {
        get { store.command }
        set { store.command = newValue }
    }
    /// `--allow-deletes`: how many rows all streams together may delete beyond what the pipeline says; nil for none.
    package var allowedDeletes: Int?
    /// `--allow-schema drop`: whether what the store keeps for names that the pipeline no longer has may be given up.
    package var allowsDrops = false
    /// `--allow-schema quarantine`: whether values that cannot pass to a field's new type may go to the quarantine.
    package var quarantinesMisfits = false
    /// The other pipelines of the invocation.
    package var companions = Companions.none
    /// The only streams to run, empty for all.
    package var streams: [String] = []
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
    package var cursor = CursorRange.Overrides()
    /// `--check-references`: whether every reference is looked at, also where nothing shows that rows went without the
    /// database's knowledge.
    package var checksReferences = false
    /// What makes a program's look at the records of entities, by the entities' names.
    package var looks: [String: any RecordLooks] = [:]
    /// The same for records that stand within others, which are refused with these or kept as they are.
    package var looksWithin: [String: any RecordLooks] = [:]
    /// The program's version, which requests name.
    package var version: String
    /// Clock, sleep and chance for HTTP.
    package var httpEnvironment: HTTPEnvironment
    /// The recording that answers in the place of the source; nil for the source itself. One that was made with `--full` has
    /// streams read from their beginning as well, but where ``from`` says otherwise: it answers no other requests.
    package var replay: Recording? {
        didSet {
            httpEnvironment.traffic = replay.map { .replayed($0.replayer) } ?? .live
            if replay?.isFull == true, from == nil { isFull = true }
        }
    }
    /// What compares the plans of records with a saved plan; nil where no plan is saved or applied.
    package var gate: PlanGate?
    /// Throws where the store is not the one that a saved plan knows, or has changed since; it is asked in the transaction of the run. Nil
    /// where any store will do.
    package var admits: (@Sendable (any RecordStore) throws -> Void)?
    /// Where files are read.
    package var files = FileTraffic.live
    /// The saved plan that answers in the place of the source; nil for the source itself.
    package var saved: PlanFileReader? {
        didSet {
            guard let saved else { return }
            httpEnvironment.traffic = .replayed(saved.replayer)
            files = .saved(saved)
        }
    }
    /// When the answers were given that stand for the source, RFC 3339; nil where the source itself is asked.
    var answeredAt: String? { saved?.head.startedAt ?? replay?.startedAt }
    /// Whether nobody is asked.
    var isReplayed: Bool { saved != nil || replay != nil }
    /// What stops the work.
    package var cancellation: Cancellation {
        get { store.cancellation }
        set { store.cancellation = newValue }
    }
    /// What ends a run that takes too long; nil for no limit.
    package var deadline: RunDeadline?
    /// What the keys that a scan has read may take.
    package var keyRoom = SpillableHashes.Room()
    /// The bytes of a store from which on its records are counted beside a run; with 0 the run waits for the first of them.
    package var leastBytesBeside = LiveCensus.usualLeastBytes

    /// Makes options with the defaults.
    package init(
        store address: StoreAddress, command: RunReport.Command, version: String, cancellation: Cancellation
    ) {
        self.address = address
        store = StoreOptions(backend: address.backend, command: command, cancellation: cancellation)
        self.version = version
        allowedDeletes = nil
        entity = nil
        retry = nil
        httpEnvironment = .live
        replay = nil
    }
}

extension SyncOptions {
    /// The part of the source that is asked for, as the store keeps it with the run; nil for all of it. What a recording says is
    /// no more than a part, since the source may say something else by now.
    var scope: String? {
        RunScope.text(streams: streams, entity: entity, isRecording: replay != nil)
    }
}
