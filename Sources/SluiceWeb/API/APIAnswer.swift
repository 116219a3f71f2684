internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores

/// The values of the API as JSON, and the answers that are made of them.
enum APIAnswer {
    /// A document.
    static func json(_ text: String, status: Int = 200) -> OutgoingResponse {
        OutgoingResponse(
            status, [HeaderField("Content-Type", "application/json")], body: .bytes(Array((text + "\n").utf8)))
    }

    /// Why something was not done.
    static func problem(_ refusal: Refusal) -> OutgoingResponse {
        var error = JSONObject()
        error.add("code", refusal.code)
        error.add("message", refusal.message)
        return json("{\"error\":\(error.text)}", status: refusal.status)
    }

    /// A document of some entries of a longer list.
    ///
    /// - Parameters:
    ///   - format: The format of the command line.
    ///   - name: The member that has the entries.
    ///   - entries: Their JSON texts.
    ///   - total: How many there are in all; nil where nobody counted.
    ///   - next: Where the list goes on, nil at its end.
    /// - Returns: The answer.
    static func list(
        _ format: String, _ name: String, _ entries: [String], total: Int? = nil, next: Int?
    ) -> OutgoingResponse {
        var object = JSONObject()
        object.add("format", format)
        object.add(name, json: JSONObject.array(entries))
        if let total { object.add("total", total) }
        object.add("next_offset", next.map { Int64($0) })
        return json(object.text)
    }

    // MARK: Runs

    /// A run.
    static func text(_ view: RunView) -> String {
        let served = view.served
        var object = JSONObject()
        object.add("id", view.reference)
        object.add("pipeline", view.pipeline.name)
        object.add("kind", view.isPlan ? "plan" : "run")
        object.add("state", state(view))
        object.add("service_run", served?.id)
        object.add("store_run", view.entry?.id ?? served?.storeRun)
        object.add("due", served?.due.map { MomentText.utc($0) })
        object.add("attempt", served?.attempt ?? 1)
        object.add("who", served?.who)
        object.add("started_at", view.startedAt.map { MomentText.utc($0) })
        object.add("ended_at", (served?.endedAt ?? view.entry?.end).map { MomentText.utc($0) })
        let seconds = served?.seconds ?? view.entry?.seconds.map { Double($0) }
        object.add("seconds", json: seconds.map { JSONText.seconds($0) } ?? "null")
        object.add("exit_code", served?.exitCode.map { Int64($0) })
        object.add("error", view.error)
        object.add("progress", json: served?.progress.map(text) ?? "null")
        let counts = view.entry.map { ServedCounts($0) } ?? served?.counts
        object.add("summary", json: counts.map(text) ?? "null")
        if let within = counts?.within, !within.isEmpty {
            var entities = JSONObject()
            for (entity, counts) in within.sorted(by: { $0.key < $1.key }) { entities.add(entity, json: text(counts)) }
            object.add("entities", json: entities.text)
        }
        return object.text
    }

    private static func state(_ view: RunView) -> String {
        let known = ["waiting", "running"] + ServedRun.Outcome.allCases.map(\.rawValue)
        return known.contains(view.state) ? view.state : "unknown"
    }

    private static func text(_ progress: ServedProgress) -> String {
        var object = JSONObject()
        object.add("stream", progress.stream)
        object.add("pages", progress.pages)
        object.add("bytes", progress.bytes)
        object.add("records", progress.records)
        object.add("text", progress.line)
        return object.text
    }

    private static func text(_ counts: ServedCounts) -> String {
        var object = JSONObject()
        for (name, count) in counts.told { object.add(name, count) }
        return object.text
    }

    // MARK: Pipelines

    /// A pipeline with its state.
    static func text(_ state: PipelineState, now: Int64) -> String {
        let served = state.served
        var object = JSONObject()
        object.add("name", served.name)
        object.add("description", served.description)
        object.add("file", served.file.path)
        object.add("problems", json: JSONText.array(served.file.problems.map { ProblemsJSON.text($0) }))
        object.add("outdated", served.isOutdated)
        object.add("store", served.storeURL)
        object.add("schedule", served.schedule)
        object.add("next_due", served.nextDue.map { MomentText.utc($0) })
        object.add("late_since", served.lateSince.map { MomentText.utc($0) })
        object.add("left_out", served.leftOut)
        func view(_ run: ServedRun) -> String { text(RunView(pipeline: served, served: run)) }
        object.add("running", json: served.running.map(view) ?? "null")
        object.add("waiting", json: JSONText.array(served.waiting.map(view)))
        let row = state.row
        object.add("last_run", json: row?.run.map { HistoryJSON.text($0) } ?? "null")
        if let success = row?.success {
            var last = JSONObject()
            last.add("run", success.id)
            last.add("finished_at", success.finishedAt)
            last.add("age_seconds", row?.age.map { Int64($0) })
            object.add("last_success", json: last.text)
        } else {
            object.add("last_success", json: "null")
        }
        object.add("open_conflicts", row?.openConflicts ?? 0)
        object.add("records_in_conflict", row?.recordsInConflict ?? 0)
        object.add("quarantined", row?.quarantined ?? 0)
        object.add("usual_duration_seconds", row?.usual.seconds.map { Int64($0) })
        object.add("usual_records_read", row?.usual.recordsRead.map { Int64($0) })
        object.add("notes", json: JSONText.array(UnusualNotes.of(state, now: now).map { JSONText.quoted($0) }))
        return object.text
    }
}

extension ServedCounts {
    /// What a store kept of a run.
    init(_ run: RunEntry) {
        self.init(run.counts)
        within = run.within.mapValues { ServedCounts($0) }
    }

    private init(_ counts: RunCounts) {
        self.init()
        (inserted, updated, deleted, unchanged) = (counts.inserted, counts.updated, counts.deleted, counts.unchanged)
        (keptLocal, conflicts, conflictsWritten) = (counts.keptLocal, counts.conflicts, counts.conflictsWritten)
        (quarantined, deletesRefused, stale) = (counts.quarantined, counts.deletesRefused, counts.stale)
        (deletesReported, duplicates) = (counts.deletesReported, counts.duplicates)
    }
}
