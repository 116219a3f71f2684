import SluiceReport
import SluiceReview
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem

extension Workshop {
    /// Undoes or plans to undo a run.
    func undo(
        _ run: Int64, _ command: RunReport.Command = .run, cancellation: Cancellation = Cancellation(),
        recorder: Recorder = Recorder()
    ) -> (report: RunReport, recorder: Recorder) {
        let options = SyncOptions(
            store: database.address, command: command, version: "test", cancellation: cancellation)
        let entry = try? database.address.backend.openToRead(busyMilliseconds: 0)?.runs.entry(id: run)
        let engine = UndoEngine(
            run: run, of: entry?.pipeline ?? name, options: options.store, observer: recorder)
        return (engine.perform(), recorder)
    }

    /// Plans an undo, checks that the plan left no trace, does it and checks that both said the same.
    func undoPlanned(_ run: Int64) throws -> (report: RunReport, recorder: Recorder) {
        let before = storeFiles()
        let plan = undo(run, .plan)
        guard storeFiles() == before else { throw Disagreement(what: "the plan changed the store") }
        let done = undo(run)
        guard plan.report.summary == done.report.summary, plan.report.status == done.report.status,
            plan.report.left == done.report.left, plan.report.problems.map(carriedOut) == done.report.problems,
            plan.report.withdrawnConflicts == done.report.withdrawnConflicts, plan.recorder.told == done.recorder.told
        else {
            throw Disagreement(
                what: "plan \(plan.report) \(plan.recorder.told), undo \(done.report) \(done.recorder.told)")
        }
        return done
    }

    /// What a plan says of what would be left, as it is said once it is done.
    private func carriedOut(_ planned: RunProblem) -> RunProblem {
        var problem = planned
        problem.message = problem.message.replacing("would be left as it is", with: "was left as it is")
            .replacing("would be left as they are", with: "were left as they are")
            .replacing("would be closed", with: "was closed").replacing("would be forgotten", with: "is forgotten")
            .replacing("would stay", with: "stay")
            .replacing(" would be as before run", with: " are as before run")
        return problem
    }

    /// All rows of the entity, its base and the conflicts: what an undo puts back.
    func managed() throws -> [String: [String]] {
        var managed = try contents().filter { name, _ in
            !["_sluice_changes", "_sluice_quarantine", "_sluice_schema", "schema"].contains(name)
        }
        // Which keys a source has sent stays known, texts are known anew, and what runs counted is history.
        managed["_sluice_state"]?.removeAll { row in
            ["|'unmapped_keys'|", "|'record_texts'|", "|'request'|", "|''|'run "].contains { row.contains($0) }
        }
        for (name, rows) in managed where name.hasPrefix("_sluice_base_") {
            managed[name] = rows.map { row in
                var columns = row.split(separator: "|", omittingEmptySubsequences: false).dropLast(2)
                // A hash that is void only has the next run look at its record.
                if columns.count > 6 { columns[columns.endIndex - 6] = "hash" }
                return columns.joined(separator: "|")
            }
        }
        return managed
    }
}
