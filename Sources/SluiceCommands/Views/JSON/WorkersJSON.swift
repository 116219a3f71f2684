package import SluiceServeModel

/// The services that share a store, for programs.
package enum WorkersJSON {
    /// The document.
    ///
    /// - Parameters:
    ///   - workers: The services.
    ///   - store: What tells programs where the store is.
    ///   - now: The time of the server.
    /// - Returns: Its text.
    package static func text(_ workers: [ServedWorker], store: String, now: Int64) -> String {
        var object = JSONObject()
        object.add("format", "sluice.workers/1")
        object.add("store", store)
        object.add("now", MomentText.utc(now))
        object.add("workers", json: array(workers))
        return object.text + "\n"
    }

    /// The list of workers, as the document and the API have it.
    package static func array(_ workers: [ServedWorker]) -> String { JSONObject.array(workers.map(text)) }

    private static func text(_ worker: ServedWorker) -> String {
        var object = JSONObject()
        object.add("id", worker.id)
        object.add("place", worker.place)
        object.add("slots", worker.slots)
        object.add("started_at", MomentText.utc(worker.startedAt))
        object.add("seen_at", MomentText.utc(worker.seenAt))
        object.add("lease_seconds", worker.lease.map { Int64($0.rounded(.up)) })
        object.add("late", worker.isLate)
        object.add("runs", json: JSONObject.array(worker.tasks.map(text)))
        return object.text
    }

    private static func text(_ task: ServedWorker.Task) -> String {
        var object = JSONObject()
        object.add("pipeline", task.pipeline)
        object.add("due", task.due.map { MomentText.utc($0) })
        object.add("since", MomentText.utc(task.since))
        object.add("helps", task.helps)
        return object.text
    }
}
