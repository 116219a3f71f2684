internal import SluiceSchedule
internal import SluiceServeModel

/// Partitions that this service reads for runs of others (`spread`). Each is a process of the same program, which ends by
/// itself once none is left; it has no run of its own, and its report is that of the run.
extension ServeLoop {
    /// A process that reads partitions.
    struct Helper {
        let share: PoolShare
        let desk: PoolDesk
        let handle: any RunHandle
        /// When it was asked to stop.
        var askedAt: Double?
        var isKilled = false
    }

    /// Starts a process that reads partitions of a share.
    func help(_ share: PoolShare, of desk: PoolDesk) {
        guard let entry = catalog.entries[share.pipeline], !isStopping else { return }
        let id = archive.nextID()
        // Nothing is kept of it: the folder is not made.
        let order = RunOrder(
            run: ServedRun(id: id, pipeline: share.pipeline, kind: .run),
            arguments: program.arguments(for: entry.definition), texts: entry.texts,
            share: ShareTicket(share: share.id, worker: desk.workerID), folder: archive.folder(of: id))
        let handle = settings.runner.start(order) { [mailbox] news in mailbox.put(.news(id, news)) }
        helpers[id] = Helper(share: share, desk: desk, handle: handle)
        isChanged = true
        report(share.pipeline, "Partitions of a run of another service are read here.")
    }

    /// Notes that such a process has ended.
    ///
    /// - Returns: False where there was none.
    func endHelper(_ id: ServedRun.ID, _ ending: RunEnding) -> Bool {
        guard let gone = helpers.removeValue(forKey: id) else { return false }
        helpedAt = helpedAt.filter { time - $0.value < settings.leaseSeconds }
        helpedAt[gone.share.id] = time
        if gone.askedAt != nil || ending.exitCode == 0 {
            report(gone.share.pipeline, "No more partitions of the run of another service are read here.")
        } else {
            report(
                gone.share.pipeline,
                "Partitions of the run of another service could not all be read here; others read what is left. \(ending.reason)",
                .helpFailed)
        }
        recordChange()
        return true
    }

    /// Stops what reads for others once the service is told to end, or once its pipeline is not served any more: what it has
    /// not read others read.
    func stopHelpers() {
        for (id, helper) in helpers where isStopping || catalog.entries[helper.share.pipeline] == nil {
            if let asked = helper.askedAt {
                if !helper.isKilled, time - asked >= Self.killDelay {
                    helpers[id]?.isKilled = true
                    helper.handle.kill()
                }
            } else {
                helpers[id]?.askedAt = time
                helper.handle.terminate()
            }
        }
    }

    private func report(_ pipeline: String, _ text: String, _ kind: ServeMessage.Kind = .helped) {
        program.log(ServeMessage(kind: kind, pipeline: pipeline, text: text))
    }
}

extension RunEnding {
    /// Why a program that keeps no log ended, as a sentence.
    fileprivate var reason: String {
        if let error { return error.message }
        guard let exitCode else { return "The program could not be started." }
        return exitCode < 0
            ? "The program was ended by the signal \(-exitCode)." : "The program ended with the exit code \(exitCode)."
    }
}
