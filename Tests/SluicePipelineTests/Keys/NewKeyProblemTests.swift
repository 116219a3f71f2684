import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct NewKeyProblemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var code: DiagnosticCode
        /// A part of the message.
        var words: String
    }

    static let fields = [
        Case(
            testDescription: "expr and from", text: PipelineText.make(field: "x: {expr: .a, from: a}"),
            code: "conflicting_keys", words: "has both `expr` and `from`"),
        Case(
            testDescription: "expr and value", text: PipelineText.make(field: "x: {expr: .a, value: a}"),
            code: "conflicting_keys", words: "has both `expr` and `value`"),
        Case(
            testDescription: "empty expr", text: PipelineText.make(field: "x: {expr: ' '}"),
            code: "invalid_value", words: "The program is empty."),
        Case(
            testDescription: "set of texts", text: PipelineText.make(field: "x: {compare: set}"),
            code: "conflicting_keys", words: "`compare: set` belongs to `json`"),
        Case(
            testDescription: "case of numbers", text: PipelineText.make(field: "x: {type: int, compare: ci}"),
            code: "conflicting_keys", words: "`compare: ci` belongs to `string`, `enum`, `url`"),
        Case(
            testDescription: "hash of a number", text: PipelineText.make(field: "x: {type: int, redact: hash}"),
            code: "conflicting_keys", words: "`redact: hash` makes texts"),
        Case(
            testDescription: "mask of JSON", text: PipelineText.make(field: "x: {type: json, redact: mask}"),
            code: "conflicting_keys", words: "set `redact: drop`"),
        Case(
            testDescription: "formats of a text", text: PipelineText.make(field: "x: {format: [rfc3339]}"),
            code: "conflicting_keys", words: "`format` belongs to a `date`"),
        Case(
            testDescription: "one bad format", text: PipelineText.make(field: "x: {type: date, format: [date, '%Q']}"),
            code: "invalid_value", words: "`entities.Book.fields.x.format[1]`"),
        Case(
            testDescription: "no formats", text: PipelineText.make(field: "x: {type: date, format: []}"),
            code: "invalid_value", words: "must not be empty"),
        Case(
            testDescription: "zone of numbers",
            text: PipelineText.make(field: "x: {type: datetime, format: [unix, unix_ms], timezone: UTC}"),
            code: "conflicting_keys", words: "`timezone` belongs to"),
        Case(
            testDescription: "default of no format",
            text: PipelineText.make(field: "x: {type: date, format: [unix, date], default: 1.2.2024}"),
            code: "invalid_value", words: "does not fit the type `date`"),
        Case(
            testDescription: "default of a day with a time",
            text: PipelineText.make(field: "x: {type: date, default: '2024-02-01T12:00:00Z'}"),
            code: "invalid_value", words: "does not fit the type `date`"),
        Case(
            testDescription: "default that no double holds",
            text: PipelineText.make(field: "x: {type: double, default: 9007199254740993}"), code: "invalid_value",
            words: """
                `entities.Book.fields.x.default` does not fit the type `double`. 9007199254740993 cannot be stored \
                exactly as a double; use int or decimal.
                """),
        Case(
            testDescription: "default beyond a double",
            text: PipelineText.make(field: "x: {type: double, default: 1e-400}"), code: "invalid_value",
            words: "1e-400 is beyond the range of a double; use decimal."),
        Case(
            testDescription: "map to what no double holds",
            text: PipelineText.make(field: "x: {type: double, map: {a: -9007199254740993}}"), code: "invalid_value",
            words: "-9007199254740993 cannot be stored exactly as a double"),
        Case(
            testDescription: "default of another pattern",
            text: PipelineText.make(field: "x: {type: date, format: '%d.%m.%Y', default: '2024-02-01'}"),
            code: "invalid_value", words: "does not fit the type `date`"),
        Case(
            testDescription: "default that is no mail date",
            text: PipelineText.make(field: "x: {type: datetime, format: rfc2822, default: yesterday}"),
            code: "invalid_value", words: "does not fit the type `datetime`"),
        Case(
            testDescription: "default of a day in the midst of it",
            text: PipelineText.make(field: "x: {type: date, format: unix, default: 5}"),
            code: "invalid_value", words: "does not fit the type `date`"),
        Case(
            testDescription: "default of seconds beyond all times",
            text: PipelineText.make(field: "x: {type: datetime, format: unix, default: 1e30}"),
            code: "invalid_value", words: "does not fit the type `datetime`"),
        Case(
            testDescription: "default before the year 0",
            text: PipelineText.make(field: "x: {type: datetime, default: '0000-01-01T00:00:00+01:00'}"),
            code: "invalid_value", words: "does not fit the type `datetime`"),
        Case(
            testDescription: "other synonym", text: PipelineText.make(field: "x: {owner: source}"),
            code: "invalid_value", words: "Did you mean `remote`?"),
    ]

    static let keyFields = [
        "on_type_mismatch: keep", "redact: mask", "compare: ci", "owner: local", "on_conflict: fail",
    ]
    .map { rule in
        Case(
            testDescription: "key field with \(rule)",
            text: PipelineText.make(field: "isbn: {\(rule)}", key: "[id, isbn]"), code: "unusable_key_field",
            words: "is in the primary key")
    }

    static let entities = [
        Case(
            testDescription: "content and a field", text: PipelineText.make(field: "content: string", key: "content"),
            code: "conflicting_keys", words: "`content` stands for a hash"),
        Case(
            testDescription: "column of the hash", text: PipelineText.make(field: "_key: string", key: "content"),
            code: "reserved_name", words: "`_key` is kept"),
        Case(
            testDescription: "name of the hash",
            text: PipelineText.make(field: "_key: {column: other}", key: "content"), code: "reserved_name",
            words: "The name `_key` is kept"),
        Case(
            testDescription: "name of what was edited below a record",
            text: PipelineText.make(field: "edited within it: string"), code: "reserved_name",
            words: "`edited within it` is kept"),
        Case(
            testDescription: "field needs newest", text: PipelineText.make(field: "x: {on_conflict: newest_wins}"),
            code: "missing_key", words: "`newest_wins` applies to `entities.Book`"),
        Case(
            testDescription: "entity needs newest", text: PipelineText.make(entity: "on_conflict: newest_wins"),
            code: "missing_key", words: "`newest_wins` applies to `entities.Book`"),
        Case(
            testDescription: "kind needs newest",
            text: PipelineText.make(entity: "on_conflict: {add_add: newest_wins}"),
            code: "missing_key", words: "`newest_wins` applies to `entities.Book`"),
        Case(
            testDescription: "pipeline needs newest", text: PipelineText.make(top: "merge: {on_conflict: newest_wins}"),
            code: "missing_key", words: "`newest_wins` applies to `entities.Book`"),
        Case(
            testDescription: "newest of a record",
            text: PipelineText.make(
                field: "at: int", entity: "newest: {field: at}\n    on_conflict: {edit_delete: newest_wins}"),
            code: "invalid_value", words: "`entities.Book.on_conflict.edit_delete` must be"),
        Case(
            testDescription: "newest is a text",
            text: PipelineText.make(field: "at: string", entity: "newest: {field: at}"),
            code: "conflicting_keys", words: "which does not tell what is newest"),
        Case(
            testDescription: "newest is no field", text: PipelineText.make(entity: "newest: {field: idd}"),
            code: "unknown_field", words: "Did you mean `id`?"),
        Case(
            testDescription: "unknown kind", text: PipelineText.make(entity: "on_conflict: {edit_edits: manual}"),
            code: "unknown_key", words: "Did you mean `edit_edit`?"),
    ]

    static let streams = [
        Case(
            testDescription: "append deletes nothing",
            text: PipelineText.make(stream: "write_mode: append\n    delete_missing: hard"),
            code: "conflicting_keys", words: "never changes an existing row, so it takes no `delete_missing`"),
        Case(
            testDescription: "insert_only deletes nothing",
            text: PipelineText.make(stream: "write_mode: insert_only\n    deleted_when: .gone"),
            code: "conflicting_keys", words: "so it takes no `deleted_when`"),
        Case(
            testDescription: "replace and a field of people",
            text: PipelineText.make(field: "x: {owner: local}", stream: "write_mode: replace"),
            code: "conflicting_keys", words: "overwrites what was edited, so `owner: local` has no effect"),
        Case(
            testDescription: "insert_only and an entity of the source",
            text: PipelineText.make(stream: "write_mode: insert_only", entity: "owner: remote"),
            code: "conflicting_keys", words: "so `owner: remote` has no effect"),
        Case(
            testDescription: "duplicates need newest", text: PipelineText.make(stream: "on_duplicate: newest"),
            code: "missing_key", words: "`on_duplicate: newest` needs the key `newest`"),
        Case(
            testDescription: "entries of a program",
            text: PipelineText.make(stream: "entries: name\n    records: {jq: .a}"),
            code: "conflicting_keys", words: "`records` is a program"),
        Case(
            testDescription: "program without a text", text: PipelineText.make(stream: "records: {xyz: .a}"),
            code: "missing_key", words: "needs the key `jq`"),
        Case(
            testDescription: "program by a wrong name", text: PipelineText.make(stream: "records: {jql: .a}"),
            code: "unknown_key", words: "`jql` is not a key"),
        Case(
            testDescription: "several links",
            text: PipelineText.make(stream: "paginator: {type: json_link, path: 'a[*]'}"),
            code: "conflicting_keys", words: "must lead to one value"),
        Case(
            testDescription: "size without a parameter",
            text: PipelineText.make(stream: "paginator: {type: page_number, page_size: 5}"),
            code: "conflicting_keys", words: "`page_size` needs `page_size_param`"),
        Case(
            testDescription: "parameter without a size",
            text: PipelineText.make(stream: "paginator: {type: header_link, page_size_param: n}"),
            code: "conflicting_keys", words: "`page_size_param` needs `page_size`"),
        Case(
            testDescription: "link without a path", text: PipelineText.make(stream: "paginator: {type: json_link}"),
            code: "missing_key", words: "needs the key `path`"),
        Case(
            testDescription: "key without a certificate", text: PipelineText.make(source: "tls: {client_key: a}"),
            code: "conflicting_keys", words: "which `client_cert` must name"),
        Case(
            testDescription: "proxy of an unknown scheme", text: PipelineText.make(source: "proxy: ftp://h"),
            code: "invalid_value", words: "`source.proxy` is not valid"),
        Case(
            testDescription: "proxy without a host", text: PipelineText.make(source: "proxy: http://"),
            code: "invalid_value", words: "`source.proxy` is not valid"),
    ]

    @Test(arguments: fields + keyFields + entities + streams + requests + logins + templates + responses)
    func problem(of test: Case) {
        let (definition, problems) = PipelineText.load(test.text, keys: .all)
        #expect(definition == nil)
        let found = problems.contains { $0.code == test.code && $0.message.contains(test.words) }
        #expect(found, "\(Fixtures.render(problems))")
    }

    /// What people write from other tools, or in the wrong place, is answered with what to write.
    @Test(
        arguments: [
            (PipelineText.make(field: "city: address.city"), nil, "write `city: {from: address.city}`."),
            (PipelineText.make(field: "tag: $.labels[0]"), nil, "write `tag: {from: \"$.labels[0]\"}`."),
            (PipelineText.make(field: "city: strng"), "Did you mean `string`?", nil),
            (PipelineText.make(field: "city: {type: address.city}"), nil, nil),
            (PipelineText.make(stream: "delete_missing: yes"), nil, "`hard` deletes the rows, `soft` marks them"),
            (PipelineText.make(stream: "delete_missing: true"), nil, "`hard` deletes the rows, `soft` marks them"),
            (PipelineText.make(stream: "delete_missing: no"), "Did you mean `ignore`?", nil),
            (
                PipelineText.make(stream: "paginator: {type: offset, limit: 3}"), "Did you mean `page_size`?",
                "`page_size` is the number of records"
            ),
            (
                PipelineText.make(stream: "paginator: {type: page_number, per_page: 3}"), "Did you mean `page_size`?",
                "`page_size` is the number of records"
            ),
            (
                PipelineText.make(field: "city: {type: string, enum: [a, b]}"), "Did you mean `values`?",
                "`{type: enum, values: [open, closed]}`"
            ),
            (
                PipelineText.make(field: "city: {type: string, nullable: true}"), "Did you mean `required`?",
                "A field may be null unless"
            ),
            (PipelineText.make(field: "city: {path: address.city}"), "Did you mean `from`?", "`from` is the path"),
            (PipelineText.make(stream: "paginator: {type: none, limit: 3}"), nil, "`limit` is a key of `rate_limit`."),
        ] as [(String, String?, String?)])
    func remedy(_ text: String, _ suggestion: String?, _ help: String?) throws {
        let problem = try #require(PipelineText.load(text, keys: .all).1.first)
        let output = Fixtures.render([problem])
        for words in [suggestion, help] { #expect(words.map(output.contains) ?? true, "\(output)") }
        if suggestion == nil { #expect(!output.contains("Did you mean"), "\(output)") }
        if help == nil { #expect(!output.contains("help:"), "\(output)") }
    }

    @Test(arguments: ["failed", "[failed]"])
    func oneEventNeedsNoList(_ events: String) throws {
        let text = PipelineText.make(top: "notify: [{on: \(events), command: [page-me]}]")
        let (definition, problems) = PipelineText.load(text, keys: .all)
        #expect(problems == [] && definition?.notifications.map(\.events) == [[.failed]], "\(problems)")
    }

    @Test func filesHaveNoConnectionAndNoPages() {
        let text = """
            version: 1
            name: files
            source: {base_url: "file:data", tls: {ca_file: a}, proxy: "http://h"}
            entities: {A: {primary_key: id, fields: {id: int}}}
            streams: [{name: a, entity: A, paginator: {type: offset}}]
            """
        let problems = PipelineText.load(text, keys: .all).1
        #expect(problems.map(\.code) == ["conflicting_keys", "conflicting_keys", "conflicting_keys"])
    }

    @Test func policyOfThePipelineNeedsNoNewestWhereTheEntityHasItsOwn() {
        let text = PipelineText.make(entity: "on_conflict: manual", top: "merge: {on_conflict: newest_wins}")
        #expect(PipelineText.load(text, keys: .all).1 == [])
    }
}
