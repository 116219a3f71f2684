/// Why a run could not be done.
public struct SyncError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, which decides the exit code.
    public struct Code: Sendable, Hashable {
        /// The name, as reports give it.
        public let name: String

        /// Makes a code of a name.
        public init(_ name: String) { self.name = name }

        /// The pipeline asks for what cannot be.
        public static let invalidPipeline = Code("invalid_pipeline")
        /// The source could not be read.
        public static let fetchFailed = Code("fetch_failed")
        /// The source, or who gives tokens for it, refused the login.
        public static let loginFailed = Code("login_failed")
        /// What the source sent is not the JSON that the pipeline expects.
        public static let invalidDocument = Code("invalid_document")
        /// The source sent something else than the pipeline's contract allows.
        public static let contractBroken = Code("schema_contract")
        /// The response is larger than `max_response` once it is unpacked.
        public static let responseTooLarge = Code("response_too_large")
        /// The source does not know the place any more that was asked for.
        public static let placeGone = Code("place_gone")
        /// The pages lead in a circle.
        public static let paginationLoop = Code("pagination_loop")
        /// The run took longer than `timeout.run`.
        public static let runTimedOut = Code("run_timed_out")
        /// Another run of the same pipeline is at work, or another program holds the store.
        public static let locked = Code("locked")
        /// The store cannot be used.
        public static let storeFailed = Code("store_failed")
        /// A conflict whose policy is to fail the run.
        public static let conflict = Code("conflict")
        /// A file could not be read or written.
        public static let fileFailed = Code("file_failed")
        /// The store has no such run.
        public static let unknownRun = Code("unknown_run")
        /// Another run took it back already.
        public static let undoneAlready = Code("undone_already")
        /// The run wrote nothing.
        public static let nothingToUndo = Code("nothing_to_undo")
        /// The run is so old that what it changed is not kept any more.
        public static let historyPruned = Code("history_pruned")
        /// The run was made before the store kept what runs change.
        public static let noHistory = Code("no_history")
        /// Records with one key differ, and the stream's rule is that this ends the run.
        public static let duplicateKey = Code("duplicate_key")
        /// The store keeps something for a name that the pipeline no longer has.
        public static let orphaned = Code("orphaned")
        /// The counts do not add up: a fault of this program.
        public static let miscounted = Code("miscounted")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do, as sentences.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
