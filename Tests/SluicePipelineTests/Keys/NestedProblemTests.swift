import SluiceDiagnostics
import SluiceJSON
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What `nested` and `more` cannot be.
@Suite struct NestedProblemTests {
    typealias Case = RelationProblemTests.Case

    private static func nested(
        _ keys: String, child: String = "p: {entity: Part, key: a}", stream: String = "", source: String = "",
        top: String = "", field: String = ""
    ) -> String {
        PipelineText.make(
            source: source, field: field, stream: "nested: [{path: p, entity: Part, \(keys)}]\n    \(stream)", top: top,
            children: child, parts: "a: int")
    }

    private static func more(
        _ keys: String = "", child: String = "p: {entity: Part, key: a}", stream: String = "", source: String = "",
        top: String = "", list: String = "", path: String = "'/{{ parent.id }}'", field: String = ""
    ) -> String {
        nested(
            "\(list)more: {when: .a, path: \(path)\(keys)}", child: child, stream: stream, source: source, top: top,
            field: field)
    }

    static let cases = [
        Case(
            "records that are one value", nested("records: data"), "conflicting_keys", "selects one value", at: "data}"),
        Case(
            "records that a filter chooses", nested("records: \"data[?@.a]\""), "conflicting_keys",
            "is no path for `nested`", at: "\"data"),
        Case(
            "members of an object", nested("", child: "p: {entity: Part, entries: a}"), "conflicting_keys",
            "the members of an object", at: "Part, "),
        Case(
            "two lists of an entity",
            PipelineText.make(
                stream: "nested: [{path: p, entity: Part}, {path: q, entity: Part}]",
                children: "p: {entity: Part, key: a}", parts: "a: int"), "duplicate_name", "two lists of `Part`",
            at: "Part}]"),
        Case(
            "what the stream itself yields", PipelineText.make(stream: "nested: [{path: p, entity: Book}]"),
            "unusable_children", "what the stream itself yields", at: "Book}"),
        Case(
            "no key", PipelineText.make(stream: "nested: [{path: p, entity: Part}]", parts: "a: int"), "missing_key",
            "Nothing identifies the elements of `streams.books.nested.p`", at: "Part}"),
        Case(
            "several lists", more(list: "records: \"a[*].b[*]\", "), "conflicting_keys", "continues one list",
            at: "{when"),
        Case(
            "records of a program", more(stream: "records: {jq: .a}"), "conflicting_keys",
            "`records` that is a path, not a program",
            at: "{when"),
        Case(
            "an order that is not known", more(child: "p: {entity: Part, ordered: true}"), "conflicting_keys",
            "are identified by their position", at: "{when"),
        Case(
            "requests that are all the same", more(path: "/parts"), "conflicting_keys", "all would be the same",
            at: "/parts"),
        Case(
            "a cursor of the stream", more(", params: {a: '{{ cursor.start }}'}"), "conflicting_keys",
            "is about the pages of the stream", at: "{{ cursor"),
        Case(
            "an item of no list", more(", params: {a: '{{ item }}'}"), "missing_key", "needs the key `for_each`",
            at: "{{ item"),
        Case(
            "a redacted field", more(path: "'/{{ parent.x }}'", field: "x: {redact: hash}"), "conflicting_keys",
            "is redacted", at: "{{ parent.x"),
        Case(
            "a start for another paginator", more(", from: a, paginator: {type: offset}"), "conflicting_keys",
            "that of `more` does not", at: "a, paginator"),
        Case(
            "a start of several values", more(", from: 'a[*]', paginator: {type: json_link, path: b}"),
            "conflicting_keys", "must lead to one value", at: "'a[*]"),
        Case(
            "a page in a body that is none", more(", paginator: {type: offset, in: body}"), "conflicting_keys",
            "needs a `body`", at: "body}"),
        Case("no condition", nested("more: {path: '/{{ parent.id }}'}"), "missing_key", "`when`", at: "{path"),
        Case("an unknown key", more(", wen: 1"), "unknown_key", "`wen`", at: "wen"),
    ]

    @Test(arguments: cases)
    func problem(of test: Case) throws {
        let (definition, problems) = PipelineText.load(test.text)
        #expect(definition == nil)
        let found = problems.filter { $0.severity == .error }
        #expect(found.count == 1 && found.first?.code == test.code, "\(Fixtures.render(problems))")
        #expect(found.first?.message.contains(test.words) == true, "\(Fixtures.render(problems))")
        let lines = test.text.split(separator: "\n", omittingEmptySubsequences: false)
        let position = try #require(found.first?.location?.position)
        let line = try #require(lines.indices.contains(position.line - 1) ? lines[position.line - 1] : nil)
        #expect(line.dropFirst(position.column - 1).hasPrefix(test.place), "\(Fixtures.render(problems))")
    }

    @Test func filesAreNotAskedForMore() {
        let text = Self.more().replacing("https://api.example.com", with: "file:.")
        let problems = PipelineText.load(text).1
        #expect(problems.map(\.code) == ["conflicting_keys"], "\(Fixtures.render(problems))")
        #expect(problems.first?.message.contains("gets no requests") == true)
    }

    @Test func whatIsAskedForTheRest() throws {
        let text = PipelineText.make(
            source: "params: {v: 1, w: 2}\n  headers: {A: a}",
            stream: """
                params: {page: 1}
                    headers: {B: b}
                    paginator: {type: header_link}
                    nested:
                      - path: p
                        records: "data[*]"
                        entity: Part
                        more: {when: .p.more, path: "/{{ parent.id }}", params: {w: 3}, headers: {b: c}, from: x,
                          paginator: {type: cursor, cursor_path: y, cursor_param: z}}
                """, more: "Part: {primary_key: a, fields: {a: int}}")
        let (definition, problems) = PipelineText.load(text)
        #expect(Fixtures.render(problems) == "")
        let pipeline = try #require(definition)
        #expect(pipeline.entity(named: "Part")?.primaryKey == ["book_id", "a"])
        #expect(pipeline.entity(named: "Book")?.children.map(\.path.text) == ["p.data[*]"])
        let list = try #require(pipeline.streams[0].nested.first)
        let more = try #require(list.more)
        #expect(list.place.text == "p.data[*]" && more.request.records?.text == "data[*]")
        #expect(more.condition == ".p.more" && more.start?.text == "x")
        #expect(more.request.parameters.map { "\($0.name)=\($0.value.revealed)" } == ["v=1", "w=3"])
        #expect(more.request.headers.map { "\($0.name)=\($0.value.revealed)" } == ["A=a", "b=c"])
        guard case .cursor = more.request.paginator else {
            Issue.record("expected a cursor")
            return
        }
    }
}
