import Foundation
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Values that must not appear in clear: they are in no table, no file of the store, and nothing that a run tells.
@Suite("Redacted fields")
struct RedactTests {
    /// What must not be found anywhere.
    private static let secret = "joe.bloggs@example.com"
    private static let other = "other.person@example.org"

    /// A shop whose field `a` is redacted.
    private static func shop(_ redaction: FieldRedaction, from path: String = "a") throws -> Workshop {
        let shop = try Workshop(
            fields: [field("id", .int), field("a", from: path), field("b")],
            rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.fields[1].redaction = redaction
        return shop
    }

    /// Looks for a text in all that a run left and said.
    private static func expectHidden(
        _ shop: Workshop, _ report: RunReport, _ recorder: Recorder, _ secrets: [String] = [secret, other],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let said = "\(report)\(recorder.told)\(recorder.conflicts)\(recorder.changes)"
        for secret in secrets {
            #expect(!said.contains(secret), "\(said)", sourceLocation: sourceLocation)
            for (suffix, bytes) in shop.storeFiles() {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(suffix)", sourceLocation: sourceLocation)
            }
        }
        for entry in recorder.quarantine {
            let record = String(decoding: entry.record, as: UTF8.self)
            for secret in secrets { #expect(!record.contains(secret), sourceLocation: sourceLocation) }
        }
    }

    private static func kept(_ redaction: FieldRedaction, _ text: String) -> String {
        switch redaction.kept(FieldValue(text), comparison: .exact) {
        case .text(let bytes): "'" + String(decoding: bytes, as: UTF8.self) + "'"
        default: "NULL"
        }
    }

    @Test("An undo tells nothing of values that are gone since")
    func undone() throws {
        let shop = try Self.shop(.drop)
        shop.fields[1].redaction = nil
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"p"},{"id":2,"a":"x","b":"p"}]"#)
        let after = #"[{"id":1,"a":"y","b":"q"},{"id":2,"a":"y","b":"p"}]"#
        let run = try #require(try shop.syncPlanned(after).0.run)
        shop.fields[1].redaction = .drop
        _ = try shop.syncPlanned(after)
        let (report, recorder) = try shop.undoPlanned(run)
        #expect(report.summary.text == "update 1" && report.left == 0, "\(report)")
        #expect(recorder.changes.count == 1 && recorder.changes.first?.contains("a:") == false, "\(recorder.changes)")
        #expect(report.problems.map(\.code).contains("as_before"))
    }

