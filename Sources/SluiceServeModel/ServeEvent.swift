/// Something that happened in a service.
package enum ServeEvent: Sendable {
    /// A run waits for its start.
    case queued(ServedRun)
    /// A run was started.
    case started(ServedRun)
    /// A run has come further; at most about two in a second for each run.
    case progressed(ServedRun)
    /// A run has ended, and its reports are there.
    case ended(ServedRun)
    /// A due time has waited for too long.
    case late(pipeline: String, due: Int64)
    /// A due time was not run; the reason in one sentence.
    case skipped(pipeline: String, due: Int64, reason: String)
    /// The pipeline files were read again.
    case reloaded
    /// The service is told to end.
    case stopping
}
