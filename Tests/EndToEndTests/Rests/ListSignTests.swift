import Foundation
import Synchronization
import TestSupport
import Testing

/// A list within a record that says that there is more of it proves nothing gone, where nothing asks for the rest.
@Suite struct ListSignTests {
    @Test("A run that goes on with a scan tells what the pages before have")
    func resumed() throws {
        let fails = Mutex(true)
        let server = try LoopbackServer { request in
            let isSecond = (request.query ?? "").contains("page=2")
            if isSecond && fails.withLock({ $0 }) { return .text("{}", status: 500) }
            let (id, more) = isSecond ? (2, "") : (1, #","has_more":true"#)
            return .text(#"{"pages":2,"data":[{"id":\#(id),"lines":{"data":[{"no":1}]\#(more)}}]}"#)
        }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            "orders.yaml",
            """
            version: 1
            name: orders
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines.data[*]", key: [no]}}
              Line: {table: lines, fields: {no: int}}
            streams:
              - name: orders
                entity: Order
                path: /orders
                records: "data[*]"
                paginator: {type: page_number, total_pages_path: pages}
            commit: page
            """)
        let first = try Program.run("run", "orders.yaml", in: scene.path)
        #expect(first.code != 0 && first.output.contains("has_more"), "\(first.output)\(first.errors)")
        fails.withLock { $0 = false }
        let second = try Program.run("run", "orders.yaml", "--strict", "--format", "json", in: scene.path)
        #expect(second.code == 3, "\(second.output)\(second.errors)")
        #expect(second.output.components(separatedBy: #""code":"more_in_list""#).count == 2, "\(second.output)")
    }

    /// An invoice that first shows two lines and then one, with something to say of others.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The members of the record that hold the list; `LINES` are its elements.
        var record = #""lines":{"data":[LINES]BESIDE}"#
        var from = "lines.data[*]"
        /// What stands beside the list in the second run.
        var beside = ""
        /// What the warning says; nil where nothing speaks of more.
        var says: String?
        var condition: String?
        var testDescription: String { name }

        func answer(_ count: Int) -> String {
            let lines = (1...count).map { #"{"sku":"s\#($0)","n":1}"# }.joined(separator: ",")
            let text = record.replacing("LINES", with: lines).replacing("BESIDE", with: count == 1 ? beside : "")
            return #"[{"id":1,"title":"t",\#(text)}]"#
        }
    }

    static let signs = [
        Case(
            name: "Stripe", beside: #","has_more":true,"url":"/v1/lines""#, says: "it says `lines.has_more: true`",
            condition: "when: '.lines.has_more'"),
        Case(
            name: "a flag that is a text", beside: #","has_more":"true""#, says: "it says `lines.has_more: true`",
            condition: #"when: '.lines.has_more == "true"'"#),
        Case(
            name: "GraphQL", record: #""lines":{"nodes":[LINES]BESIDE}"#, from: "lines.nodes[*]",
            beside: #","pageInfo":{"hasNextPage":true,"endCursor":"x"}"#,
            says: "`lines.pageInfo.hasNextPage: true`", condition: "when: '.lines.pageInfo.hasNextPage'"),
        Case(
            name: "a link", beside: #","next":"/lines?page=2""#, says: "has the URL of its rest at `lines.next`",
            condition: "when: '.lines.next != null'"),
        Case(
            name: "a token", beside: #","nextPageToken":"abc""#, says: "what asks for its rest at `lines.nextPageToken`"
        ),
        Case(
            name: "Jira", beside: #","startAt":0,"maxResults":1,"total":5"#,
            says: "says that there are 5 of them (`lines.total`), and 1 are there"),
        Case(
            name: "a flag of the end", beside: #","isLast":false"#, says: "it says `lines.isLast: false`",
            condition: "when: '.lines.isLast == false'"),
        Case(
            name: "ArcGIS", beside: #","exceededTransferLimit":true"#,
            says: "it says `lines.exceededTransferLimit: true`"),
        Case(
            name: "a key of DynamoDB", beside: #","LastEvaluatedKey":{"id":{"S":"x"}}"#,
            says: "what asks for its rest at `lines.LastEvaluatedKey`"),
        Case(name: "a marker", beside: #","next_marker":"abc""#, says: "what asks for its rest at `lines.next_marker`"),
        Case(
            name: "a flag that is named after the list", record: #""lines":[LINES]BESIDE"#, from: "lines[*]",
            beside: #","lines_has_more":true"#, says: "it says `lines_has_more: true`",
            condition: "when: '.lines_has_more'"),
        Case(
            name: "a number that is named after the list", record: #""lines":[LINES]BESIDE"#, from: "lines[*]",
            beside: #","linesTruncated":1"#, says: "it says `linesTruncated: true`",
            condition: "when: '.linesTruncated == 1'"),
        Case(name: "a page", beside: #","paging":{"next_page":2}"#, says: "`lines.paging.next_page`"),
        Case(
            name: "OData", record: #""lines":[LINES]BESIDE"#, from: "lines[*]",
            beside: #","lines@odata.nextLink":"https://example.com/l?$skip=1""#,
            says: "has the URL of its rest at `lines@odata.nextLink`",
            condition: #"when: '.["lines@odata.nextLink"] != null'"#),
        Case(
            name: "a total", beside: #","total_count":2"#,
            says: "says that there are 2 of them (`lines.total_count`), and 1 are there",
            condition: "when: '.lines.total_count > (.lines.data | length)'"),
        Case(
            name: "a total that is a text", beside: #","total_count":"2""#,
            says: "says that there are 2 of them (`lines.total_count`), and 1 are there",
            condition: "when: '(.lines.total_count | tonumber) > (.lines.data | length)'"),
        Case(
            name: "a total with a point", beside: #","total_count":2.0"#,
            says: "says that there are 2 of them (`lines.total_count`), and 1 are there",
            condition: "when: '.lines.total_count > (.lines.data | length)'"),
        Case(
            name: "a place and a total as texts", beside: #","startAt":"0","total":"5""#,
            says: "says that there are 5 of them (`lines.total`), and 1 are there"),
        Case(
            name: "a flag that is a number", beside: #","has_more":1"#, says: "it says `lines.has_more: true`",
            condition: "when: '.lines.has_more == 1'"),
        Case(
            name: "a flag that is a number as a text", beside: #","has_more":"1""#,
            says: "it says `lines.has_more: true`", condition: #"when: '.lines.has_more == "1"'"#),
        Case(
            name: "a flag that is a number with a point", beside: #","truncated":1.0"#,
            says: "it says `lines.truncated: true`", condition: "when: '.lines.truncated == 1'"),
        Case(
            name: "a flag of the end that is a number as a text", beside: #","is_last_page":"0""#,
            says: "it says `lines.is_last_page: false`", condition: #"when: '.lines.is_last_page == "0"'"#),
        Case(
            name: "a total that is a text with a point", beside: #","total_count":"2.0""#,
            says: "says that there are 2 of them (`lines.total_count`), and 1 are there",
            condition: "when: '(.lines.total_count | tonumber) > (.lines.data | length)'"),
        Case(
            name: "JSON:API", record: #""lines":{"links":{"self":"/a"BESIDE},"data":[LINES]}"#,
            beside: #","next":"/a?page=2""#, says: "`lines.links.next`"),
        Case(
            name: "the last page is another one", beside: #","is_last_page":false"#, says: "`lines.is_last_page: false`"
        ),
    ]

    /// What says that all is there, or speaks of other things.
    static let wholes = [
        Case(name: "nothing"),
        Case(name: "a flag that says no", beside: #","has_more":false,"next_cursor":"stays""#),
        Case(name: "a text that says no", beside: #","has_more":"false","next_cursor":"stays""#),
        Case(name: "no next", beside: #","next":null,"next_page":"","total_count":1"#),
        Case(name: "a number that says no", beside: #","has_more":0,"next_cursor":"stays""#),
        Case(name: "a number as a text that says no", beside: #","has_more":"0","next_cursor":"stays""#),
        Case(
            name: "a flag that is named after the list and says no", record: #""lines":[LINES]BESIDE"#,
            from: "lines[*]", beside: #","lines_has_more":false,"lines_locked":true,"truncated":true"#),
        Case(name: "the number of the last page", beside: #","last_page":0,"page":0"#),
        Case(name: "money and pieces as texts", beside: #","total":"5000","count":"7""#),
        Case(name: "money and pieces", beside: #","total":5000,"count":7,"total_items":9"#),
        Case(name: "things of the record", beside: #","next_state":"paid","done":false,"next_id":9,"last":false"#),
        Case(
            name: "what the record says of itself", record: #""lines":[LINES],"has_more":true,"next":"/x""#,
            from: "lines[*]"),
    ]

    private static func pipeline(_ server: LoopbackServer, _ from: String, _ lines: String = "key: [sku]") -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "\(server.url)"}
        entities:
          Invoice:
            table: invoices
            primary_key: [id]
            fields: {id: int, title: string}
            children: {lines: {entity: Line, from: "\(from)", \(lines)}}
          Line: {table: lines, fields: {sku: string, n: int}}
        streams: [{name: invoices, entity: Invoice, path: /invoices, delete_missing: hard}]
        """
    }

    @Test("Nothing is gone", arguments: signs)
    func nothingIsGone(_ test: Case) throws {
        let server = try LoopbackServer { request in .text(test.answer(request.number == 0 ? 2 : 1)) }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline(server, test.from))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        // It is said as long as it is so.
        for _ in 0..<2 {
            let run = try Program.run("run", "books.yaml", in: scene.path)
            #expect(run.code == 0, "\(run.errors)")
            let text = run.output + run.errors
            #expect(text.contains(test.says ?? "?") && text.contains("more: {"), "\(text)")
            #expect(test.condition.map { text.contains($0) } ?? true, "\(text)")
            #expect(try scene.query("SELECT sku FROM lines ORDER BY sku") == ["s1", "s2"])
        }
        #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 3)
    }

    /// `more` asks for the rest only where its `when` holds.
    @Test("Nothing is gone where `when` does not see it", arguments: signs)
    func nothingIsGoneWhereWhenIsWrong(_ test: Case) throws {
        let server = try LoopbackServer { request in .text(test.answer(request.number == 0 ? 2 : 1)) }
        defer { server.stop() }
        let scene = try Scene()
        let names = test.from.split(separator: ".").map(String.init)
        let (path, records) = names.count == 1 ? (test.from, nil) : (names[0], names[1])
        let place = names.count == 1 ? "path: lines" : "path: \(path), records: \"\(records ?? "")\""
        try scene.write(
            "books.yaml",
            Self.pipeline(server, test.from).replacing(
                "delete_missing: hard",
                with:
                    "delete_missing: hard, nested: [{\(place), entity: Line, more: {when: .lines.oops?, path: \"/more/{{ parent.id }}\"}}]"
            )
        )
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first)")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && run.output.contains("Its `more` was not used"), "\(run)")
        #expect(try scene.query("SELECT sku FROM lines ORDER BY sku") == ["s1", "s2"])
    }

    @Test("What a whole list leaves out is gone", arguments: wholes)
    func isGone(_ test: Case) throws {
        let server = try LoopbackServer { request in .text(test.answer(request.number == 0 ? 2 : 1)) }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline(server, test.from))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && !run.output.contains("more of"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT sku FROM lines") == ["s1"])
    }

    /// A list that is one value is not mixed of two.
    @Test func anOrderedListStays() throws {
        let test = Self.signs[0]
        let server = try LoopbackServer { request in .text(test.answer(request.number == 0 ? 2 : 1)) }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline(server, test.from, "ordered: true"))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.output.contains("nothing of such a list is taken"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT position, sku FROM lines ORDER BY 1") == ["0|s1", "1|s2"])
    }

    /// Links to other records are a list too.
    @Test(arguments: [("", ["a", "b"]), (", merge: add_only", ["a", "b", "c"])])
    func linksStay(merge: String, expected: [String]) throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Post:
                primary_key: [id]
                fields: {id: int, tags: {refs: Tag, from: "tags.nodes[*]"\(merge)}}
              Tag: {primary_key: [name], fields: {name: string}}
            streams: [{name: posts, entity: Post, path: posts.json, delete_missing: hard}]
            """)
        try scene.write("posts.json", #"[{"id":1,"tags":{"nodes":[{"name":"a"},{"name":"b"}]}}]"#)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write(
            "posts.json", #"[{"id":1,"tags":{"nodes":[{"name":"b"},{"name":"c"}],"pageInfo":{"hasNextPage":true}}}]"#)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("`tags.pageInfo.hasNextPage: true`"), "\(run.output)")
        #expect(run.output.contains("nothing of it is taken") == merge.isEmpty, "\(run.output)")
        #expect(try scene.query("SELECT tag_name FROM post_tags ORDER BY 1") == expected)
    }
}