    /// What people wrote there in clear is not among it.
    @Test("An undo says of which fields what comes back is redacted") func comesBackRedacted() throws {
        let shop = try Self.shop(.mask)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"\#(Self.secret)","b":"p"},{"id":2}]"#)
        let changed = try #require(try shop.syncPlanned(#"[{"id":1,"a":"\#(Self.secret)","b":"q"},{"id":2}]"#).0.run)
        try #expect(shop.undoPlanned(changed).report.problems.allSatisfy { $0.code != "values_redacted" })
        let gone = try #require(try shop.syncPlanned(#"[{"id":2}]"#).0.run)
        let problems = try shop.undoPlanned(gone).report.problems.filter { $0.code == "values_redacted" }
        #expect(problems.count == 1 && problems.first?.message.contains("`a` of `Item`") == true, "\(problems)")
    }

    @Test("A value's whole life", arguments: FieldRedaction.allCases)
    func life(_ redaction: FieldRedaction) throws {
        let shop = try Self.shop(redaction)
        func record(_ text: String, _ b: String = "x") -> String { #"[{"id":1,"a":"\#(text)","b":"\#(b)"},{"id":2}]"# }
        func sync(_ json: String, _ summary: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let (report, recorder) = try shop.syncPlanned(json)
            #expect(report.summary.text == summary, sourceLocation: sourceLocation)
            try Self.expectHidden(shop, report, recorder, sourceLocation: sourceLocation)
            let (_, written) = try shop.quietRun()
            #expect(written == [], sourceLocation: sourceLocation)
        }
        try sync(record(Self.secret), "insert 2")
        #expect(try shop.items == ["1|\(Self.kept(redaction, Self.secret))|'x'", "2|NULL|NULL"])
        try sync(record(Self.secret, "y"), "update 1, unchanged 1")
        // Another value with another hash or mask is a change.
        try sync(record(Self.other, "y"), redaction == .drop ? "unchanged 2" : "update 1, unchanged 1")
        #expect(try shop.items[0] == "1|\(Self.kept(redaction, Self.other))|'y'")
        // A person's own value is that person's, and not told either.
        try shop.sql("UPDATE items SET a = 'my own clear text'")
        let own = "my own clear text"
        let (report, recorder) = try shop.syncPlanned(record(Self.secret, "z"))
        #expect(try shop.items[0] == "1|'\(own)'|'z'")
        #expect(
            !"\(report)\(recorder.told)\(recorder.conflicts)\(try shop.rows("SELECT * FROM _sluice_conflicts"))"
                .contains(own))
        #expect(report.summary.conflict == (redaction == .drop ? 0 : 1))
        try Self.expectHidden(shop, report, recorder)
        // Gone from the source, and edited here.
        let (gone, told) = try shop.syncPlanned(#"[{"id":2}]"#)
        #expect(gone.summary.conflict == 1)
        try Self.expectHidden(shop, gone, told, [Self.secret, Self.other])
        #expect(!"\(gone)\(told.told)\(told.conflicts)".contains(own))
    }

    @Test("What a hash is of, with and without case")
    func hashes() throws {
        let shop = try Self.shop(.hash)
        shop.fields[1].comparison = .ignoringCase
        _ = try shop.syncPlanned(#"[{"id":1,"a":"ABC"}]"#)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try shop.rows("SELECT a FROM items") == ["'\(hash)'"])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"abc"}]"#)
        #expect(report.summary.text == "unchanged 1")
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("A hashed key identifies a record as the key itself does")
    func keys() throws {
        let shop = try Workshop(fields: [field("mail"), field("b")])
        shop.fields[0].redaction = .hash
        shop.key = ["mail"]
        func records(_ b: String) -> String {
            #"[{"mail":"\#(Self.secret)","b":"\#(b)"},{"mail":"\#(Self.other)","b":"y"},{"mail":"\#(Self.secret)","b":7}]"#
        }
        for (b, summary) in [("x", "insert 2"), ("z", "update 1, unchanged 1")] {
            let (report, recorder) = try shop.syncPlanned(
                records(b).replacing(",{\"mail\":\"\(Self.secret)\",\"b\":7}", with: ""))
            #expect(report.summary.text == summary)
            try Self.expectHidden(shop, report, recorder)
        }
        // The key of a record in quarantine is hashed too.
        let (report, recorder) = try shop.syncPlanned(#"[{"mail":"\#(Self.secret)","b":{}}]"#)
        #expect(recorder.quarantine.map { $0.key?.count } == [75])
        try Self.expectHidden(shop, report, recorder)
    }

    @Test("A hashed key that is the name of the record's member")
    func memberNames() throws {
        let shop = try Workshop(fields: [field("mail"), field("b", .int)])
        shop.fields[0].redaction = .hash
        shop.key = ["mail"]
        shop.entries = "mail"
        let (report, recorder) = try shop.syncPlanned(
            #"{"\#(Self.secret)":{"b":1},"\#(Self.other)":{"b":"none","mail":"\#(Self.other)"}}"#)
        #expect(report.summary.text == "insert 1, quarantined 1")
        try Self.expectHidden(shop, report, recorder)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// One record, or what stands in its place.
        let record: String
        var path = "a"
        /// The type of field `b`, which reads `from`.
        var type = FieldType.string
        var from = "b"
        var adjust: @Sendable (Workshop) throws -> Void = { _ in }
        /// The record as it is kept; nil where the run fails.
        let kept: String?
        var value: String?
        /// A part of the message.
        var words = "The record"
        var testDescription: String { name }
    }

    static let refused = [
        Case(
            name: "another field does not fit", record: #"{"id":1,"a":"SECRET","b":[]}"#,
            kept: #"{"id":1,"a":"***","b":[]}"#, value: "[]", words: "found an array"),
        Case(
            name: "the field itself does not fit", record: #"{"id":1,"a":{"x":"SECRET"}}"#,
            kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found an object"),
        Case(
            name: "the field itself, by its value", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: {
                $0.fields[1].type = .int
                $0.fields[1].redaction = .drop
            }, kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found the text \"***\""),
        Case(
            name: "a number", record: #"{"id":1,"a":4111111111111234.5}"#,
            adjust: {
                $0.fields[1].type = .int
                $0.fields[1].redaction = .drop
            }, kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found the number ***"),
        Case(
            name: "a value that is not allowed", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: {
                $0.fields[1] = try field("a", .enumeration, values: ["x"])
                $0.fields[1].redaction = .drop
            }, kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found \"***\""),
        Case(
            name: "another field with the same value", record: #"{"id":1,"a":"SECRET"}"#, type: .int, from: "a",
            kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found the text \"***\""),
        Case(
            name: "another field with an object around it", record: #"{"id":1,"p":{"a":"SECRET","c":1}}"#,
            path: "p.a", from: "p", kept: #"{"id":1,"p":{"a":"***","c":1}}"#, value: #"{"a":"***","c":1}"#,
            words: "found an object"),
        Case(
            name: "another field within it", record: #"{"id":1,"a":{"c":"SECRET"}}"#, type: .int, from: "a.c",
            adjust: {
                $0.fields[1].type = .json
                $0.fields[1].redaction = .drop
            }, kept: #"{"id":1,"a":"***"}"#, value: #""***""#, words: "found the text \"***\""),
        Case(
            name: "where its way ends early", record: #"{"id":1,"p":"SECRET","b":[]}"#, path: "p.a",
            kept: #"{"id":1,"p":"***","b":[]}"#, value: "[]"),
        Case(
            name: "a null on its way", record: #"{"id":1,"p":null,"b":[]}"#, path: "p.a",
            kept: #"{"id":1,"p":null,"b":[]}"#, value: "[]"),
        Case(
            name: "two members with its name", record: #"{"id":1,"a":"SECRET","b":[],"a":"OTHER"}"#,
            kept: #"{"id":1,"a":"***","b":[],"a":"***"}"#, value: "[]"),
        Case(
            name: "a name with escapes", record: #"{"id":1,"\u0061":"SECRET","b":[]}"#,
            kept: #"{"id":1,"a":"***","b":[]}"#, value: "[]"),
        Case(
            name: "a path into an array", record: #"{"id":1,"p":[{"a":"OTHER"},{"a":"SECRET"}],"b":[]}"#,
            path: "p[0].a", kept: #"{"id":1,"p":"***","b":[]}"#, value: "[]"),
        Case(
            name: "a path that selects", record: #"{"id":1,"p":[{"a":"SECRET"}],"b":[]}"#, path: "p[?@.a].a",
            adjust: {
                $0.fields[1].type = .json
                $0.fields[1].redaction = .drop
            }, kept: #"{"id":1,"p":"***","b":[]}"#, value: "[]"),
        Case(
            name: "a path from anywhere", record: #"{"id":1,"p":[{"a":"SECRET"}],"b":[]}"#, path: "$..a",
            adjust: {
                $0.fields[1].type = .json
                $0.fields[1].redaction = .drop
            }, kept: #""***""#, value: #""***""#),
        Case(
            name: "its value is made by a program", record: #"{"id":1,"p":"SECRET","b":[]}"#,
            adjust: { $0.fields[1].origin = .program(".p") }, kept: #""***""#, value: #""***""#),
        Case(
            name: "its program fails and quotes the value", record: #"{"id":1,"p":"SECRET"}"#,
            adjust: { $0.fields[1].origin = .program(".p | error") }, kept: #""***""#,
            words: "The program of `a` failed on the record."),
        Case(
            name: "another program fails and quotes the value", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: { $0.fields[2].origin = .program(".a - 1") }, kept: #"{"id":1,"a":"***"}"#,
            words: "The program of `b` failed on the record."),
        Case(
            name: "another program makes what does not fit of it", record: #"{"id":1,"a":"SECRET"}"#, type: .int,
            adjust: { $0.fields[2].origin = .program(".a") }, kept: #"{"id":1,"a":"***"}"#,
            words: "found the text \"***\""),
        Case(
            name: "a program would round it", record: #"{"id":1,"a":41111111111112345678}"#,
            adjust: { $0.fields[2].origin = .program(".a") }, kept: #"{"id":1,"a":"***"}"#,
            words: "The program of `b` would round a number of the record."),
        Case(
            name: "the filter fails and quotes the value", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: { $0.adjust = { $0.streams[0].filter = ".a | error" } }, kept: #"{"id":1,"a":"***"}"#,
            words: "A program of the stream failed on the record."),
        Case(
            name: "no identifier", record: #"{"a":"SECRET"}"#, kept: #"{"a":"***"}"#, words: "The identifier `id`"),
        Case(
            name: "no object", record: #"["SECRET"]"#, kept: #""***""#, value: #""***""#, words: "Expected an object"),
        Case(name: "a text", record: #""SECRET""#, kept: #""***""#, value: #""***""#, words: "Expected an object"),
        Case(
            name: "a line that is no JSON", record: #"{"id":1,"a":SECRET}"#, adjust: { $0.format = .jsonl },
            kept: #""***""#, words: "not valid JSON"),
        Case(
            name: "a document that is no JSON", record: #"{"id":1,"a":SECRET}"#, kept: nil,
            words: "cannot be read"),
        Case(
            name: "a value that ends the run", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: {
                $0.fields[1].type = .int
                $0.fields[1].redaction = .drop
                $0.fields[1].onTypeMismatch = .fail
            }, kept: nil, words: "found the text \"***\""),
        Case(
            name: "the program for the records fails and quotes a value", record: #"{"id":1,"a":"SECRET"}"#,
            adjust: { $0.adjust = { $0.streams[0].recordsProgram = ".[0].a | error" } }, kept: nil,
            words: "Its message is not shown"),
        Case(
            name: "the program for the records would round a value", record: #"{"id":1,"a":41111111111112345678}"#,
            adjust: { $0.adjust = { $0.streams[0].recordsProgram = ".[]" } }, kept: nil,
            words: "would round a number"),
    ]

    @Test("A record that cannot be taken is kept and told without them", arguments: refused)
    func quarantine(_ example: Case) throws {
        let shop = try Self.shop(.hash)
        // What selects among values is no text.
        shop.fields[1] = try field(
            "a", example.path.contains("[?") || example.path.contains("..") ? .json : .string, from: example.path)
        shop.fields[1].redaction = .hash
        shop.fields[2] = try field("b", example.type, from: example.from)
        try example.adjust(shop)
        let record = example.record.replacing("SECRET", with: Self.secret).replacing("OTHER", with: Self.other)
        try shop.put(shop.format == .jsonl ? record + "\n" : "[\(record)]")
        let secrets = [Self.secret, Self.other, "joe.bloggs", "4111111111"]
        let plan = shop.sync(.plan)
        try Self.expectHidden(shop, plan.report, plan.recorder, secrets)
        let run = shop.sync()
        try Self.expectHidden(shop, run.report, run.recorder, secrets)
        guard let kept = example.kept else {
            #expect(run.report.status == .failed)
            let message = run.report.problems.map(\.message).joined()
            #expect(message.contains(example.words), "\(message)")
            return
        }
        let entry = try #require(run.recorder.quarantine.first)
        #expect(run.recorder.quarantine.count == 1)
        #expect(String(decoding: entry.record, as: UTF8.self) == kept)
        #expect(entry.value == example.value)
        #expect(entry.message.contains(example.words), "\(entry.message)")
        #expect(entry.message.hasSuffix("The record is kept without its redacted values."))
        // Without the values nothing can be tried again.
        let retried = try shop.retry()
        #expect(retried.report.retryText == "left 0, stayed 0, refused 1")
        #expect(retried.report.retry?.refused.first?.reason.contains("redacted values were not kept") == true)
        // Nor once the field is redacted no more.
        shop.fields[1].redaction = nil
        #expect(try shop.retry().report.retryText == "left 0, stayed 0, refused 1")
    }

    @Test("Records with one key that differ are kept without them")
    func duplicates() throws {
        let shop = try Self.shop(.hash)
        shop.adjust = { $0.streams[0].onDuplicate = .quarantine }
        let (report, recorder) = try shop.syncPlanned(
            #"[{"id":1,"a":"\#(Self.secret)"},{"id":1,"a":"\#(Self.other)"}]"#)
        #expect(report.summary.text == "quarantined 1")
        #expect(
            recorder.quarantine.map { String(decoding: $0.record, as: UTF8.self) } == [
                #"[{"id":1,"a":"***"},{"id":1,"a":"***"}]"#
            ])
        try Self.expectHidden(shop, report, recorder)
    }

    @Test("Records that collide, on another field and on the redacted one")
    func collisions() throws {
        let shop = try Self.shop(.mask)
        shop.unique = [["b"]]
        let (report, recorder) = try shop.syncPlanned(
            #"[{"id":1,"a":"\#(Self.other)","b":"x"},{"id":2,"a":"\#(Self.secret)","b":"x"}]"#)
        #expect(report.summary.text == "insert 1, conflict 1")
        #expect(try shop.items == ["1|'***.org'|'x'", "2|'***.com'|NULL"])
        try Self.expectHidden(shop, report, recorder)
        try shop.sql("UPDATE items SET b = 'y' WHERE id = 1")
        _ = try shop.syncPlanned()
        #expect(try shop.items == ["1|'***.org'|'y'", "2|'***.com'|'x'"])

        let other = try Self.shop(.hash)
        other.unique = [["a"]]
        let (held, held2) = try other.syncPlanned(
            #"[{"id":1,"a":"\#(Self.secret)","b":"x"},{"id":2,"a":"\#(Self.secret)","b":"y"}]"#)
        #expect(held.summary.text == "insert 1, conflict 1")
        try Self.expectHidden(other, held, held2)
    }

    @Test("A field that is redacted from now on loses what was stored of it", arguments: FieldRedaction.allCases)
    func fromNowOn(_ redaction: FieldRedaction) throws {
        let shop = try Self.shop(redaction)
        shop.fields[1].redaction = nil
        let long = Self.secret + ", which is too long to be kept in a base as it is"
        func records(_ ids: Int...) -> String {
            "[" + ids.map { #"{"id":\#($0),"a":"\#($0 == 2 ? long : Self.secret)"}"# }.joined(separator: ",") + "]"
        }
        _ = try shop.syncPlanned(records(1, 2, 3))
        #expect(shop.storeFiles()[""]?.range(of: Data(Self.secret.utf8)) != nil)
        try shop.sql("UPDATE items SET a = 'my own value' WHERE id = 3")
        shop.fields[1].redaction = redaction
        let (report, recorder) = try shop.syncPlanned(records(1, 2, 3))
        #expect(report.summary.text == "unchanged 3")
        #expect(report.schemaChanges.map(\.kind) == [.redactValues])
        #expect(
            try shop.rows("SELECT a FROM items ORDER BY id")
                == [Self.kept(redaction, Self.secret), Self.kept(redaction, long), "'my own value'"])
        let said = "\(report)\(recorder.told)\(recorder.conflicts)"
        #expect(!said.contains(Self.secret) && !said.contains("my own value"))
        #expect(!"\(try shop.rows("SELECT * FROM _sluice_conflicts"))".contains(Self.secret))
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    /// A record without a key is known by its content, and that is another one once a value is hidden.
    @Test(
        "So does one whose values look as if they were redacted", arguments: [FieldRedaction.hash, .mask],
        [true, false])
    func lookingRedacted(_ redaction: FieldRedaction, isListed: Bool) throws {
        let shop = try Self.shop(redaction)
        shop.fields[1].redaction = nil
        let values =
            redaction == .hash
            ? ["0123456789abcdef", "fedcba9876543210"].map { String(repeating: $0, count: 4) } : ["***tok1", "***tok2"]
        func records(_ value: String) -> String { #"[{"id":1,"a":"\#(value)"},{"id":2,"a":"x"}]"# }
        _ = try shop.syncPlanned(records(values[0]))
        _ = try shop.syncPlanned(records(values[1]))
        shop.fields[1].redaction = redaction
        _ = try shop.syncPlanned(isListed ? records(values[1]) : #"[{"id":2,"a":"x"}]"#)
        let kept = redaction.kept(FieldValue(values[1]), comparison: .exact)
        guard case .text(let text) = kept else { return }
        // A record that the source lists no longer is gone, and its history is as well.
        let rows = isListed ? ["'\(String(decoding: text, as: UTF8.self))'"] : []
        #expect(try shop.rows("SELECT a FROM items WHERE id = 1") == rows)
        for (name, content) in shop.storeFiles() {
            for value in values { #expect(content.range(of: Data(value.utf8)) == nil, "\(value) in \(name)") }
        }
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("A record without a key stays one entry of the quarantine", arguments: FieldRedaction.allCases)
    func keyless(_ redaction: FieldRedaction) throws {
        let shop = try Self.shop(redaction)
        shop.fields[1].redaction = nil
        let records = #"[{"a":"\#(Self.secret)","b":"x"},{"a":"\#(Self.other)","b":"y"},{"id":2,"a":"z"}]"#
        #expect(try shop.syncPlanned(records).0.summary.text == "insert 1, quarantined 2")
        shop.fields[1].redaction = redaction
        for _ in 1...2 {
            let (report, recorder) = try shop.syncPlanned(records)
            #expect(report.summary.quarantined == 2)
            try Self.expectHidden(shop, report, recorder)
            #expect(try shop.rows("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == ["2"])
        }
    }

    @Test(
        "A conflict whose values are no longer told apart is over, and says why",
        arguments: [(FieldRedaction.mask, ["redacted"]), (.drop, ["redacted"]), (.hash, ["-"])])
    func conflict(_ redaction: FieldRedaction, ends: [String]) throws {
        let shop = try Self.shop(redaction)
        shop.fields[1].redaction = nil
        _ = try shop.syncPlanned(#"[{"id":1,"a":"S2"}]"#)
        try shop.sql("UPDATE items SET a = 'mine'")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"S3"}]"#)
        shop.fields[1].redaction = redaction
        _ = try shop.syncPlanned(#"[{"id":1,"a":"S3"}]"#)
        #expect(try shop.rows("SELECT coalesce(resolution, '-') FROM _sluice_conflicts") == ends.map { "'\($0)'" })
        #expect(try shop.rows("SELECT a FROM items") == ["'mine'"])
    }
}
