import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct WarningTests {
    @Test func entityWithoutAStreamIsAWarning() {
        let text = PipelineText.make().split(separator: "streams:", maxSplits: 1)
        let (definition, problems) = PipelineText.load(
            text[0] + "  Author: {primary_key: id, fields: {id: int}}\nstreams:" + text[1])
        #expect(definition?.entities.map(\.name) == ["Book", "Author"])
        #expect(problems.map(\.code) == ["unused_entity"])
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.first?.location?.position == .init(line: 13, column: 3))
    }

    @Test(arguments: [
        ("x: {from: p.mail, redact: hash}\n      y: {from: p.mail}", true),
        ("x: {from: p.mail, redact: hash}\n      y: {from: p, type: json}", true),
        ("x: {from: p.mail, redact: hash}\n      y: {from: '$', type: json}", true),
        ("x: {from: p.mail, redact: hash}\n      y: {from: p.mail, redact: mask}", false),
        ("x: {from: p.mail, redact: hash}\n      y: {from: p.name}", false),
        ("x: {from: p, type: json, redact: drop}\n      y: {from: p.name}", false),
    ])
    func redactedValueInAnotherFieldIsAWarning(fields: String, isCopied: Bool) {
        let (definition, problems) = PipelineText.load(PipelineText.make(field: fields))
        #expect(definition != nil)
        #expect(problems.map(\.code) == (isCopied ? ["unredacted_copy"] : []))
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    /// References that take the keys of objects leave the rest of them behind.
    @Test(arguments: [
        ("band: {ref: Band, from: lead.id}", "", 1), ("bands: {refs: Band, from: 'support[*].id'}", "", 1),
        ("bands: {refs: Band, from: 'support[*]'}", "", 0), ("band: {ref: Band, from: lead}", "", 0),
        ("band: {ref: Band, from: band_id}", "", 0), ("band: {ref: Band, from: lead.id, upsert: false}", "", 0),
        ("band: {ref: Band, from: lead.id}\n      bands: {refs: Band, from: 'support[*]'}", "", 0),
        ("band: {ref: Band, from: lead.id}", "\n  - {name: bands, entity: Band, path: /bands}", 0),
    ])
    func objectsOfWhichTheKeyAloneIsTaken(fields: String, streams: String, count: Int) {
        let text = PipelineText.make(field: fields).split(separator: "streams:", maxSplits: 1)
        let band = "  Band: {primary_key: id, fields: {id: int, name: string}}\nstreams:"
        let (definition, problems) = PipelineText.load("\(text[0])\(band)\(text[1])\(streams)")
        #expect(definition != nil)
        #expect(problems.map(\.code) == [DiagnosticCode](repeating: "unfilled_target", count: count))
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test(arguments: [
        ("band_id: {ref: Band}", "band_id_id"), ("bandId: {ref: Band}", "bandId_id"),
        ("band_id: {ref: Band, column: band_id}", nil), ("band: {ref: Band, from: band_id}", nil),
        ("arid: {ref: Band}", nil),
    ])
    func referenceThatIsCalledAsItsKeyIsAWarning(field: String, column: String?) {
        let text = PipelineText.make(field: field).split(separator: "streams:", maxSplits: 1)
        let (definition, problems) = PipelineText.load(
            "\(text[0])  Band: {primary_key: id, fields: {id: int}}\nstreams:\(text[1])\n  - {name: bands, entity: Band, path: /bands}"
        )
        #expect(definition != nil)
        #expect(problems.map(\.code) == (column == nil ? [] : ["doubled_column"]))
        #expect(column.map { problems.first?.detail.contains("`\($0)`") ?? false } ?? true, "\(problems)")
    }

    @Test(arguments: ["date", "'%Y-%m-%d %H:%M'"])
    func momentWithoutAZoneIsAWarning(format: String) {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(field: "at: {type: datetime, format: \(format)}"))
        #expect(definition != nil)
        #expect(problems.map(\.code) == ["missing_zone"])
        let (_, none) = PipelineText.load(
            PipelineText.make(field: "at: {type: datetime, format: \(format), timezone: UTC}"))
        #expect(none == [])
    }

    @Test(arguments: ["rfc3339", "unix", "unix_ms", "'%Y-%m-%dT%H:%M:%S%z'", "'%FT%T%Z'", "'%Y%jT%T%z'"])
    func momentWithItsZoneIsFine(format: String) {
        let (_, problems) = PipelineText.load(
            PipelineText.make(field: "at: {type: datetime, format: \(format)}"))
        #expect(problems == [])
    }

    @Test(
        arguments: [
            ("", ["unread_deletions"]), ("deleted_when: has(\"@removed\")", []), ("deleted_when: 'false'", []),
            ("write_mode: insert_only", []),
        ] as [(String, [DiagnosticCode])])
    func aTokenWithoutDeletionsIsAWarning(key: String, codes: [DiagnosticCode]) {
        let (_, problems) = PipelineText.load(
            PipelineText.make(stream: "incremental: {token: next}" + (key.isEmpty ? "" : "\n    \(key)")))
        #expect(problems.map(\.code) == codes)
    }
}
