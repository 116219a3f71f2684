internal import SluiceStore

/// `sluice status`: the last run of each pipeline, from the store alone.
struct StatusCommand {
    /// What is known of one pipeline.
    struct Row {
        let pipeline: String
        let run: RunEntry?
        let openConflicts: Int
        let quarantined: Int
    }

    let invocation: Invocation

    func run() throws -> ExitCode {
        let reading = try StoreReading(invocation)
        let rows: [Row] = try reading.read { store in try self.rows(of: store) }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(StatusJSON.text(rows, store: reading.address))
        } else {
            try output.write(StatusText(style: invocation.style(for: output)).text(rows, store: reading.address))
        }
        try output.finish()
        return .done
    }

    private func rows(of store: SQLiteRecordStore) throws -> [Row] {
        let conflicts = try store.conflicts.list(includingClosed: false).reduce(into: [:]) {
            $0[$1.pipeline, default: 0] += 1
        }
        let quarantined = try store.quarantine.list(includingClosed: false).reduce(into: [:]) {
            $0[$1.pipeline, default: 0] += 1
        }
        return try store.runs.pipelines().map { pipeline in
            Row(
                pipeline: pipeline, run: try store.runs.last(of: pipeline),
                openConflicts: conflicts[pipeline] ?? 0, quarantined: quarantined[pipeline] ?? 0)
        }
    }
}
