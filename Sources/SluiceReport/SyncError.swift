package import SluiceModel

/// Why a run could not be done.
package struct SyncError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, which decides the exit code.
    package struct Code: Sendable, Hashable {
        /// The name, as reports give it.
        package let name: String

        /// Makes a code of a name.
        package init(_ name: String) { self.name = name }

        /// The pipeline asks for what cannot be.
        package static let invalidPipeline = Code("invalid_pipeline")
        /// The source could not be read.
        package static let fetchFailed = Code("fetch_failed")
        /// The source, or who gives tokens for it, refused the login.
        package static let loginFailed = Code("login_failed")
        /// The source refused new credentials as it had refused the old ones. The name is that of the refusal.
        package static let refusedAgain = Code("status")
        /// What the source sent is not the JSON that the pipeline expects.
        package static let invalidDocument = Code("invalid_document")
        /// The source sent something else than the pipeline's contract allows.
        package static let contractBroken = Code("schema_contract")
        /// The response is larger than `max_response` once it is unpacked.
        package static let responseTooLarge = Code("response_too_large")
        /// The source does not know the place any more that was asked for.
        package static let placeGone = Code("place_gone")
        /// The pages lead in a circle.
        package static let paginationLoop = Code("pagination_loop")
        /// The run took longer than `timeout.run`.
        package static let runTimedOut = Code("run_timed_out")
        /// Another run of the same pipeline is at work, or another program holds the store.
        package static let locked = Code("locked")
        /// The store cannot be used.
        package static let storeFailed = Code("store_failed")
        /// A conflict whose policy is to fail the run.
        package static let conflict = Code("conflict")
        /// A file could not be read or written.
        package static let fileFailed = Code("file_failed")
        /// The store has no such run.
        package static let unknownRun = Code("unknown_run")
        /// Another run took it back already.
        package static let undoneAlready = Code("undone_already")
        /// The run wrote nothing.
        package static let nothingToUndo = Code("nothing_to_undo")
        /// The run is so old that what it changed is not kept any more.
        package static let historyPruned = Code("history_pruned")
        /// The run was made before the store kept what runs change.
        package static let noHistory = Code("no_history")
        /// Records with one key differ, and the stream's rule is that this ends the run.
        package static let duplicateKey = Code("duplicate_key")
        /// A saved plan cannot be applied: it is none, or what it was made of has changed.
        package static let planRefused = Code("plan_refused")
        /// The store is not as a saved plan knows it: it is another one, or has changed since.
        package static let planOutdated = Code("plan_outdated")
        /// What the store had of the pipeline belongs to one with another name by now.
        package static let renamedMeanwhile = Code("renamed_meanwhile")
        /// The plan that is applied did not ask for this.
        package static let notPlanned = Code("not_planned")
        /// The counts do not add up: a fault of this program.
        package static let miscounted = Code("miscounted")
    }

    /// The kind of failure.
    package let code: Code
    /// What is wrong and what to do, as sentences.
    package let message: String
    /// The same without values of records but keys; nil where the message has none.
    package var plain: String?
    /// What it is about; nil where it is about no record.
    package var place: RecordPlace?
    /// The values that it is about as JSON, each with whose it is.
    package var values: [(owner: String, json: String)] = []

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
