import TestSupport
import Testing

/// Files that somebody saved of a source's pages prove only gone what all of its pages would.
@Suite struct SavedPageTests {
    /// The second version of a source whose first one has the records 1, 2 and 3.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var records = "$.data[*]"
        let files: [String: String]
        /// What the warning says; nil where the files are the whole.
        var says: String?
        var testDescription: String { name }
    }

    private static let two = #""data":[{"id":1},{"id":2}]"#

    static let cases = [
        Case(name: "a flag", files: ["a.json": "{\(two),\"has_more\":true}"], says: "a.json says `has_more: true`"),
        Case(
            name: "a link", files: ["a.json": #"{\#(two),"paging":{"next":"https://api.example.com/b?after=2"}}"#],
            says: "a.json has the URL of a next page at `paging.next`"),
        Case(
            name: "a total", files: ["a.json": "{\(two),\"total\":3}"],
            says: "a.json says that there are 3 records (`total`), and 2 were read"),
        Case(
            name: "a number of pages", files: ["a.json": "{\(two),\"page\":1,\"pages\":3}"],
            says: "a.json says that there are 3 pages (`pages`), and 1 was read"),
        Case(
            name: "a number of pages of which one is not there",
            files: [
                "a.json": #"{"data":[{"id":1}],"total_pages":3}"#, "b.json": #"{"data":[{"id":2}],"total_pages":3}"#,
            ], says: "b.json says that there are 3 pages (`total_pages`), and 2 were read"),
        Case(
            name: "a number of pages which are all there",
            files: [
                "a.json": #"{"data":[{"id":1}],"total_pages":2}"#, "b.json": #"{"data":[{"id":2}],"total_pages":2}"#,
            ]),
        Case(
            name: "as many records as the file says that pages have", files: ["a.json": "{\(two),\"limit\":2}"],
            says: "a.json has exactly the 2 records of its `limit`"),
        Case(name: "fewer records than the file says that pages have", files: ["a.json": "{\(two),\"limit\":3}"]),
        Case(
            name: "a total of filtered records", records: "$.data[?@.id > 1]",
            files: ["a.json": "{\(two),\"total\":3}"], says: "3 records"),
        Case(
            name: "pages of which the last is not there",
            files: [
                "a.json": #"{"data":[{"id":1}],"has_more":true}"#, "b.json": #"{"data":[{"id":2}],"has_more":true}"#,
            ], says: "b.json says `has_more: true`"),
        Case(
            name: "pages of which one is not there",
            files: ["a.json": #"{"data":[{"id":1}],"total":3}"#, "b.json": #"{"data":[{"id":2}],"total":3}"#],
            says: "3 records (`total`), and 2 were read"),
        Case(
            name: "errors", files: ["a.json": #"{"errors":[{"message":"timeout"}],"data":[{"id":1},{"id":2}]}"#],
            says: "a.json of `books` has `errors` beside its `data`"),
        Case(name: "no more", files: ["a.json": "{\(two),\"has_more\":false,\"total\":2}"]),
        Case(
            name: "pages whose last one is named first",
            files: [
                "a.json": #"{"data":[{"id":1}],"has_more":false,"total":2}"#,
                "b.json": #"{"data":[{"id":2}],"has_more":true,"total":2}"#,
            ]),
        Case(name: "an array", records: "$[*]", files: ["a.json": #"[{"id":1},{"id":2}]"#]),
        Case(
            name: "an export of two lists", records: "$['data','more'][*]",
            files: ["a.json": #"{"data":[{"id":1}],"more":[{"id":2}],"total":2}"#]),
        Case(
            name: "an export of two lists, of which there is more", records: "$['data','more'][*]",
            files: ["a.json": #"{"data":[{"id":1}],"more":[{"id":2}],"total":9}"#],
            says: "9 records (`total`), and 2 were read"),
    ]

    @Test(arguments: cases)
    func provesWhatItIs(_ test: Case) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int}}
            streams:
              - name: books
                entity: Book
                path: "?.json"
                records: "\(test.records)"
                delete_missing: {mode: hard, max_delete: 100%}
            """)
        let all = test.records == "$[*]" ? #"[{"id":1},{"id":2},{"id":3}]"# : #"{"data":[{"id":2},{"id":3}],"more":[]}"#
        try scene.write("a.json", all)
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        for (name, text) in test.files { try scene.write("\(name)", text) }
        let run = try Program.run("run", "shop.yaml", "--strict", in: scene.path)
        #expect(run.code == (test.says == nil ? 0 : 3), "\(run.output)\(run.errors)")
        #expect(run.errors.contains(test.says ?? ""), "\(run.errors)")
        let rows = try scene.query("SELECT id FROM books ORDER BY id")
        #expect(rows.contains("3") == (test.says != nil), "\(rows) \(run.output)")
    }
}
