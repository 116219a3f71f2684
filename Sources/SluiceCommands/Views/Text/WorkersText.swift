internal import SluiceDiagnostics
internal import SluiceServeModel

/// The services that share a store, for people.
struct WorkersText {
    let style: TextStyle

    /// A line for each service, and one for each of its runs.
    ///
    /// - Parameters:
    ///   - workers: The services.
    ///   - store: How the store is called, after "the".
    ///   - isPooled: Whether several services can share it.
    ///   - now: The time of the server.
    /// - Returns: Whole lines.
    func text(_ workers: [ServedWorker], store: String, isPooled: Bool, now: Int64) -> String {
        let name = PrintableText.escape(store)
        if !isPooled {
            return "The \(name) belongs to one service at a time. Services share stores on PostgreSQL.\n"
        }
        if workers.isEmpty { return "No service serves the \(name). Start one with `sluice serve`.\n" }
        return workers.map { worker in
            let place = style.paint(PrintableText.escape(worker.place), .strong)
            let seen = "heard of \(age(worker.seenAt, now)) ago"
            let takeover = worker.tasks.isEmpty ? "" : ", and others take over its runs"
            let state =
                worker.isLate ? style.paint("late: \(seen)\(takeover)", .removed) : style.paint(seen, .faint)
            let head = "\(place)  since \(MomentText.utc(worker.startedAt)), \(load(worker)); \(state)\n"
            return head
                + worker.tasks.map { task in
                    let due =
                        task.helps
                        ? "partitions of a run of another service"
                        : task.due.map { "due at \(MomentText.utc($0))" } ?? "asked for"
                    return "  \(PrintableText.escape(task.pipeline))  \(due), for \(age(task.since, now))\n"
                }.joined()
        }.joined()
    }

    private func load(_ worker: ServedWorker) -> String {
        worker.tasks.isEmpty ? "idle" : "\(worker.tasks.count) of \(CountText.of(worker.slots, "run"))"
    }

    private func age(_ moment: Int64, _ now: Int64) -> String { CountText.age(Int(clamping: max(0, now - moment))) }
}
