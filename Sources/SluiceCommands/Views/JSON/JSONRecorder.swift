package import SluiceMerge
package import SluiceModel
package import SluiceReport
package import SluiceStore

/// Keeps a run's changes as JSON and writes the report for programs.
package final class JSONRecorder: ReportRecorder {
    private let changes: ListSpool
    private let kept: ListSpool
    private let conflicts = ListSpool(limit: nil)
    private let quarantine = ListSpool(limit: nil)
    private let progressLine: ProgressLine
    private var changeJSON: [RecordMapping: ChangeJSON] = [:]

    package init(changeLimit: Int?, progressLine: ProgressLine) {
        changes = ListSpool(limit: changeLimit)
        kept = ListSpool(limit: changeLimit)
        self.progressLine = progressLine
    }

    package var wantsChanges: Bool { !changes.isFull }

    package func changed(_ change: RecordChange, schema: RecordSchema) {
        changes.append(separator(changes) + view(schema).text(change))
    }

    package func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        kept.append(separator(kept) + view(schema).text(change()))
    }

    private func view(_ schema: RecordSchema) -> ChangeJSON {
        if let view = changeJSON[schema.source] { return view }
        let view = ChangeJSON(schema: schema)
        changeJSON[schema.source] = view
        return view
    }

    package func skippedChange(of schema: RecordSchema) { changes.skip() }

    package func conflict(_ entry: ConflictEntry) { conflicts.append(separator(conflicts) + ConflictJSON.text(entry)) }

    package func quarantined(_ entry: QuarantineEntry) {
        quarantine.append(separator(quarantine) + QuarantineJSON.text(entry))
    }

    package func restart() { for list in [changes, kept, conflicts, quarantine] { list.clear() } }

    package func progress(_ progress: RunProgress) { progressLine.show(progress) }

    package func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        let lists = [
            ("changes", changes), ("kept_local", kept), ("conflicts", conflicts), ("quarantine", quarantine),
        ]
        if report.isKept { report.note(lists.map(\.1.spool)) } else { restart() }
        try output.write(String(ReportJSON.head(report).text.dropLast()))
        for (name, list) in lists {
            try output.write(",\"\(name)\":[")
            try list.spool.copy(to: output)
            try output.write(list.spool.isEmpty ? "]" : "\n]")
            if name == "changes" {
                let isCut = [changes, kept].contains { $0.omitted > 0 || $0.spool.error != nil }
                try output.write(",\"changes_truncated\":\(isCut)")
            }
        }
        try output.write(",\"problems\":" + ReportJSON.problems(report.problems) + "}")
    }

    private func separator(_ list: ListSpool) -> String { list.isEmpty ? "\n" : ",\n" }
}
