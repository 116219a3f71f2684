import SluicePipeline
import SluicePipelineFiles
import Testing

/// What of a pipeline says for which records it holds how far a stream was read.
@Suite struct ContentFingerprintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let isSame: Bool
        /// The same where the stream never gave objects of those that its records refer to; nil where that is no matter.
        var isSameByKeys: Bool?
        /// Whether versions that kept the whole definition see no difference; nil where they see the same.
        var wasSame: Bool?
        var testDescription: String { "\(old) > \(new)" }
    }

    private static let pipeline = """
        version: 1
        name: shop
        source: {base_url: "https://shop.example", params: {all: yes}}
        entities:
          Author: {primary_key: id, fields: {id: int, name: string}}
          Tag: {primary_key: id, fields: {id: int, word: string}}
          Line: {fields: {id: int, note: string}}
          Book:
            table: books
            primary_key: id
            fields: {id: int, at: datetime, by: {ref: Author, from: by}, tags: {refs: Tag, from: "tags[*]", upsert: false}}
            children: {lines: {entity: Line, from: "lines[*]", key: [id]}}
          Other: {primary_key: id, fields: {id: int}}
        streams:
          - name: books
            entity: Book
            path: /books
            params: {since: "{{ cursor.start }}"}
            incremental: {cursor_field: at, initial_value: "2026-01-01T00:00:00Z"}
            filter: .id > 1
          - {name: others, entity: Other, path: /others}
        """

    @Test(arguments: [
        Case(old: "id: int, at: datetime", new: "at: datetime, id: int", isSame: true),
        Case(old: "name: books", new: "name: volumes\n    renamed_from: books", isSame: true),
        Case(old: "table: books", new: "table: volumes", isSame: true),
        Case(old: "cursor_field: at", new: "cursor_field: at, lookback: 5m", isSame: true),
        Case(
            old: "Other: {primary_key: id, fields: {id: int", new: "Other: {primary_key: id, fields: {id: int, x: int",
            isSame: true),
        Case(old: "word: string", new: "word: string, x: int", isSame: true),
        Case(old: "at: datetime", new: "at: datetime, title: string", isSame: false),
        Case(old: "at: datetime", new: "at: {type: datetime, from: when}", isSame: false),
        Case(old: "name: string", new: "name: string, born: date", isSame: false, isSameByKeys: true),
        Case(old: "name: string", new: "called: {from: name, renamed_from: name}", isSame: true, wasSame: false),
        Case(old: "Author", new: "Writer", isSame: true, wasSame: false),
        Case(old: "Tag", new: "Word", isSame: true, wasSame: false),
        Case(old: "note: string", new: "note: string, price: decimal", isSame: false),
        Case(old: ".id > 1", new: ".id > 0", isSame: false),
        Case(old: "path: /books", new: "path: /volumes", isSame: false),
        Case(old: "all: yes", new: "all: no", isSame: false),
    ])
    func holds(_ known: Case) throws {
        func content(_ text: String) throws -> ContentDefinition {
            let (definition, problems) = PipelineText.load(text)
            return try #require(definition?.streams.first, "\(Fixtures.render(problems))").content
        }
        #expect(Self.pipeline.contains(known.old))
        let before = try content(Self.pipeline)
        let after = try content(Self.pipeline.replacing(known.old, with: known.new))
        #expect(after.holds(before.text) { _ in true } == known.isSame)
        #expect(after.holds(before.text) { _ in false } == known.isSameByKeys ?? known.isSame)
        #expect(after.holds(before.earlier) { _ in true } == known.wasSame ?? known.isSame)
    }
}
