import SluiceCommands
import SluiceMerge
import SluiceModel
import SluiceReport
import SluiceStore

/// Reports and changes to render.
enum Sample {
    static let schema = RecordSchema(
        pipeline: "shop", stream: "books", entity: "Book", table: "books",
        fields: [
            .init(name: "id", column: "id", type: .int), .init(name: "title", column: "title", type: .string),
            .init(name: "price", column: "price", type: .decimal), .init(name: "stock", column: "stock", type: .bool),
        ], keyFields: [0])

    static func field(
        _ index: Int, _ fieldClass: FieldClass, base: FieldValue? = nil, local: FieldValue? = nil,
        remote: FieldValue? = nil, result: FieldValue? = nil
    ) -> RecordChange.Field {
        RecordChange.Field(
            index: index, fieldClass: fieldClass, base: base, local: local, remote: remote, result: result)
    }

    static func text(_ text: String) -> FieldValue { FieldValue(text) }

    static func change(
        _ action: RecordChange.Action, _ kind: RowKind, id: Int64, _ fields: [RecordChange.Field]
    ) -> RecordChange {
        RecordChange(action: action, kind: kind, key: RecordKey([.integer(id)]), fields: fields)
    }

    static func insert(id: Int64, title: String) -> RecordChange {
        change(
            .insert, .insert, id: id,
            [
                field(0, .fill, remote: .integer(id), result: .integer(id)),
                field(1, .fill, remote: text(title), result: text(title)),
                field(2, .fill, remote: .null, result: .null),
                field(3, .fill, remote: .integer(1), result: .integer(1)),
            ])
    }

    static let update = change(
        .update, .merge, id: 17,
        [
            field(
                1, .localOverride, base: text("Old"), local: text("Mine"), remote: text("Old"), result: text("Mine")),
            field(
                2, .remoteUpdate, base: text("12.50"), local: text("12.50"), remote: text("13.90"),
                result: text("13.90")),
        ])

    static let conflictChange = change(
        .conflict, .merge, id: 18,
        [
            field(1, .editEdit, base: text("A"), local: text("B"), remote: text("C"), result: text("B")),
            field(3, .remoteUpdate, base: .integer(0), local: .integer(0), remote: .integer(1), result: .integer(1)),
        ])

    static func conflict(
        id: Int64?, key: String = "{\"id\":18}", field: String? = "title", kind: String = "edit_edit",
        status: ConflictStatus = .open
    ) -> ConflictEntry {
        ConflictEntry(
            id: id, pipeline: "shop", stream: "books", entity: "Book", key: key, field: field, kind: kind,
            base: field == nil ? nil : "\"A\"", local: "\"B\"", remote: field == nil ? nil : "\"C\"", policy: "manual",
            status: status, firstRun: 2, lastRun: 3)
    }

    static let quarantined = QuarantineEntry(
        id: 4, pipeline: "shop", stream: "books", entity: "Book", key: "{\"id\":19}", recordHash: 1,
        reason: "type_mismatch", pointer: "/price", value: "\"x\"", message: "Expected a decimal.",
        record: Array("{\"id\":19,\"price\":\"x\"}".utf8), firstRun: 3, lastRun: 3)

    /// A report of a run over one stream; of a pipeline without streams where the entity is nil.
    static func report(_ command: RunReport.Command = .run, entity: String? = "Book") -> RunReport {
        var report = RunReport(pipeline: "shop", command: command, startedAt: "2026-01-02T03:04:05Z")
        report.finishedAt = "2026-01-02T03:04:06Z"
        report.run = command == .run ? 3 : nil
        guard let entity else { return report }
        var stream = StreamReport(stream: "books", entity: entity)
        stream.isComplete = true
        stream.pages = 2
        stream.bytes = 500
        stream.read = 6
        stream.quarantined = 1
        (stream.summary.insert, stream.summary.update, stream.summary.conflict) = (1, 1, 1)
        (stream.summary.quarantined, stream.summary.unchanged) = (1, 2)
        report.streams = [stream]
        return report
    }

    /// What a recorder writes of observer calls and a report.
    static func text(
        of recorder: any ReportRecorder, _ report: RunReport, _ calls: (any ReportRecorder) -> Void
    ) throws -> String {
        calls(recorder)
        let sink = MemorySink()
        let output = try ResultOutput(path: nil, context: CommandContext(output: sink, errors: MemorySink()))
        try recorder.write(report, seconds: 0.42, to: output)
        try output.finish()
        return sink.text
    }

    static let families = EntityFamilies([
        .init("Book", table: "books", key: ["id"]), .init("Tag", table: "tags", key: ["id"]),
    ])

    static func textRecorder(
        limit: Int? = 200, isColored: Bool = false, columns: Int? = nil, families: EntityFamilies = families
    ) -> TextRecorder {
        TextRecorder(
            style: TextStyle(isColored: isColored, columns: columns), limit: limit,
            listsNewTables: false, families: families,
            commands: CommandLines(
                storeOption: " --store sqlite:shop.db", pipeline: "shop.yaml --store sqlite:shop.db"),
            progressLine: ProgressLine(sink: nil, pipeline: "shop"))
    }

    static func jsonRecorder(limit: Int? = nil) -> JSONRecorder {
        JSONRecorder(changeLimit: limit, progressLine: ProgressLine(sink: nil, pipeline: "shop"))
    }
}
