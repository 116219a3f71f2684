internal import SluiceCommands
internal import SluiceDiagnostics
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores

/// The metrics of a service as text for Prometheus, in its own form or as OpenMetrics.
struct MetricsText {
    private enum Kind: String {
        case counter, gauge
    }

    let isOpenMetrics: Bool
    private(set) var text = ""

    init(isOpenMetrics: Bool) { self.isOpenMetrics = isOpenMetrics }

    /// The type of the text.
    var type: String {
        isOpenMetrics
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8"
    }

    /// The text of a service's metrics.
    ///
    /// - Parameters:
    ///   - status: How the service is.
    ///   - states: How its pipelines are.
    ///   - counts: What their runs came to.
    ///   - bytes: How much the store of a pipeline takes.
    mutating func write(
        _ status: ServeStatus, _ states: [PipelineState], _ counts: [String: MetricsCollector.Counts],
        bytes: (ServedPipeline) -> Int?
    ) {
        let counts = counts.sorted { $0.key < $1.key }
        gauge(
            "sluice_build_info", "The version of the program.", [([("version", Sluice.version)], 1)])
        writeRuns(counts)
        gauge("sluice_workers", "How many runs go at a time.", [([], Double(status.workers))])
        gauge(
            "sluice_running_runs", "Runs that are going.",
            [([], Double(status.running.count))])
        gauge(
            "sluice_waiting_runs", "Runs that wait for a worker.",
            [([], Double(status.pipelines.reduce(0) { $0 + $1.waiting.count }))])
        func each(_ value: (PipelineState) -> Double?) -> [([(String, String)], Double)] {
            states.compactMap { state in value(state).map { ([("pipeline", state.served.name)], $0) } }
        }
        gauge(
            "sluice_open_conflicts", "Conflicts that wait for a decision.",
            each { $0.row.map { Double($0.openConflicts) } })
        gauge("sluice_quarantined_records", "Records in quarantine.", each { $0.row.map { Double($0.quarantined) } })
        gauge(
            "sluice_last_success_age_seconds", "How long ago the last whole run succeeded.",
            each { $0.row?.age.map { Double($0) } })
        gauge(
            "sluice_last_run_success", "Whether the last run succeeded.",
            each { $0.row?.run.map { $0.status == "succeeded" ? 1 : 0 } })
        gauge(
            "sluice_next_due_timestamp_seconds", "When the pipeline is due next.",
            each { $0.served.nextDue.map { Double($0) } })
        gauge(
            "sluice_late_seconds", "How long a due time has waited beyond what it should; 0 where none does.",
            each { state in Double(state.served.lateSince.map { max(0, status.now - $0) } ?? 0) })
        gauge(
            "sluice_pipeline_file_problems", "Errors of the pipeline's file.",
            each { Double($0.served.file.problems.count { $0.severity == .error }) })
        gauge(
            "sluice_store_bytes", "The size of the pipeline's store.",
            each { bytes($0.served).map(Double.init) })
        gauge("sluice_start_timestamp_seconds", "When the service was started.", [([], Double(status.startedAt))])
        if isOpenMetrics { text += "# EOF\n" }
    }

    private mutating func writeRuns(_ counts: [(key: String, value: MetricsCollector.Counts)]) {
        func each(_ value: (MetricsCollector.Counts) -> Double) -> [([(String, String)], Double)] {
            counts.map { ([("pipeline", $0.key)], value($0.value)) }
        }
        func outcomes(_ path: (MetricsCollector.Counts) -> [ServedRun.Outcome: Int]) -> [([(String, String)], Double)] {
            counts.flatMap { name, counts in
                ServedRun.Outcome.allCases.compactMap { outcome in
                    path(counts)[outcome].map { ([("pipeline", name), ("outcome", outcome.rawValue)], Double($0)) }
                }
            }
        }
        func named(_ label: String, _ values: (MetricsCollector.Counts) -> [String: Double]) -> [(
            [(String, String)], Double
        )] {
            counts.flatMap { name, counts in
                values(counts).sorted { $0.key < $1.key }.map { ([("pipeline", name), (label, $0.key)], $0.value) }
            }
        }
        counter("sluice_runs", "Runs that ended.", outcomes(\.runs))
        counter("sluice_plans", "Plans that ended.", outcomes(\.plans))
        counter(
            "sluice_records", "Records of streams by what became of them.",
            named("action") { $0.records.mapValues { Double($0) } }
        )
        counter("sluice_run_seconds", "How long runs took.", each(\.seconds))
        counter("sluice_stage_seconds", "How long the stages of runs took.", named("stage", \.stageSeconds))
        counter("sluice_requests", "Requests to sources, without repeated ones.", each { Double($0.requests) })
        counter("sluice_retries", "Requests that were repeated.", each { Double($0.retries) })
        counter("sluice_read_bytes", "Bytes that sources gave.", each { Double($0.bytes) })
        counter(
            "sluice_rate_limit_wait_seconds", "How long limits of requests held them back.", each(\.limitedSeconds))
        counter("sluice_late_starts", "Due times that waited too long.", each { Double($0.late) })
        counter("sluice_skipped_starts", "Due times that were not run.", each { Double($0.skipped) })
    }

    // MARK: Text

    private mutating func counter(_ name: String, _ help: String, _ samples: [([(String, String)], Double)]) {
        // OpenMetrics names the family, and the older form the samples.
        add(isOpenMetrics ? name : name + "_total", .counter, help, sample: name + "_total", samples)
    }

    private mutating func gauge(_ name: String, _ help: String, _ samples: [([(String, String)], Double)]) {
        add(name, .gauge, help, sample: name, samples)
    }

    private mutating func add(
        _ family: String, _ kind: Kind, _ help: String, sample: String, _ samples: [([(String, String)], Double)]
    ) {
        if samples.isEmpty { return }
        text += "# HELP \(family) \(help)\n# TYPE \(family) \(kind.rawValue)\n"
        for (labels, value) in samples {
            let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
            text += sample + (list.isEmpty ? "" : "{\(list)}") + " \(Self.number(value))\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}
