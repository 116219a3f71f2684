import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct RelationProblemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var code: DiagnosticCode
        /// A part of the message.
        var words: String
        /// What the place's line begins with, from the column.
        var place: String

        init(_ name: String, _ text: String, _ code: DiagnosticCode, _ words: String, at place: String) {
            (testDescription, self.text, self.code, self.words, self.place) = (name, text, code, words, place)
        }
    }

    private static func field(_ field: String, key: String = "id", entity: String = "", more: String = "") -> String {
        PipelineText.make(field: field, entity: entity, key: key, more: more)
    }

    /// A pipeline whose books have parts, with such keys of `children` and such fields.
    private static func child(_ keys: String, _ fields: String) -> String {
        PipelineText.make(children: "p: {\(keys)}", parts: fields)
    }

    private static let other = "P: {primary_key: a, fields: {a: int}}"

    static let references = [
        Case("an unknown target", field("x: {ref: Bok}"), "unknown_entity", "no entity `Bok`", at: "Bok}"),
        Case("unknown targets", field("x: {refs: Bok}"), "unknown_entity", "no entity `Bok`", at: "Bok}"),
        Case(
            "both counts", field("x: {ref: Book, refs: Book}"), "conflicting_keys",
            "has both `ref`, for one record, and `refs`", at: "ref:"),
        Case(
            "a type of its own", field("x: {ref: Book, type: int}"), "conflicting_keys",
            "`type` does not go with `ref`",
            at: "type"),
        Case(
            "a comparison of its own", field("x: {refs: Book, compare: json}"), "conflicting_keys",
            "`compare` does not go with `refs`", at: "compare"),
        Case(
            "several values for one", field("x: {ref: Book, from: 'a[*]'}"), "conflicting_keys",
            "may select several values, and `ref` takes one", at: "from"),
        Case(
            "one value for several", field("x: {refs: Book, from: a}"), "conflicting_keys",
            "selects one value, and `refs` takes several", at: "from"),
        Case(
            "a filter", field("x: {refs: Book, from: 'a[?@.b]'}"), "conflicting_keys", "is no path for `refs`",
            at: "from"),
        Case("a table for one", field("x: {ref: Book, via: y}"), "conflicting_keys", "`via` belongs to", at: "via"),
        Case(
            "a table for none", field("x: {via: y}"), "conflicting_keys", "`via` belongs to a field with `ref`",
            at: "via"),
        Case(
            "a rule for none", field("x: {on_dangling: stub}"), "conflicting_keys", "has neither", at: "on_dangling"),
        Case(
            "a column for several", field("x: {refs: Book, column: y}"), "conflicting_keys", "no column", at: "column"),
        Case(
            "an owner that is replaced", field("x: {refs: Book, merge: replace, owner: local}"), "conflicting_keys",
            "makes the source the owner of", at: "owner"),
        Case(
            "a column for a key of two",
            field("x: {ref: Two, column: y}", more: "Two: {primary_key: [a, b], fields: {a: int, b: int}}"),
            "conflicting_keys", "has 2 columns", at: "y}"),
        Case(
            "a key that is a hash", field("x: {ref: H}", more: "H: {primary_key: content, fields: {a: int}}"),
            "unusable_reference", "a hash that no source sends", at: "H}"),
        Case(
            "a key from a program", field("x: {ref: P}", more: "P: {primary_key: a, fields: {a: {expr: .b}}}"),
            "unusable_reference", "is not read from a path", at: "P}"),
        Case(
            "a key that is a reference",
            field("x: {ref: P}", more: "P: {primary_key: a, fields: {a: {ref: Book, on_dangling: stub}}}"),
            "unusable_reference", "is not read from a path", at: "P}"),
        Case(
            "a child",
            PipelineText.make(field: "x: {ref: Part}", children: "p: {entity: Part, key: a}", parts: "a: int"),
            "unusable_reference", "only within `entities.Book.children.p`", at: "Part}"),
        Case(
            "a key that may be null", field("x: {ref: P}", key: "[id, x]", more: other), "unusable_key_field",
            "cannot be null where its target is missing", at: "x: {ref"),
        Case(
            "a key that may be null for good", field("x: {ref: P, on_dangling: set_null}", key: "[id, x]", more: other),
            "unusable_key_field", "cannot be null", at: "set_null"),
        Case(
            "a key of several records", field("x: {refs: P}", key: "[id, x]", more: other), "unusable_key_field",
            "holds several records", at: "P}"),
        Case(
            "several records that are unique", field("x: {refs: Book}", entity: "unique: [x]"), "unusable_reference",
            "have a table of their own", at: "x]"),
        Case(
            "a column that is taken", field("x: {ref: Book}\n      x_ID: int"), "duplicate_name",
            "have the same column, `x_ID`", at: "x_ID: int"),
        Case(
            "a name that is taken",
            field(
                "x_a: int\n      x: {ref: Two}", more: "Two: {primary_key: [a, b], fields: {a: {column: c}, b: int}}"),
            "duplicate_name", "two fields of the name `x_a`", at: "x: {ref"),
        Case(
            "a table that is taken", field("x: {refs: Book, via: BOOK}"), "duplicate_name",
            "the entity `Book` have the same table", at: "BOOK"),
        Case(
            "a table of two", field("x: {refs: Book, via: y}\n      z: {refs: Book, via: Y}"), "duplicate_name",
            "`Book.x` have the same table", at: "Y}"),
        Case(
            "a table of ours", field("x: {refs: Book, via: _sluice_x}"), "reserved_name", "are reserved", at: "_sl"),
        Case(
            "a table with two columns of one name",
            field("book: {refs: Book}"), "duplicate_name", "would have two columns `book_id`", at: "book: {refs"),
    ]

    static let children = [
        Case(
            "an unknown child", PipelineText.make(children: "p: {entity: Prt, key: a}"),
            "unknown_entity",
            "no entity `Prt`", at: "Prt"),
        Case(
            "a child of two",
            child("entity: Part, key: a}, q: {entity: Part, key: a", "a: int"),
            "unusable_children", "the child of `entities.Book.children.p` already", at: "Part, key: a}}"),
        Case(
            "a child of itself", PipelineText.make(children: "p: {entity: Book}"), "unusable_children",
            "a child of itself: Book → Book", at: "Book}"),
        Case(
            "a circle",
            PipelineText.make(
                children: "p: {entity: A, ordered: true}",
                more: "A: {fields: {a: int}, children: {b: {entity: Book, ordered: true}}}"),
            "unusable_children", "a child of itself: Book → A → Book", at: "Book, ordered"),
        Case(
            "a key and a position",
            child("entity: Part, key: a, ordered: true", "a: int"),
            "conflicting_keys", "has both `key` and `ordered`", at: "a, ordered"),
        Case(
            "an order of members",
            child("entity: Part, entries: a, ordered: true", "a: int"),
            "conflicting_keys", "have no order", at: "true"),
        Case(
            "no key", child("entity: Part", "a: int"), "missing_key",
            "Nothing identifies the elements", at: "p: {entity"),
        Case(
            "no key of members", child("entity: Part, entries: b", "a: int"),
            "missing_key", "Nothing identifies the elements", at: "p: {entity"),
        Case(
            "an unknown key", child("entity: Part, key: [b]", "a: int"),
            "unknown_field", "`entities.Book.children.p.key` names `b`", at: "b]"),
        Case(
            "two keys",
            PipelineText.make(
                children: "p: {entity: C, key: a}", more: "C: {primary_key: [b], fields: {a: int, b: int}}"),
            "unusable_children", "says what identifies its records", at: "[b]"),
        Case(
            "a key and an order",
            PipelineText.make(children: "p: {entity: C, ordered: true}", more: "C: {primary_key: b, fields: {b: int}}"),
            "unusable_children", "says what identifies its records", at: "b, fields"),
        Case(
            "one value", child("entity: Part, key: a, from: b", "a: int"),
            "conflicting_keys", "takes the elements of a list", at: "b}"),
        Case(
            "a filter", child("entity: Part, key: a, from: 'b[?@.c]'", "a: int"),
            "conflicting_keys", "is no path for", at: "'b"),
        Case(
            "a column of the parent",
            child("entity: Part, key: a", "a: int, b: {column: BOOK_ID}"),
            "duplicate_name", "have the same column, `BOOK_ID`", at: "BOOK_ID"),
        Case(
            "a field of the parent",
            child("entity: Part, ordered: true", "position: {column: p}"),
            "duplicate_name", "two fields of the name `position`", at: "p}}"),
        Case(
            "no key of an entity that is none's child", PipelineText.make(parts: "a: int"), "missing_key",
            "`entities.Part` needs the key `primary_key`", at: "{fields: {a"),
        Case(
            "a stream of a child",
            PipelineText.make(
                stream: "x: 1\n  - {name: parts, entity: Part}".replacing("x: 1", with: "path: /"),
                children: "p: {entity: Part, key: a}", parts: "a: int"),
            "unusable_children", "so a stream cannot have them", at: "Part}"),
    ]

    private static let two = "\n  - {name: all, entity: Book, path: '/all'}"
    private static func stream(_ text: String, field: String = "") -> String {
        PipelineText.make(field: field, stream: text + two, top: "merge: {precedence: [books, all]}")
    }

    static let streams = [
        Case(
            "an unknown parent", stream("parent: {stream: al}"), "unknown_stream", "no stream `al`", at: "al}"),
        Case(
            "a stream that is its own parent", stream("path: '{{ parent.id }}'\n    parent: {stream: books}"),
            "stream_cycle", "books → books", at: "books}"),
        Case(
            "parents in a circle",
            PipelineText.make(
                stream:
                    "path: '{{ parent.id }}'\n    parent: {stream: b}\n  - {name: b, entity: Book, path: '{{ parent.id }}', parent: {stream: books}}",
                top: "merge: {precedence: [books, b]}"), "stream_cycle", "books → b → books", at: "b}"),
        Case(
            "an unknown key of the parent",
            stream("path: '{{ parent.id }}'\n    parent: {stream: all, key: [id, nr]}"), "unknown_field",
            "names `nr`, which is no field of `Book`", at: "nr]"),
        Case(
            "an unknown field of the parent", stream("path: '/x/{{ parent.nr }}'\n    parent: {stream: all}"),
            "unknown_field", "names `nr`, which is no field of `Book`", at: "{{ parent.nr"),
        Case(
            "a field that is no text",
            stream("path: '{{parent.id}}/{{ parent.x }}'\n    parent: {stream: all}", field: "x: json"),
            "conflicting_keys", "cannot be filled in", at: "{{ parent.x"),
        Case(
            "a parent of none", stream("path: '/x/{{ parent.id }}'"), "missing_key", "needs the key `parent`",
            at: "{{ parent.id"),
        Case(
            "a parent that nothing uses", stream("path: /x\n    parent: {stream: all}"), "conflicting_keys",
            "depends on its parent", at: "{stream"),
        Case("items of none", stream("params: {a: '{{ item }}'}"), "missing_key", "needs the key `for_each`", at: "{{"),
        Case(
            "items of another list", stream("path: '{{ item.b }}{{ item.a }}'\n    for_each: {a: [x]}"),
            "conflicting_keys", "is not one of the lists", at: "{{ item.b"),
        Case(
            "items without their list", stream("path: '{{ item }}{{ item.a }}'\n    for_each: {a: [x]}"),
            "conflicting_keys", "is not one of the lists", at: "{{ item }}{{"),
        Case(
            "items that nothing uses", stream("path: '{{ item.a }}'\n    for_each: {a: [x], b: [y]}"),
            "conflicting_keys", "depends on `{{ item.b }}`", at: "{a: [x]"),
        Case(
            "an item twice", stream("path: '{{ item }}'\n    for_each: [x, x]"), "duplicate_name", "has `x` twice",
            at: "x]"),
        Case(
            "a parent of which only hashes are kept",
            stream("path: '{{parent.id}}/{{ parent.x }}'\n    parent: {stream: all}", field: "x: {redact: hash}"),
            "conflicting_keys", "is redacted", at: "{{ parent.x"),
        Case(
            "a parent of a login",
            PipelineText.make(source: "auth: {type: session, login: {path: '/{{ parent.id }}'}, token_path: t}"),
            "conflicting_keys", "works only in the requests of a stream", at: "{{ parent"),
        Case(
            "a value of no parent", stream("path: /", field: "x: {value: '{{ parent.id }}'}"), "missing_key",
            "needs the key `parent`", at: "'{{ parent"),
        Case(
            "a value of no item", stream("path: /", field: "x: {value: 'a {{ item }}'}"), "missing_key",
            "needs the key `for_each`", at: "'a {{"),
        Case(
            "a value of a child",
            child("entity: Part, key: a", "a: int, b: {value: '{{ parent.id }}'}"),
            "conflicting_keys", "no stream yields records of `Part`", at: "'{{ parent"),
        Case(
            "an unknown nested entity", stream("nested: [{path: a, entity: Prt}]"), "unknown_entity", "no entity `Prt`",
            at: "Prt}"),
        Case(
            "a nested child of another",
            PipelineText.make(
                stream: "nested: [{path: a, entity: Part}]\n  - {name: o, entity: O}",
                parts: "a: int", more: "O: {primary_key: a, fields: {a: int}, children: {p: {entity: Part, key: a}}}"),
            "unusable_children", "is a child of `O`", at: "Part}"),
        Case(
            "nested at several places", stream("nested: [{path: 'a[*]', entity: Book}]"), "conflicting_keys",
            "`nested` takes one", at: "'a["),
        Case(
            "more of an unknown field",
            PipelineText.make(
                stream: "nested: [{path: a, entity: Part, more: {when: .a, path: '/{{ parent.nr }}'}}]",
                children: "p: {entity: Part, key: a}", parts: "a: int"),
            "unknown_field", "names `nr`", at: "{{ parent.nr"),
    ]

    @Test(arguments: references + children + streams)
    func problem(of test: Case) throws {
        let (definition, problems) = PipelineText.load(test.text, keys: .all)
        #expect(definition == nil)
        let found = problems.filter { $0.code == test.code && $0.message.contains(test.words) }
        #expect(!found.isEmpty, "\(Fixtures.render(problems))")
        let lines = test.text.split(separator: "\n", omittingEmptySubsequences: false)
        let isThere = found.contains { problem in
            guard let position = problem.location?.position, lines.indices.contains(position.line - 1) else {
                return false
            }
            return lines[position.line - 1].dropFirst(position.column - 1).hasPrefix(test.place)
        }
        #expect(isThere, "\(Fixtures.render(problems))")
        // One mistake is one problem.
        #expect(problems.count { $0.severity == .error } == 1, "\(Fixtures.render(problems))")
    }

    @Test func aMisspeltParentIsNotMissingAsWell() {
        let text = PipelineText.make(
            stream: "path: '/{{ parent.a }}{{ item }}'\n    parents: {stream: all}\n    foreach: [a]")
        #expect(PipelineText.load(text, keys: .all).1.map(\.code) == ["unknown_key", "unknown_key"])
    }

    @Test func aMisspeltKeyIsNotMissingAsWell() {
        let text = PipelineText.make(more: "P: {primary_kay: a, fields: {a: int}}")
        #expect(PipelineText.load(text, keys: .all).1.map(\.code) == ["unused_entity", "unknown_key"])
    }
}
