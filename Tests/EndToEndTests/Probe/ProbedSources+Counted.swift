import TestSupport

extension ProbedSource {
    /// Sources that count, and sources with one page.
    static let counting = [
        ProbedSource(
            name: "a number of pages in a header and no page behind it, as of WordPress", records: 25,
            place: "$[*]", paginator: "page_number", certainty: "certain", yaml: "{type: page_number}"
        ) { question in
            let page = question.number("page") ?? 1
            guard (1...3).contains(page) else {
                return .text(#"{"code":"rest_post_invalid_page_number"}"#, status: 400)
            }
            return .text(Things.page(page, of: 25), headers: [("X-WP-TotalPages", "3")])
        },
        ProbedSource(
            name: "page and total_pages", records: 25, place: "$.things[*]", paginator: "page_number",
            certainty: "certain", yaml: "{type: page_number, total_pages_path: meta.total_pages}",
            reason: "`meta.page` is 1 and `meta.total_pages` is 3", requests: 3
        ) { question in
            let page = question.number("page") ?? 1
            return .text(#"{"meta":{"page":\#(page),"total_pages":3},"things":\#(Things.page(page, of: 25))}"#)
        },
        ProbedSource(
            name: "pages from 0, as of Spring", records: 25, place: "$.content[*]", paginator: "page_number",
            certainty: "certain", yaml: "{type: page_number, start: 0, total_pages_path: totalPages}", requests: 3
        ) { question in
            let page = question.number("page") ?? 0
            return .text(#"{"content":\#(Things.page(page + 1, of: 25)),"totalPages":3,"number":\#(page),"size":10}"#)
        },
        ProbedSource(
            name: "offset, limit and total", records: 25, place: "$.data[*]", paginator: "offset",
            certainty: "certain", yaml: "{type: offset, total_path: total}",
            reason: "`offset` is 0 and `total` is 25, of which 10 are here", requests: 3
        ) { question in
            let offset = question.number("offset") ?? 0
            return .text(
                #"{"offset":\#(offset),"limit":10,"total":25,"data":\#(Things.list(offset + 1..<offset + 11, of: 25))}"#
            )
        },
        ProbedSource(
            name: "startAt, as of Jira", records: 25, place: "$.issues[*]", paginator: "offset",
            certainty: "certain", yaml: "{type: offset, offset_param: startAt, total_path: total}", requests: 3
        ) { question in
            let offset = question.number("startAt") ?? 0
            return .text(
                #"{"startAt":\#(offset),"maxResults":10,"total":25,"issues":\#(Things.list(offset + 1..<offset + 11, of: 25))}"#
            )
        },
        ProbedSource(
            name: "$top of OData", target: "/things?$top=10", records: 25, place: "$.value[*]", paginator: "offset",
            certainty: "certain", yaml: #"{type: offset, offset_param: "$skip"}"#,
            reason: "there are as many records as `$top` asks for"
        ) { question in
            let skip = question.number("$skip") ?? question.number("%24skip") ?? 0
            return .text(#"{"value":\#(Things.list(skip + 1..<skip + 11, of: 25))}"#)
        },
        ProbedSource(
            name: "$skip, $top and the count of OData", target: "/things?$skip=0&$top=10&$count=true", records: 25,
            place: "$.value[*]", paginator: "offset", certainty: "certain",
            yaml: #"{type: offset, offset_param: "$skip", total_path: "$['@odata.count']"}"#, requests: 3
        ) { question in
            let skip = question.number("$skip") ?? question.number("%24skip") ?? 0
            return .text(
                #"{"@odata.context":"$metadata#things","@odata.count":25,"value":\#(Things.list(skip + 1..<skip + 11, of: 25))}"#
            )
        },
        ProbedSource(
            name: "a total alone, and pages", records: 25, place: "$.data[*]", paginator: "page_number",
            certainty: "certain", yaml: "{type: page_number}"
        ) { question in
            .text(#"{"total":25,"data":\#(Things.page(question.number("page") ?? 1, of: 25))}"#)
        },
        ProbedSource(
            name: "an array as long as a round number", records: 25, place: "$[*]", paginator: "page_number",
            certainty: "certain", yaml: "{type: page_number}", reason: "10 records are a round number"
        ) { question in
            .text(Things.page(question.number("page") ?? 1, of: 25))
        },
        ProbedSource(
            name: "an array as long as the URL asks for, from page 0", target: "/things?per_page=7", records: 25,
            place: "$[*]", paginator: "page_number", certainty: "certain", yaml: "{type: page_number, start: 0}",
            reason: "there are as many records as `per_page` asks for"
        ) { question in
            .text(Things.page((question.number("page") ?? 0) + 1, size: question.number("per_page") ?? 10, of: 25))
        },
        ProbedSource(
            name: "an array that the last id leads on", records: 25, place: "$[*]", paginator: "cursor",
            certainty: "certain",
            yaml: "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: since_id}"
        ) { question in
            let last = question.number("since_id") ?? 0
            return .text(Things.list(last + 1..<last + 11, of: 25))
        },
        ProbedSource(
            name: "an array of 20 that is all", records: 20, place: "$[*]", paginator: "header_link",
            certainty: "likely", yaml: "{type: header_link}", reason: "?page=2 brought the same records again"
        ) { _ in .text(Things.list(1..<21, of: 20)) },
        ProbedSource(
            name: "a bare array", records: 7, place: "$[*]", paginator: "header_link", certainty: "likely",
            yaml: "{type: header_link}", reason: "7 records do not fill a page", requests: 1
        ) { _ in .text(Things.list(1..<8, of: 7)) },
        ProbedSource(
            name: "one object", target: "/things/4", records: 1, place: "$", paginator: "none", certainty: "likely",
            yaml: nil, reason: "the page is one record", requests: 1
        ) { _ in .text(Things.one(4)) },
        ProbedSource(
            name: "one page of several, by what it says", records: 7, place: "$.data[*]", paginator: "json_link",
            certainty: "likely", yaml: "{type: json_link, path: links.next}", reason: "`links.next` is null here",
            requests: 1
        ) { _ in .text(#"{"data":\#(Things.list(1..<8, of: 7)),"links":{"next":null}}"#) },
        ProbedSource(
            name: "lines of JSON", target: "/things.ndjson", records: 7, place: "each line",
            paginator: "header_link", certainty: "likely", yaml: "{type: header_link}", requests: 1
        ) { _ in .text((1...7).map { Things.one($0) + "\n" }.joined()) },
        ProbedSource(
            name: "a next cursor that no parameter takes", records: 10, place: "$.data[*]", paginator: "none",
            certainty: "unsure", yaml: nil, reason: "no parameter that was tried leads to another page"
        ) { _ in .text(#"{"next_cursor":"abc","data":\#(Things.page(1, of: 25))}"#) },
    ]
}
