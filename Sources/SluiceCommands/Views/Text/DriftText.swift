internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// What drifts, for people.
struct DriftText {
    let style: TextStyle

    func text(_ drifts: [PipelineDrift]) -> String { drifts.map(text).joined(separator: "\n") }

    private func text(_ drift: PipelineDrift) -> String {
        let name = style.paint(ShortText.of(drift.pipeline), .strong)
        let facts = style.paint("(\(Self.facts(drift)))", .faint)
        let keys = drift.streams.flatMap { stream in stream.keys.map { row($0, stream) } }
        let missing = drift.streams.flatMap { stream in stream.missingFields.map { row($0, stream) } }
        let blocks = [
            ("Keys that no field takes", keys), ("Fields that no record gives any more", missing),
            ("Columns that differ", drift.columns.filter { $0.kind != .own }.map(row)),
            ("Your own columns", drift.columns.filter { $0.kind == .own }.map(row)),
            ("Values that do not fit", drift.misfits.map(row)),
        ].filter { !$0.1.isEmpty }
        let failures = drift.streams.compactMap(failure).joined()
        let text = blocks.map { "  \($0.0):\n\(table($0.1))" }.joined()
        return "\(name)  \(facts)\n" + failures + (text.isEmpty && failures.isEmpty ? "  Nothing drifts.\n" : text)
    }

    // MARK: The headline

    private static func facts(_ drift: PipelineDrift) -> String {
        let streams = drift.streams.map { stream in
            let name = ShortText.of(stream.name)
            let keys = stream.ignoresKeys ? ", keys ignored" : ""
            return switch stream.reading {
            case .page(let records): "\(CountText.of(records, "record")) of \(name)\(keys)"
            case .memory: "\(name) as runs remember it\(keys)"
            case .unasked, .failure: "nothing of \(name)"
            }
        }
        return (streams + (drift.hasStore ? [] : ["no run has written to the store yet"])).joined(separator: "; ")
    }

    private func failure(_ stream: PipelineDrift.Stream) -> String? {
        switch stream.reading {
        case .page, .memory: nil
        case .unasked(let reason): "  \(ShortText.of(stream.name)): \(PrintableText.escape(reason))\n"
        case .failure(let failure):
            "  \(style.paint("error: ", .removed))\(ShortText.of(stream.name)): \(PrintableText.escape(failure.message))\n"
        }
    }

    // MARK: Rows

    private func row(_ key: PipelineDrift.Key, _ stream: PipelineDrift.Stream) -> [String] {
        var count = "met by earlier runs"
        if case .page(let records) = stream.reading {
            count = key.records.map { "in \($0) of \(CountText.of(records, "record"))" } ?? "not in this page"
        }
        let news = key.isRemembered || key.records == nil ? "" : "new"
        return [ShortText.of(stream.name), ShortText.of(key.path), count, news, Self.sample(key.sample)]
    }

    private func row(_ field: PipelineDrift.MissingField, _ stream: PipelineDrift.Stream) -> [String] {
        var count = ""
        if case .page(let records) = stream.reading { count = "in none of \(CountText.of(records, "record"))" }
        let before = "\(CountText.grouped(field.before)) had it before"
        let candidate = field.candidate.map { "renamed to `\(ShortText.of($0))`?" } ?? ""
        return [ShortText.of(stream.name), ShortText.of(field.field), count, before, candidate]
    }

    private func row(_ column: ColumnDrift) -> [String] {
        let name = ([column.table] + [column.column].compactMap { $0 }).joined(separator: ".")
        return [ShortText.of(name), ShortText.of(column.declared ?? ""), Self.words(column)]
    }

    private func row(_ misfit: PipelineDrift.Misfit) -> [String] {
        let count =
            switch misfit.place {
            case .page: "\(CountText.of(misfit.count, "record")) of this page"
            case .quarantine: "\(CountText.grouped(misfit.count)) in quarantine"
            case .table: CountText.of(misfit.count, "row")
            }
        return [
            ShortText.of(misfit.stream), ShortText.of(misfit.pointer), misfit.reason, count, Self.sample(misfit.sample),
        ]
    }

    private static func sample(_ json: String?) -> String { json.map { ShortText.of($0) } ?? "" }

    /// How a column differs.
    private static func words(_ column: ColumnDrift) -> String {
        let field = column.field.map { "the field `\(ShortText.of($0))`" } ?? ""
        let type = column.type?.rawValue ?? ""
        return switch column.kind {
        case .missingTable: "the table is not there"
        case .view: "is a view, and records need a table"
        case .missing: "not there; the next run adds it for \(field) if that is new"
        case .type: "cannot hold \(field), \(type)"
        case .typeChange: change(column, to: type)
        case .rename: "the next run renames it to `\(ShortText.of(column.becomes ?? ""))`"
        case .required: column.field == nil ? "not null, and no field fills it" : "not null, and \(field) may be"
        case .generated: "generated, so that \(field) cannot fill it"
        case .left: "left by \(field), which the pipeline no longer has"
        case .own: ""
        }
    }

    /// What the next run does to a column whose field has another type.
    private static func change(_ column: ColumnDrift, to type: String) -> String {
        let refused = column.refused
        if refused > 0 {
            let values = CountText.of(refused, "value")
            return "\(values) cannot become \(column.becomes ?? type), so the next run refuses the type"
        }
        return column.becomes.map { "becomes \($0) in the next run" } ?? "its values become \(type) in the next run"
    }

    /// Rows in columns, the last of which is as wide as it is.
    private func table(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { part in
            rows.map { part < $0.count ? TextWidth.of($0[part]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).filter { $1 > 0 }.map { ShortText.padded($0, to: $1) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return "    \(line)\n"
        }.joined()
    }
}
