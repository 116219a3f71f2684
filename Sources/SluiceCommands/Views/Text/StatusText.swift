internal import SluiceDiagnostics
internal import SluiceReport
internal import SluiceStore

/// The last runs of a store's pipelines, for people.
struct StatusText {
    let style: TextStyle

    /// A few lines for each pipeline, store by store where there are several.
    func text(_ blocks: [StatusBlock]) -> String {
        if blocks.count == 1 { return text(blocks[0].rows, store: blocks[0].name) }
        return blocks.map { block in
            style.paint("In the \(PrintableText.escape(block.name)):", .faint) + "\n"
                + text(block.rows, store: block.name)
        }.joined(separator: "\n")
    }

    /// A few lines for each pipeline.
    ///
    /// - Parameters:
    ///   - rows: What is known of each.
    ///   - store: How the store is called, after "the".
    /// - Returns: Whole lines.
    func text(_ rows: [StatusRow], store: String) -> String {
        if rows.isEmpty { return "No pipeline has run on the \(PrintableText.escape(store)) yet.\n" }
        let names = rows.map { ShortText.of($0.pipeline) }
        let width = names.map { TextWidth.of($0) }.max() ?? 0
        return zip(rows, names).map { row, name in
            self.text(row, name: style.paint(ShortText.padded(name, to: width), .strong), width: width)
        }.joined()
    }

    /// What is wrong with a run, and what people should know of it.
    private func reasons(_ run: RunEntry) -> [String] {
        var lines: [String] = []
        if let error = run.error { lines.append(style.paint(PrintableText.escape(error), .removed)) }
        for warning in run.warnings {
            lines.append(style.paint("warning: ", .changed) + PrintableText.escape(warning.message))
            let listed = RecordLabel.all(of: RunProblem(warning)).prefix(Self.listedKeys)
            if listed.isEmpty { continue }
            lines += listed.map { "  - \($0)" }
            let rest = warning.unlisted + warning.keys.count - listed.count
            if rest > 0 { lines.append("  … and \(CountText.grouped(rest)) more") }
        }
        return lines
    }

    /// A run of which the store keeps nothing, and why.
    private func unkept(_ run: UnkeptRun) -> [String] {
        let reason = style.paint(run.reason, .removed)
        guard let end = run.end else {
            let words = style.paint("was cut off", .removed)
            return ["the run that began at \(MomentText.utc(run.start)) \(words); nothing of it is kept", reason]
        }
        let seconds = CountText.time(Int(clamping: max(0, end - run.start)))
        return [
            "\(style.paint("\(run.status)", .removed)) at \(MomentText.utc(end)), after \(seconds); nothing of it is kept",
            reason,
        ]
    }

    /// How many of the records that a warning is about are listed.
    private static let listedKeys = 3

    /// How long the last run took and how much it read, beside what is usual.
    private func extent(_ row: StatusRow, of run: RunEntry) -> [String] {
        func usually(_ text: String?) -> String { text.map { " (usually \($0))" } ?? "" }
        var facts: [String] = []
        if let seconds = run.seconds {
            facts.append("took \(CountText.time(seconds))" + usually(row.usual.seconds.map { CountText.time($0) }))
        }
        if let read = run.recordsRead {
            facts.append(
                "read \(CountText.of(read, "record"))" + usually(row.usual.recordsRead.map { CountText.grouped($0) }))
        }
        var lines = facts.isEmpty ? [] : [style.paint(facts.joined(separator: ", "), .faint)]
        if let short = row.usual.shortRun, let read = short.recordsRead, let usual = row.usual.recordsRead {
            lines.append(
                style.paint("few records: ", .changed)
                    + "run \(short.id) read \(CountText.grouped(read)), and \(CountText.grouped(usual)) are usual")
        }
        return lines
    }

    /// The last run that succeeded, where that is not the last one.
    private func success(_ row: StatusRow, after run: RunEntry) -> [String] {
        guard let success = row.success else { return [style.paint("no whole run has succeeded yet", .removed)] }
        if success.id == run.id { return [] }
        let age = row.age.map { "\(CountText.age($0)) ago" } ?? "at \(ShortText.of(success.startedAt))"
        return ["the last success is run \(success.id), \(age)"]
    }

