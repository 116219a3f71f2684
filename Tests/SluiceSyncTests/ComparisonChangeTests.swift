import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// A store whose pipeline says from now on that a field compares in another way, or keeps its base.
@Suite("A change of `compare` and `keep_base`")
struct ComparisonChangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var from = FieldComparison.exact
        var to = FieldComparison.ignoringCase
        /// JSON.
        let base: String
        /// JSON; nil leaves the row as it is.
        var local: String?
        /// What the source says after the change; nil for nothing new.
        var remote: String?
        let result: String
        let summary: String
        var conflicts: [String] = []
        var testDescription: String { "\(name), from \(from.rawValue) to \(to.rawValue)" }
    }

    /// Longer than what a base keeps as it is.
    private static func long(_ text: String) -> String { "\"\(text), a text too long to be kept\"" }

    static let texts = [
        Case(name: "nothing else changed", base: #""Dune""#, result: #""Dune""#, summary: "unchanged 1"),
        Case(name: "an edit of case", base: #""Dune""#, local: #""dune""#, result: #""dune""#, summary: "unchanged 1"),
        Case(
            name: "case on both sides", base: #""Dune""#, local: #""dune""#, remote: #""DUNE""#, result: #""dune""#,
            summary: "unchanged 1"),
        Case(
            name: "an edit of case before another text", base: #""Dune""#, local: #""dune""#, remote: #""Emma""#,
            result: #""Emma""#, summary: "update 1"),
        Case(
            name: "an edit of case, known in full", from: .ignoringCase, to: .exact, base: #""Dune""#,
            local: #""dune""#, result: #""dune""#, summary: "unchanged 1"),
        Case(
            name: "another case there, known in full", from: .ignoringCase, to: .exact, base: #""Dune""#,
            remote: #""DUNE""#, result: #""DUNE""#, summary: "update 1"),
    ]

    static let digests = [
        Case(name: "a digest", base: long("Dune"), result: long("Dune"), summary: "unchanged 1"),
        Case(
            name: "a digest, another text there", base: long("Dune"), remote: long("Emma"), result: long("Emma"),
            summary: "update 1"),
        Case(
            name: "a digest, another text here", base: long("Dune"), local: long("Emma"), result: long("Emma"),
            summary: "unchanged 1"),
        Case(
            name: "a digest, another case here", base: long("Dune"), local: long("dune"), result: long("dune"),
            summary: "unchanged 1"),
        Case(
            name: "a digest, other texts on both sides", base: long("Dune"), local: long("Emma"),
            remote: long("Ulysses"), result: long("Emma"), summary: "conflict 1",
            conflicts: ["edit_edit a - \(long("Emma")) \(long("Ulysses")) open 1"]),
        Case(
            name: "a digest", from: .ignoringCase, to: .exact, base: long("Dune"), result: long("Dune"),
            summary: "unchanged 1"),
        Case(
            name: "a digest, another text there", from: .ignoringCase, to: .exact, base: long("Dune"),
            remote: long("Emma"), result: long("Emma"), summary: "update 1"),
        Case(
            name: "a digest, another text here", from: .ignoringCase, to: .exact, base: long("Dune"),
            local: long("Emma"), result: long("Emma"), summary: "unchanged 1"),
        Case(
            name: "a digest, and nobody knows who changed the case", from: .ignoringCase, to: .exact,
            base: long("Dune"), local: long("dune"), result: long("dune"), summary: "conflict 1",
            conflicts: ["edit_edit a - \(long("dune")) \(long("Dune")) open 1"]),
    ]

    static let documents = [
        Case(
            name: "nothing else changed", to: .set, base: #"["b","a"]"#, result: #"["b","a"]"#, summary: "unchanged 1"),
        Case(
            name: "order on both sides", to: .set, base: #"["b","a","c"]"#, local: #"["a","b","c"]"#,
            remote: #"["c","b","a"]"#, result: #"["a","b","c"]"#, summary: "unchanged 1"),
        Case(
            name: "a short array, other elements on both sides", to: .set, base: #"["b"]"#, local: #"["b","l"]"#,
            remote: #"["r","b"]"#, result: #"["b","l","r"]"#, summary: "update 1"),
        Case(
            name: "a digest", to: .set, base: #"["a long element","another long element"]"#,
            result: #"["a long element","another long element"]"#, summary: "unchanged 1"),
        Case(
            name: "a digest, an element there", to: .set, base: #"["a long element","another long element"]"#,
            remote: #"["another long element"]"#, result: #"["another long element"]"#, summary: "update 1"),
        Case(
            name: "a digest, elements on both sides", to: .set, base: #"["a long element","another long element"]"#,
            local: #"["a long element"]"#, remote: #"["another long element"]"#, result: #"["a long element"]"#,
            summary: "conflict 1",
            conflicts: [#"edit_edit a - ["a long element"] ["another long element"] open 1"#]),
        Case(
            name: "a digest, keys on both sides", to: .json, base: #"{"x":"a long value, too long to keep","y":1}"#,
            local: #"{"x":"a long value, too long to keep","y":2}"#, remote: #"{"x":"another","y":1}"#,
            result: #"{"x":"a long value, too long to keep","y":2}"#, summary: "conflict 1",
            conflicts: [
                #"edit_edit a - {"x":"a long value, too long to keep","y":2} {"x":"another","y":1} open 1"#
            ]),
        Case(
            name: "order", from: .set, to: .exact, base: #"["b","a"]"#, remote: #"["a","b"]"#, result: #"["a","b"]"#,
            summary: "update 1"),
        Case(
            name: "long, kept in full, order here", from: .set, to: .json,
            base: #"["a long element","another long element"]"#, local: #"["another long element","a long element"]"#,
            result: #"["another long element","a long element"]"#, summary: "unchanged 1"),
    ]

    @Test(arguments: texts + digests + documents)
    func isNoChangeOfValues(_ example: Case) throws {
        let isText = example.to == .ignoringCase || example.from == .ignoringCase
        let shop = try Workshop(fields: [field("id", .int), field("a", isText ? .string : .json)])
        shop.fields[1].comparison = example.from
        func sql(_ json: String) -> String { CompareTests.sql(json, isText ? .ignoringCase : .json) }
        _ = try shop.syncPlanned(CompareTests.record(example.base))
        if let local = example.local { try shop.sql("UPDATE items SET a = \(sql(local))") }
        shop.fields[1].comparison = example.to
        let (report, _) = try shop.syncPlanned(CompareTests.record(example.remote ?? example.base))
        #expect(report.summary.text == example.summary)
        #expect(try shop.rows("SELECT a FROM items") == [sql(example.result)])
        #expect(try shop.conflicts == example.conflicts)
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        // The store alone knows how the field compares.
        let rules = try shop.rows("SELECT value FROM _sluice_schema WHERE kind = 'slot' AND name LIKE '%/a'")
        #expect(rules[0].contains("compare=\(example.to.rawValue)") == (example.to != .exact))
    }

    @Test("A row that only changed in case is no edited row, and is deleted where the source has it no more")
    func deletes() throws {
        for (from, to) in [(FieldComparison.exact, FieldComparison.ignoringCase), (.ignoringCase, .exact)] {
            let shop = try Workshop(
                fields: [field("id", .int), field("a")], rule: DeleteRule(mode: .hard, maximum: .percent(100)))
            shop.fields[1].comparison = from
            _ = try shop.syncPlanned("[{\"id\":1,\"a\":\(Self.long("Dune"))},{\"id\":2}]")
            shop.fields[1].comparison = to
            let (report, _) = try shop.syncPlanned("[{\"id\":2}]")
            #expect(report.summary.text == "delete 1, unchanged 1")
            #expect(try shop.items == ["2|NULL"])
        }
    }

    @Test("A deleted row stays deleted where only the comparison changed")
    func deletedRows() throws {
        for (from, to) in [(FieldComparison.exact, FieldComparison.ignoringCase), (.ignoringCase, .exact)] {
            let shop = try Workshop(fields: [field("id", .int), field("a")])
            shop.fields[1].comparison = from
            _ = try shop.syncPlanned("[{\"id\":1,\"a\":\(Self.long("Dune"))}]")
            try shop.sql("DELETE FROM items")
            shop.fields[1].comparison = to
            let (report, _) = try shop.syncPlanned("[{\"id\":1,\"a\":\(Self.long("Dune"))}]")
            #expect(report.summary.text == "unchanged 1")
            #expect(try shop.items == [] && shop.conflicts == [])
            let (changed, _) = try shop.syncPlanned("[{\"id\":1,\"a\":\(Self.long("Emma"))}]")
            #expect(changed.summary.text == "conflict 1")
        }
    }

    @Test("An open conflict stays one conflict")
    func openConflicts() throws {
        let shop = try CompareTests.shop(.exact)
        shop.fields[1] = try field("a")
        _ = try shop.syncPlanned(CompareTests.record(Self.long("Dune")))
        try shop.sql("UPDATE items SET a = 'mine'")
        _ = try shop.syncPlanned(CompareTests.record(Self.long("Emma")))
        shop.fields[1].comparison = .ignoringCase
        let (report, _) = try shop.syncPlanned(CompareTests.record(Self.long("EMMA")))
        #expect(report.summary.text == "conflict 1")
        #expect(try shop.conflicts == ["edit_edit a - \"mine\" \(Self.long("Emma")) open 1"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        try shop.sql("UPDATE items SET a = 'EMMA, A TEXT TOO LONG TO BE KEPT'")
        _ = try shop.syncPlanned()
        #expect(try shop.conflicts.map { $0.hasSuffix("converged 1") } == [true])
    }

    @Test("The base becomes full as soon as it advances", arguments: [FieldComparison.exact, .json])
    func becomesFull(_ mode: FieldComparison) throws {
        let shop = try CompareTests.shop(.exact)
        _ = try shop.syncPlanned(CompareTests.record(#"{"x":"a long value, too long to keep"}"#))
        #expect(try shop.bases == ["1 live a=#"])
        shop.fields[1].comparison = mode
        shop.fields[1].keepsBase = .full
        _ = try shop.syncPlanned()
        _ = try shop.syncPlanned(CompareTests.record(#"{"x":"another value, too long to keep"}"#))
        #expect(try shop.bases == [#"1 live a='{"x":"another value, too long to keep"}'"#])
        let rules = try shop.rows("SELECT value FROM _sluice_schema WHERE kind = 'slot' AND name LIKE '%/a'")
        #expect(rules[0].contains("keep_base=full"))
        // And back again: what is kept stays until it advances.
        shop.fields[1].comparison = .exact
        shop.fields[1].keepsBase = .digest
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.text == "unchanged 1")
        _ = try shop.syncPlanned(CompareTests.record(#"{"x":"the third value, too long to keep"}"#))
        #expect(try shop.bases == ["1 live a=#"])
    }

    @Test("A first import keeps long values of every type", arguments: ["in bulk", "where unique values collide"])
    func firstImport(_ way: String) throws {
        let shop = try Workshop(fields: [field("id", .int), field("a"), field("b", .bytes)])
        shop.fields[1].keepsBase = .full
        shop.fields[2].keepsBase = .full
        if way != "in bulk" { shop.unique = [["a"]] }
        let text = String(repeating: "long ", count: 2000)
        _ = try shop.syncPlanned("[{\"id\":1,\"a\":\"\(text)\",\"b\":\"\(String(repeating: "YWJj", count: 20))\"}]")
        let bytes = (0..<20).map { _ in "61,62,63" }.joined(separator: ",")
        #expect(try shop.bases == ["1 live a='\(text)' b=x\(bytes)"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }
}
