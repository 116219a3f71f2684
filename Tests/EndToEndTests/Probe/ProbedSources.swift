import TestSupport

extension ProbedSource {
    /// Sources that name the next page, or what asks for it.
    static let naming = [
        ProbedSource(
            name: "a cursor on every page and a flag at the end, as of Zendesk", records: 25, place: "$.things[*]",
            paginator: "cursor", certainty: "certain",
            yaml: "{type: cursor, cursor_path: after_cursor, cursor_param: cursor}"
        ) { question in
            let before = question.number("cursor") ?? 0
            let after = min(before + 10, 25)
            return .text(
                #"{"things":\#(Things.list(before + 1..<after + 1, of: 25)),"after_cursor":"\#(after)","end_of_stream":\#(after == 25)}"#
            )
        },
        ProbedSource(
            name: "what goes back stands beside `continue`, as of MediaWiki", records: 25,
            place: "$.query.things[*]", paginator: "cursor", certainty: "certain",
            yaml: "{type: cursor, cursor_path: continue.apcontinue, cursor_param: apcontinue}", requests: 3
        ) { question in
            let before = question.number("apcontinue") ?? 0
            let more = before < 20 ? #""continue":{"apcontinue":"\#(before + 10)","continue":"-||"},"# : ""
            return .text(#"{\#(more)"query":{"things":\#(Things.list(before + 1..<before + 11, of: 25))}}"#)
        },
        ProbedSource(
            name: "a link that begins at the page, as of OData", records: 25, place: "$.value[*]",
            paginator: "json_link", certainty: "certain",
            yaml: #"{type: json_link, path: "$['@odata.nextLink']"}"#, requests: 3
        ) { question in
            let skip = question.number("$skip") ?? question.number("%24skip") ?? 0
            let next = skip < 20 ? #""@odata.nextLink":"things?$skip=\#(skip + 10)","# : ""
            return .text(#"{\#(next)"value":\#(Things.list(skip + 1..<skip + 11, of: 25))}"#)
        },
        ProbedSource(
            name: "a link that drops what was asked for, beside a cursor", target: "/things?fields=name", records: 25,
            place: "$.results[*]", paginator: "cursor", certainty: "certain",
            yaml: "{type: cursor, cursor_path: paging.next.after, cursor_param: after}", requests: 3
        ) { question in
            let after = question.number("after") ?? 0
            let next =
                after < 20 ? #","paging":{"next":{"after":"\#(after + 10)","link":"?after=\#(after + 10)"}}"# : ""
            return .text(#"{"results":\#(Things.list(after + 1..<after + 11, of: 25))\#(next)}"#)
        },
        ProbedSource(
            name: "a Link header, as of GitHub", records: 25, place: "$[*]", paginator: "header_link",
            certainty: "certain", yaml: "{type: header_link}", reason: "the Link header names rel=next", requests: 3
        ) { question in
            let page = question.number("page") ?? 1
            let link = "<http://\(question.host)/things?page=\(page + 1)>; rel=\"next\""
            return .text(Things.page(page, of: 25), headers: page < 3 ? [("Link", link)] : [])
        },
        ProbedSource(
            name: "the last id goes back, as of Stripe", records: 25, place: "$.data[*]", paginator: "cursor",
            certainty: "certain",
            yaml:
                "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: starting_after, has_more_path: has_more}",
            reason: "`has_more` is true", requests: 3
        ) { question in
            let last = question.number("starting_after") ?? 0
            return .text(
                #"{"object":"list","url":"/things","has_more":\#(last < 15),"data":\#(Things.list(last + 1..<last + 11, of: 25))}"#
            )
        },
        ProbedSource(
            name: "links.next of JSON:API", records: 25, place: "$.data[*]", paginator: "json_link",
            certainty: "certain", yaml: "{type: json_link, path: links.next}", reason: "`links.next` holds a URL",
            requests: 3
        ) { question in
            let page = question.number("page%5Bnumber%5D") ?? 1
            let next = page < 3 ? "\"http://\(question.host)/things?page%5Bnumber%5D=\(page + 1)\"" : "null"
            let data = (page * 10 - 9..<page * 10 + 1).clamped(to: 1..<26).map {
                #"{"type":"things","id":"\#($0)","attributes":{"name":"Thing \#($0)","updatedAt":"2024-03-01T00:00:00Z"}}"#
            }
            let others = (1...30).map { #"{"type":"tags","id":"\#($0)"}"# }.joined(separator: ",")
            return .text(
                #"{"data":[\#(data.joined(separator: ","))],"included":[\#(others)],"links":{"self":"/things","next":\#(next)}}"#
            )
        },
        ProbedSource(
            name: "a relative next URL", records: 25, place: "$.results[*]", paginator: "json_link",
            certainty: "certain", yaml: "{type: json_link, path: next}", requests: 3
        ) { question in
            let page = question.number("page") ?? 1
            let next = page < 3 ? "\"/things?page=\(page + 1)\"" : "null"
            return .text(#"{"count":25,"next":\#(next),"previous":null,"results":\#(Things.page(page, of: 25))}"#)
        },
        ProbedSource(
            name: "@odata.nextLink", records: 25, place: "$.value[*]", paginator: "json_link", certainty: "certain",
            yaml: #"{type: json_link, path: "$['@odata.nextLink']"}"#
        ) { question in
            let skip = question.number("skip") ?? 0
            let next = skip < 15 ? #""@odata.nextLink":"http://\#(question.host)/things?skip=\#(skip + 10)","# : ""
            return .text(#"{\#(next)"value":\#(Things.list(skip + 1..<skip + 11, of: 25))}"#)
        },
        ProbedSource(
            name: "response_metadata.next_cursor, as of Slack", records: 25, place: "$.members[*]",
            paginator: "cursor", certainty: "certain",
            yaml: "{type: cursor, cursor_path: response_metadata.next_cursor, cursor_param: cursor}",
            reason: "`response_metadata.next_cursor` holds a cursor", requests: 3
        ) { question in
            let page = question.query["cursor"].flatMap { Int($0.dropFirst(4)) } ?? 1
            let next = page < 3 ? "dXNl\(page + 1)" : ""
            return .text(
                #"{"ok":true,"members":\#(Things.page(page, of: 25)),"response_metadata":{"next_cursor":"\#(next)"}}"#)
        },
        ProbedSource(
            name: "nextPageToken, as of Google", records: 25, place: "$.items[*]", paginator: "cursor",
            certainty: "certain", yaml: "{type: cursor, cursor_path: nextPageToken, cursor_param: pageToken}"
        ) { question in
            let page = question.query["pageToken"].flatMap { Int($0.dropFirst()) } ?? 1
            let next = page < 3 ? #""nextPageToken":"t\#(page + 1)","# : ""
            return .text(#"{\#(next)"items":\#(Things.page(page, of: 25))}"#)
        },
        ProbedSource(
            name: "pageToken beside the records", records: 25, place: "$.items[*]", paginator: "cursor",
            certainty: "certain", yaml: "{type: cursor, cursor_path: pageToken, cursor_param: pageToken}"
        ) { question in
            let page = question.query["pageToken"].flatMap { Int($0.dropFirst()) } ?? 1
            let next = page < 3 ? #""pageToken":"t\#(page + 1)","# : ""
            return .text(#"{\#(next)"items":\#(Things.page(page, of: 25))}"#)
        },
        ProbedSource(
            name: "a cursor whose parameter is found by trying", records: 25, place: "$.data[*]",
            paginator: "cursor", certainty: "certain",
            yaml:
                "{type: cursor, cursor_path: paging.next_cursor, cursor_param: after, has_more_path: paging.has_more}"
        ) { question in
            let page = question.query["after"].flatMap { Int($0.dropFirst()) } ?? 1
            return .text(
                #"{"paging":{"next_cursor":"c\#(page + 1)","has_more":\#(page < 3)},"data":\#(Things.page(page, of: 25))}"#
            )
        },
    ]
}