    /// That the last success is older than it may be; that there was none is told already.
    private func tooOld(_ row: StatusRow) -> [String] {
        guard row.isTooOld, let most = row.mostAge, row.success != nil else { return [] }
        return [
            style.paint(
                "the last success is older than \(most < 1 ? "0 s" : CountText.age(Int(min(most, 1e15))))", .removed)
        ]
    }

    /// When it is due.
    private func due(_ row: StatusRow) -> [String] {
        guard let due = row.due else { return [] }
        if let since = due.since {
            let leftOut = row.leftOut.map {
                "; \(MomentText.utc($0.due)) is left out: \(PrintableText.escape($0.reason))"
            }
            return [style.paint("due since \(MomentText.utc(since)), and not run\(leftOut ?? "")", .removed)]
        }
        return due.next.map { [style.paint("due next at \(MomentText.utc($0))", .faint)] } ?? ["never due again"]
    }

    private func text(_ row: StatusRow, name: String, width: Int) -> String {
        let margin = String(repeating: " ", count: width) + "  "
        guard let run = row.run else {
            let lines = row.unkept.map { unkept($0) } ?? ["has not run"]
            return (["\(name)  \(lines[0])"] + (lines.dropFirst() + due(row)).map { margin + $0 })
                .map { $0 + "\n" }.joined()
        }
        let status =
            row.isAtWork
            ? style.paint("at work", .added)
            : style.paint(ShortText.of(run.status), run.status == "succeeded" ? .added : .removed)
        let time =
            row.isAtWork
            ? "since \(ShortText.of(run.startedAt))" : "at \(ShortText.of(run.finishedAt ?? run.startedAt))"
        let undone = run.undoneBy.map { ", undone by run \($0)" } ?? ""
        let age = run.id == row.success?.id ? row.age.map { ", \(CountText.age($0)) ago" } ?? "" : ""
        var lines = ["\(name)  run \(run.id) \(status) \(time)\(age)\(undone)"]
        if run.isKept {
            // What the run counted, as its report did; what is open now is told below.
            let words = SummaryText.words(run)
            if !words.isEmpty { lines.append(margin + words.joined(separator: ", ")) }
            lines += SummaryText.within(run).map { margin + $0 }
        }
        lines += reasons(run).map { margin + $0 }
        if row.tookTooLong { lines.append(margin + style.paint(UnkeptRun.tooLong, .removed)) }
        if let run = row.unkept {
            let words = unkept(run)
            lines += ["since then, " + words[0]].map { margin + $0 } + words.dropFirst().map { margin + $0 }
        }
        lines += (extent(row, of: run) + success(row, after: run) + tooOld(row) + due(row)).map { margin + $0 }
        if let undo = row.undo, undo.undoes != run.id {
            lines.append(margin + "since then, run \(undo.id) undid run \(undo.undoes ?? 0): \(SummaryText.line(undo))")
        }
        if let earlier = row.unfinished {
            let scope = earlier.scope.map { " (\(ShortText.of($0)))" } ?? ""
            lines.append(
                margin + "since run \(earlier.id)\(scope), "
                    + style.paint(ShortText.of(earlier.status), earlier.status == "succeeded" ? .added : .removed) + ":"
            )
            lines += reasons(earlier).map { "\(margin)  \($0)" }
        }
        // A record may be in conflict about several of its fields.
        let records =
            row.recordsInConflict == row.openConflicts ? "" : " in \(CountText.of(row.recordsInConflict, "record"))"
        let held = row.quarantined - row.typeChanged
        let open = [
            (row.openConflicts, CountText.word(row.openConflicts, "conflict open", "conflicts open") + records),
            (held, CountText.word(held, "record in quarantine", "records in quarantine")),
            (row.typeChanged, CountText.word(row.typeChanged, "value in quarantine", "values in quarantine")),
        ].filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        if !open.isEmpty { lines.append(margin + style.paint(open.joined(separator: ", "), .conflict)) }
        if !row.edits.isEmpty {
            lines.append(margin + "changed here: " + EditText.words(row.edits).joined(separator: ", "))
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
