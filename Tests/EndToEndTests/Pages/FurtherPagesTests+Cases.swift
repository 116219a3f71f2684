/// Pages that speak of others, and pages that do not.
extension FurtherPagesTests {
    /// What records refer to, beside them.
    private static let users =
        #""users":{"#
        + (1...90).map { #""u\#($0)":{"name":"n","mail":"m","city":"c","role":"r","team":"t"}"# }.joined(
            separator: ",") + "}"

    static let signs = [
        Case(
            name: "a flag behind a large map", beside: users + #","has_more":true"#, says: "says `has_more: true`",
            remedy:
                "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: starting_after, has_more_path: has_more}"
        ),
        Case(
            name: "a total behind a large map", beside: users + #","meta":{"total":9}"#,
            says: "there are 9 records (`meta.total`)"),
        Case(
            name: "a link behind a large map", beside: users + #","links":{"next":"/books?page=2"}"#,
            says: "`links.next`"),
        Case(
            name: "an offset of MediaWiki that is a number", beside: #""continue":{"sroffset":10,"continue":"-||"}"#,
            says: "`continue.sroffset`"),
        Case(
            name: "a flag of ArcGIS beside features", beside: #""properties":{"exceededTransferLimit":true}"#,
            says: "says `properties.exceededTransferLimit: true`"),
        Case(
            name: "a list of next pages", beside: #""queries":{"nextPage":[{"startIndex":3}]}"#,
            says: "next page"),
        Case(
            name: "a search that is not complete", beside: #""incompleteSearch":true"#,
            says: "says `incompleteSearch: true`"),
        Case(
            name: "a flag of Dataverse", beside: #""@Microsoft.Dynamics.CRM.morerecords":true"#,
            says: "morerecords: true`"),
        Case(
            name: "results that are more", beside: #""have_more_results":true"#, says: "says `have_more_results: true`"),
        Case(name: "a result that was cut", beside: #""resultTruncated":"true""#, says: "says `resultTruncated: true`"),
        Case(name: "a token to skip with", beside: #""$skipToken":"abc""#, says: "at `$skipToken`"),
        Case(
            name: "a total of the list by its name", beside: #""total_data":9"#,
            says: "there are 9 records (`total_data`)"),
        Case(name: "what was found", beside: #""found":9"#, says: "there are 9 records (`found`)"),
        Case(name: "a count of hits", beside: #""hitCount":9"#, says: "there are 9 records (`hitCount`)"),
        Case(name: "how many match", beside: #""numberMatched":9"#, says: "there are 9 records (`numberMatched`)"),
        Case(
            name: "a link to the next page by another word",
            beside: #""links":[{"rel":"next-page","href":"/books?page=2"}]"#, says: "next"),
        Case(name: "a number of the next page", beside: #""nextPageNumber":2"#, says: "`nextPageNumber`"),
        Case(name: "an index that is next", beside: #""nextStartIndex":3"#, says: "`nextStartIndex`"),
        Case(name: "not complete", beside: #""complete":false"#, says: "says `complete: false`"),
        Case(
            name: "a long token", beside: #""nextPageToken":"\#(String(repeating: "t", count: 9000))""#,
            says: "has what asks for a next page at `nextPageToken`",
            remedy: "{type: cursor, cursor_path: nextPageToken, cursor_param: pageToken}"),
        Case(
            name: "a Link header", headers: [("Link", #"</books?page=2>; rel="next""#)],
            says: "names a next page in its Link header", remedy: "{type: header_link}"),
        Case(
            name: "a Link header beside an array", stream: "headers: {X: y}",
            headers: [("Link", #"</books?page=2>; rel="next", </books?page=9>; rel="last""#)], page: "[RECORDS]",
            says: "Link header", remedy: "{type: header_link}"),
        Case(
            name: "a flag", beside: #""has_more":true"#, says: "says `has_more: true`",
            remedy:
                "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: starting_after, has_more_path: has_more}"
        ),
        Case(
            name: "a flag on a page without records",
            stream:
                "records: $.data[*]; paginator: {type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: after, has_more_path: has_more}",
            page: #"{"data":[],"has_more":true}"#, says: "says `has_more: true`", remedy: "Check `paginator`"),
        Case(
            name: "a connection of GraphQL, deep down", stream: "records: $.data.repository.issues.nodes[*]",
            page:
                #"{"data":{"repository":{"issues":{"nodes":[RECORDS],"pageInfo":{"hasNextPage":true,"endCursor":"c"}}}}}"#,
            says: "says `data.repository.issues.pageInfo.hasNextPage: true`",
            remedy:
                "{type: cursor, cursor_path: data.repository.issues.pageInfo.endCursor, cursor_param: after, has_more_path: data.repository.issues.pageInfo.hasNextPage}"
        ),
        Case(
            name: "a token beside a flag that is true at the end", beside: #""nextPageToken":"t","isLast":false"#,
            says: "has what asks for a next page at `nextPageToken`",
            remedy: "{type: cursor, cursor_path: nextPageToken, cursor_param: pageToken}"),
        Case(
            name: "a total of Hydra", beside: #""hydra:totalItems":9"#, says: "there are 9 records (`hydra:totalItems`)"
        ),
        Case(
            name: "a link of Hydra", beside: #""hydra:view":{"hydra:next":"/books?page=2"}"#,
            says: "`hydra:view.hydra:next`"),
        Case(
            name: "as many records as the page says that pages have", beside: #""startAt":0,"maxResults":2"#,
            says: "has exactly the 2 records of its `maxResults`", remedy: "{type: offset, offset_param: startAt}"),
        Case(
            name: "the same without a place", beside: #""meta":{"per_page":2}"#,
            says: "has exactly the 2 records of its `meta.per_page`", remedy: "{type: page_number}"),
        Case(name: "a total with a point", beside: #""total":9.0"#, says: "there are 9 records"),
        Case(name: "a total of OpenSearch", beside: #""opensearch:totalResults":"9""#, says: "there are 9 records"),
        Case(name: "an export of Zendesk", beside: #""end_of_stream":false"#, says: "`end_of_stream: false`"),
        Case(
            name: "a flag below other data",
            beside: #""additional_data":{"pagination":{"more_items_in_collection":true}}"#,
            says: "more_items_in_collection: true"),
        Case(name: "more items", beside: #""moreItems":true"#, says: "`moreItems: true`"),
        Case(
            name: "what is left", beside: #""metadata":{"remainingItemCount":7}"#,
            says: "`metadata.remainingItemCount: 7`"),
        Case(name: "a flag in camel case", beside: #""meta":{"hasNextPage":true}"#, says: "`meta.hasNextPage: true`"),
        Case(name: "a flag that is no", beside: #""isLast":false"#, says: "says `isLast: false`"),
        Case(name: "a flag that is a text", beside: #""has_next":"true""#, says: "`has_next: true`"),
        Case(name: "a flag of ArcGIS", beside: #""exceededTransferLimit":true"#, says: "`exceededTransferLimit: true`"),
        Case(
            name: "a flag of a list", beside: #""pagination":{"more_items_in_collection":true}"#,
            says: "`pagination.more_items_in_collection: true`"),
        Case(name: "a count of OData", beside: #""@odata.count":3"#, says: "@odata.count"),
        Case(name: "results that are incomplete", beside: #""incomplete_results":true"#, says: "incomplete_results"),
        Case(
            name: "OData", stream: "records: $.value[*]",
            page: #"{"@odata.context":"x","value":[RECORDS],"@odata.nextLink":"https://example.com/b?$skip=2"}"#,
            says: "has the URL of a next page at `@odata.nextLink`",
            remedy: "{type: json_link, path: "),
        Case(
            name: "OData of old", stream: "records: $.d.results[*]",
            page: #"{"d":{"results":[RECORDS],"__next":"https://example.com/b?$skiptoken=2"}}"#, says: "`d.__next`",
            remedy: "{type: json_link, path: d.__next}"),
        Case(
            name: "a URL", beside: #""next":"/books?page=2","previous":null"#, says: "at `next`",
            remedy: "{type: json_link, path: next}"),
        Case(
            name: "a number", beside: #""next_page":2"#, says: "has what asks for a next page at `next_page`",
            remedy: "{type: cursor, cursor_path: next_page, cursor_param: page}"),
        Case(
            name: "a token", beside: #""nextPageToken":"CAUQAA""#, says: "at `nextPageToken`",
            remedy: "{type: cursor, cursor_path: nextPageToken, cursor_param: pageToken}"),
        Case(
            name: "DynamoDB", stream: "records: $.Items[*]",
            page: #"{"Items":[RECORDS],"Count":2,"LastEvaluatedKey":{"id":{"N":"2"}}}"#,
            says: "has what asks for a next page at `LastEvaluatedKey`"),
        Case(
            name: "DynamoDB behind a gateway", stream: "records: $.items[*]",
            page: #"{"items":[RECORDS],"lastEvaluatedKey":"eyJpZCI6Mn0="}"#, says: "`lastEvaluatedKey`",
            remedy: "{type: cursor, cursor_path: lastEvaluatedKey, cursor_param: exclusiveStartKey}"),
        Case(
            name: "a token that is an object", beside: #""nextToken":{"shard":3,"after":"x"}"#, says: "at `nextToken`"),
        Case(
            name: "paging.next", beside: #""paging":{"next":{"after":"NTI1","link":"https://example.com/?after=1"}}"#,
            says: "at `paging.next.link`", remedy: "{type: json_link, path: paging.next.link}"),
        Case(
            name: "links.next", beside: #""links":{"self":"/books","next":"/books?page=2"}"#, says: "`links.next`",
            remedy: "{type: json_link, path: links.next}"),
        Case(
            name: "HAL", stream: "records: $._embedded.books[*]",
            page: #"{"_embedded":{"books":[RECORDS]},"_links":{"next":{"href":"/books?page=2"}}}"#,
            says: "`_links.next.href`", remedy: "{type: json_link, path: _links.next.href}"),
        Case(
            name: "a cursor of Slack", beside: #""response_metadata":{"next_cursor":"dXNlcg=="}"#,
            says: "`response_metadata.next_cursor`",
            remedy: "{type: cursor, cursor_path: response_metadata.next_cursor, cursor_param: cursor}"),
        Case(
            name: "GraphQL", stream: "records: $.data.books.edges[*].node",
            page:
                #"{"data":{"books":{"edges":[{"cursor":"x","node":RECORD1},{"node":RECORD2}],"pageInfo":{"hasNextPage":true,"endCursor":"y"}}}}"#,
            says: "`data.books.pageInfo.hasNextPage: true`"),
        Case(
            name: "a list of links", stream: "records: $.entry[*]",
            page: #"{"link":[{"relation":"self","url":"/b"},{"relation":"next","url":"/b?page=2"}],"entry":[RECORDS]}"#,
            says: "has a link to a next page in a list of links"),
        Case(
            name: "a total", beside: #""total":250"#,
            says: "says that there are 250 records (`total`), and 2 were read",
            remedy: "{type: offset, total_path: total}"),
        Case(
            name: "a total in the page's data", beside: #""meta":{"pagination":{"total_count":3}}"#,
            says: "3 records (`meta.pagination.total_count`)", remedy: "total_path: meta.pagination.total_count"),
        Case(
            name: "a total of Elasticsearch", stream: "records: $.hits.hits[*]",
            page: #"{"hits":{"total":{"value":40,"relation":"eq"},"hits":[RECORDS]}}"#, says: "40 records"),
        Case(
            name: "pages", beside: #""page":1,"total_pages":5"#, says: "says that there are 5 pages (`total_pages`)",
            remedy: "{type: page_number, total_pages_path: total_pages}"),
        Case(
            name: "headers of GitLab", stream: "headers: {X: y}", headers: [("X-Next-Page", "2"), ("X-Total", "20")],
            page: "[RECORDS]", says: "names a next page in its header X-Next-Page",
            remedy: "{type: cursor, cursor_from: header, cursor_path: X-Next-Page, cursor_param: page}"),
        Case(
            name: "a range of a total, as of PostgREST", stream: "headers: {X: y}",
            headers: [("Content-Range", "0-1/40")], page: "[RECORDS]", says: "40 records (`Content-Range`)",
            remedy: "{type: page_number}"),
        Case(
            name: "a total beside lines", stream: "format: jsonl", headers: [("X-Total-Count", "4")],
            page: "RECORD1\nRECORD2", says: "4 records (`X-Total-Count`)"),
        Case(
            name: "headers of WordPress", stream: "headers: {X: y}", headers: [("X-WP-Total", "20")],
            page: "[RECORDS]", says: "20 records (`X-WP-Total`)", remedy: "{type: page_number}"),
        Case(
            name: "a continuation of Azure", headers: [("x-ms-continuationtoken", "abc")],
            says: "x-ms-continuationtoken"),
        Case(
            name: "a page as long as was asked for", stream: "records: $.data[*]; params: {per_page: 2}",
            says: "has exactly the 2 records that `per_page` asks for", remedy: "{type: page_number}"),
        Case(
            name: "what stands beside the records in a page that is an array", stream: "records: \"$[1][*]\"",
            page: #"[{"page":1,"pages":2},[RECORDS]]"#, says: "[0].pages"),
        Case(
            name: "a cursor beside the records in a page that is an array", stream: "records: \"$[0][*]\"",
            page: #"[[RECORDS],{"nextPageToken":"t"}]"#, says: "has what asks for a next page at `[1].nextPageToken`",
            remedy: "{type: cursor, cursor_path: \"[1].nextPageToken\", cursor_param: pageToken}"),
        Case(
            name: "what stands beside the records in an element", stream: "records: \"$[0].items[*]\"",
            page: #"[{"has_more":true,"items":[RECORDS]}]"#, says: "says `[0].has_more: true`"),
        Case(
            name: "what stands beside the records in an element of a list",
            stream: "records: \"$.results[0].items[*]\"",
            page: #"{"results":[{"total":9,"items":[RECORDS]}]}"#, says: "there are 9 records (`results[0].total`)"),
        Case(
            name: "a cursor beside records that stand deeper", stream: "records: $.result.list[*]",
            page: #"{"result":{"list":[RECORDS],"cursor":"abc"}}"#,
            says: "has what asks for a next page at `result.cursor`",
            remedy: "{type: cursor, cursor_path: result.cursor, cursor_param: cursor}"),
        Case(
            name: "a cursor of Square", beside: #""cursor":"abc""#, says: "has what asks for a next page at `cursor`",
            remedy: "{type: cursor, cursor_path: cursor, cursor_param: cursor}"),
        Case(
            name: "a key of a continuation", beside: #""continuation_key":"abc""#,
            says: "has what asks for a next page at `continuation_key`"),
        Case(
            name: "a token of pages", beside: #""pageToken":"abc""#, says: "at `pageToken`",
            remedy: "{type: cursor, cursor_path: pageToken, cursor_param: pageToken}"),
        Case(name: "a marker", beside: #""Marker":"abc""#, says: "at `Marker`", remedy: "cursor_param: marker}"),
        Case(
            name: "the cursor of the end, beside the records", beside: #""endCursor":"abc""#, says: "at `endCursor`",
            remedy: "{type: cursor, cursor_path: endCursor, cursor_param: after}"),
        Case(
            name: "a total beside the records that a program takes", stream: "records: {jq: \".a.b[]\"}",
            page: #"{"a":{"total":9,"b":[RECORDS]}}"#, says: "there are 9 records (`a.total`)"),
        Case(
            name: "a total beside the records that a program picks",
            stream: "records: {jq: \".a.b | map(select(.id > 0)) | .[]\"}",
            page: #"{"a":{"total":9,"b":[RECORDS]}}"#, says: "there are 9 records (`a.total`)"),
        Case(
            name: "a total in an object that is named after something", beside: #""foo_info":{"total":10}"#,
            says: "there are 10 records (`foo_info.total`)", remedy: "{type: offset, total_path: foo_info.total}"),
        Case(
            name: "a total in a header, beside what leads to the records",
            stream: "records: $.response.result.items.item[*]",
            page: #"{"response":{"header":{"code":"00","total":10},"result":{"items":{"item":[RECORDS]}}}}"#,
            says: "there are 10 records (`response.header.total`)"),
        Case(
            name: "the same, taken by a program", stream: "records: {jq: \".response.result.items.item[]\"}",
            page: #"{"response":{"header":{"total":10},"result":{"items":{"item":[RECORDS]}}}}"#,
            says: "there are 10 records (`response.header.total`)"),
        Case(
            name: "a total beside the list that a program takes", stream: "records: {jq: \".body.data[]\"}",
            page: #"{"body":{"meta":{"total":10},"data":[RECORDS]}}"#, says: "10 records (`body.meta.total`)"),
        Case(
            name: "a page and how many there are, in an object of any name",
            beside: #""foo":{"page":1,"total_pages":3,"name":"x"}"#, says: "there are 3 pages (`foo.total_pages`)"),
        Case(
            name: "the same, further within", beside: #""foo":{"bar":{"offset":0,"total":10}}"#,
            says: "there are 10 records (`foo.bar.total`)"),
        Case(
            name: "a place and a limit, in an object of any name", beside: #""foo":{"offset":0,"limit":2}"#,
            says: "has exactly the 2 records of its `foo.limit`", remedy: "{type: offset"),
        Case(
            name: "the size of a page", beside: #""page":{"number":0,"size":2}"#,
            says: "has exactly the 2 records of its `page.size`"),
        Case(
            name: "as long as a preference asks for",
            stream: "records: $.data[*]; headers: {Prefer: 'return=minimal, odata.maxpagesize=2'}",
            says: "has exactly the 2 records that `Prefer` asks for"),
        Case(
            name: "as long as a range asks for", stream: "records: $.data[*]; headers: {Range: items=0-1}",
            says: "has exactly the 2 records that `Range` asks for"),
        Case(
            name: "as many records as a header says that pages have", stream: "headers: {X: y}",
            headers: [("X-Per-Page", "2")], page: "[RECORDS]",
            says: "has exactly the 2 records of its header X-Per-Page",
            remedy: "{type: page_number}"),
        Case(
            name: "as long as a parameter in one word asks for", stream: "records: $.data[*]; params: {pagelen: 2}",
            says: "has exactly the 2 records that `pagelen` asks for"),
        Case(name: "rpp", stream: "records: $.data[*]; params: {rpp: 2}", says: "that `rpp` asks for"),
        Case(name: "retmax", stream: "records: $.data[*]; params: {retmax: 2}", says: "that `retmax` asks for"),
        Case(name: "length", stream: "records: $.data[*]; params: {length: 2}", says: "that `length` asks for"),
        Case(
            name: "max_items", stream: "records: $.data[*]; params: {max_items: 2}",
            says: "that `max_items` asks for"),
        Case(
            name: "max_items of the page", beside: #""max_items":2"#,
            says: "has exactly the 2 records of its `max_items`"),
        Case(
            name: "as long as the path asks for", stream: "path: \"/books?limit=2\"", page: "[RECORDS]",
            says: "that `limit` asks for"),
        Case(
            name: "as long as a body asks for",
            stream: "method: POST; body: {json: {variables: {first: 2}}}; records: $.data[*]",
            says: "that `first` asks for"),
        Case(
            name: "a full page that says how many there are here", stream: "records: $.data[*]; params: {limit: 2}",
            beside: #""count":2"#, says: "that `limit` asks for"),
        Case(name: "a flag in a header", headers: [("X-Has-More", "true")], says: "in its header X-Has-More"),
        Case(name: "a URL in a header", headers: [("Next-Page", "https://example.com/b?page=2")], says: "Next-Page"),
        Case(
            name: "a header that is an object",
            headers: [("X-Pagination", #"{"TotalCount":6,"TotalPages":2,"HasNext":true}"#)], says: "X-Pagination"),
        Case(
            name: "a listing", stream: "records: $.data.children[*]",
            page: #"{"data":{"children":[RECORDS],"after":"t3_x"}}"#, says: "`data.after`"),
        Case(
            name: "a token in a header that is an object", headers: [("Pagination", #"{"nextPageToken":"x"}"#)],
            says: "names a next page in its header Pagination"),
        Case(name: "parameters", beside: #""next_page_params":{"id":3}"#, says: "`next_page_params`"),
        Case(name: "a flag that is a number", beside: #""has_more":1"#, says: "`has_more: true`"),
        Case(name: "items per page", stream: "records: $.data[*]; params: {itemsPerPage: 2}", says: "`itemsPerPage`"),
        Case(name: "max-keys", stream: "records: $.data[*]; params: {max-keys: 2}", says: "`max-keys`"),
        Case(name: "num", stream: "records: $.data[*]; params: {num: 2}", says: "`num`"),
        Case(name: "max", stream: "records: $.data[*]; params: {max: 2}", says: "`max`"),
        Case(name: "MaxKeys", stream: "records: $.data[*]; params: {MaxKeys: 2}", says: "`MaxKeys`"),
        Case(name: "n", stream: "records: $.data[*]; params: {n: 2}", says: "`n`"),
        Case(name: "results", stream: "records: $.data[*]; params: {results: 2}", says: "`results`"),
        Case(
            name: "an argument of GraphQL",
            stream: "method: POST; body: {json: {query: \"{ data(first: 2) { id title } }\"}}; records: $.data[*]",
            says: "that `first` asks for"),
        Case(
            name: "a member of a filter", stream: "records: $.data[*]; params: {filter: '{\"limit\": 2}'}",
            says: "that `limit` asks for"),
        Case(
            name: "a flag in a header that is a number", headers: [("X-Has-More", "1")],
            says: "in its header X-Has-More"),
        Case(
            name: "members of an object", stream: "records: $.data; entries: id",
            page: #"{"data":{"1":{"title":"t"},"2":{"title":"t"}},"total":6,"of":RECORD1}"#, says: "6 records"),
        Case(
            name: "a total of a list that is filtered", stream: "records: '$.data[?@.id < 9]'", beside: #""total":6"#,
            says: "6 records"),
        Case(
            name: "a program", stream: "records: {jq: '.data[]'}", beside: #""paging":{"next":"/books?page=2"}"#,
            says: "`paging.next`"),
        Case(
            name: "a total beyond what a program picks from", stream: "records: {jq: '.data[] | select(.id > 0)'}",
            beside: #""total":9"#, says: "9 records (`total`), and 2 were read"),
        Case(
            name: "a total beyond what descendants list", stream: "records: '$..data[*]'", beside: #""total":9"#,
            says: "9 records (`total`), and 2 were read"),
        Case(
            name: "a total beyond all values with an identifier", stream: "records: '$..[?@.id]'",
            beside: #""meta":{"total":9}"#, says: "9 records (`meta.total`), and 2 were read"),
        Case(
            name: "a total beyond several lists", stream: "records: '$.data[*].list[*]'",
            page: #"{"data":[{"list":[RECORD1]},{"list":[{"id":2,"title":"t"}]}],"total":9}"#,
            says: "9 records (`total`), and 2 were read"),
        Case(
            name: "a list within another one says more", stream: "records: '$.data[*].list[*]'",
            page: #"{"data":[{"list":[]},{"list":[RECORDS],"has_more":true}]}"#,
            says: "has a list of records (`list`) that says `has_more: true`"),
        Case(
            name: "a list deep down has a link", stream: "records: '$..list[*]'",
            page: #"{"data":[{"list":[RECORDS],"next":"/books?page=2"}]}"#,
            says: "has a list of records (`list`) that has the URL of its rest at `next`"),
        Case(
            name: "a connection within another list", stream: "records: '$.data[*].issues.nodes[*]'",
            page: #"{"data":[{"issues":{"nodes":[RECORDS],"pageInfo":{"hasNextPage":true,"endCursor":"x"}}}]}"#,
            says: "`issues.pageInfo.hasNextPage: true`"),
        Case(
            name: "OData within another list", stream: "records: '$.value[*].Orders[*]'",
            page: #"{"value":[{"Orders":[RECORDS],"Orders@odata.nextLink":"https://example.com/next"}]}"#,
            says: "`Orders@odata.nextLink`"),
        Case(
            name: "a total of a list within another one", stream: "records: '$.data[*].list[*]'",
            page: #"{"data":[{"total_count":3,"list":[RECORDS]},{"total_count":0,"list":[]}]}"#,
            says: "says that there are 3 of them (`total_count`), and 2 are there"),
        Case(
            name: "a path with a filter", stream: "records: '$.data[?@.id > 0]'", beside: #""has_more":true"#,
            says: "has_more"),
    ]

    /// What a paginator takes for the end, and something that it does not read says otherwise.
    static let unseen = [
        Case(
            name: "links are followed, and a flag says more",
            stream: "records: $.data[*]; paginator: {type: header_link}",
            beside: #""has_more":true"#, says: "and `paginator` found no way to them"),
        Case(
            name: "another link is followed",
            stream: "records: $.data[*]; paginator: {type: json_link, path: meta.next}",
            beside: #""meta":{"next":null},"links":{"next":"/books?page=2"}"#, says: "`links.next`",
            remedy: "Let it be `paginator: {type: json_link, path: links.next}`"),
        Case(
            name: "a cursor is missing where its flag says more",
            stream:
                "records: $.data[*]; paginator: {type: cursor, cursor_path: cursor, cursor_param: c, has_more_path: more}",
            beside: #""more":true"#, says: "says `more: true`"),
        Case(
            name: "a total beyond the last page that a link leads to",
            stream: "records: $.data[*]; paginator: {type: header_link}", beside: #""total":3"#,
            says: "3 records (`total`), and 2 were read", remedy: "Check `paginator`"),
        Case(
            name: "the link's path leads to an object",
            stream: "records: $.data[*]; paginator: {type: json_link, path: _links.next}",
            beside: #""_links":{"next":{"href":"/books?page=2"}}"#, says: "`_links.next.href`"),
    ]

    /// Pages that say that they are the last, or that speak of other things.
    static let ends = [
        Case(name: "nothing is said"),
        Case(name: "fewer records than pages have", beside: #""startAt":0,"maxResults":50"#),
        Case(name: "a full page and a total", beside: #""limit":2,"total":2"#),
        Case(name: "a flag that says no", beside: #""has_more":false,"next_cursor":"stays""#),
        Case(name: "no next", beside: #""next":null,"previous":"/books?page=1","total":2"#),
        Case(name: "an empty token", beside: #""response_metadata":{"next_cursor":""}"#),
        Case(name: "an empty key", beside: #""LastEvaluatedKey":{},"nextToken":{"shard":null,"at":{}}"#),
        Case(name: "a cursor of 0", beside: #""next_cursor":0,"next_cursor_str":"0""#),
        Case(name: "the last page", beside: #""page":1,"pages":1,"isLast":true"#),
        Case(name: "as many as there are", stream: "records: $.data[*]; params: {limit: 2}", beside: #""total":2"#),
        Case(name: "fewer than were asked for", stream: "records: $.data[*]; params: {limit: 3}"),
        Case(
            name: "as many as were asked for, with a link to the first page",
            stream: "records: $.data[*]; params: {per_page: 2}",
            headers: [("Link", #"</books>; rel="first", </books>; rel="last""#)]),
        Case(name: "counts of other things", beside: #""facets":{"red":{"count":500}},"user":{"total":9,"next":"x"}"#),
        Case(
            name: "counts of other things that look like pages",
            beside:
                #""followers":{"href":null,"total":500},"quota":{"limit":500,"total":90},"book":{"pages":300},"readers":{"page":1,"total_pages":9,"items":[{"id":7}]}"#
        ),
        Case(name: "a full page, of one", beside: #""per_page":2,"total_pages":1"#),
        Case(name: "a size that is no page's", beside: #""meta":{"size":2},"file":{"size":2}"#),
        Case(
            name: "fewer than headers ask for",
            stream: "records: $.data[*]; headers: {Prefer: odata.maxpagesize=3, Range: items=0-4}"),
        Case(name: "times", beside: #""next_update":"2030-01-01T00:00:00Z","next_run_id":7,"retry":{"next":"soon"}"#),
        Case(name: "a sync token", beside: #""nextSyncToken":"abc","@odata.deltaLink":"https://example.com/delta""#),
        Case(name: "a bookmark, which CouchDB always sends", beside: #""bookmark":"g1A""#),
        Case(
            name: "other cursors that are always there",
            beside: #""_scroll_id":"x","pageInfo":{"endCursor":"x"},"cursors":{"after":"x"},"position":"x""#),
        Case(
            name: "a marker that the request has", stream: "records: $.data[*]; params: {marker: x}",
            beside: #""Marker":"x","pageToken":null"#),
        Case(
            name: "what the request says, repeated", stream: "records: $.data[*]; params: {after: x}",
            beside: #""after":"x""#),
        Case(
            name: "as many as were asked for, and a header says no", stream: "records: $.data[*]; params: {limit: 2}",
            headers: [("X-Has-More", "false")]),
        Case(
            name: "as many as were asked for, and a header says how many there are",
            stream: "records: $.data[*]; params: {limit: 2}",
            headers: [("X-Pagination", #"{"TotalCount":2,"TotalPages":1,"HasNext":false,"PageSize":2}"#)]),
        Case(
            name: "a filter that takes some of a total", stream: "records: '$.data[?@.id > 0]'",
            page: #"{"data":[RECORDS,{"id":0},{"id":-1}],"total":4}"#),
        Case(name: "a link about another document", headers: [("Link", #"</c>; rel="next"; anchor="/other""#)]),
        Case(
            name: "records that say so of themselves", stream: "records: $.data[*]",
            page: #"{"data":[RECORD1,{"id":2,"title":"t","has_more":true,"next":"/x","total":9}]}"#),
        Case(
            name: "a program that takes some of a total", stream: "records: {jq: '.data[] | select(.id > 0)'}",
            page: #"{"data":[RECORDS,{"id":0},{"id":-1}],"total":4}"#),
        Case(
            name: "a program that takes all of a total from several lists", stream: "records: {jq: '.data[][]'}",
            page: #"{"data":[[RECORD1],[{"id":2,"title":"t"}]],"total":2}"#),
        Case(
            name: "a total of several lists", stream: "records: '$.data[*].list[*]'",
            page: #"{"data":[{"list":[RECORD1]},{"list":[{"id":2,"title":"t"}]}],"total":2}"#),
        Case(
            name: "a total of the lists, of which some are empty", stream: "records: '$.data[*].list[*]'",
            page: #"{"data":[{"list":[RECORDS]},{"list":[]},{"list":[]}],"total":3}"#),
        Case(
            name: "records within lists that speak of their own lists, and a sum",
            stream: "records: '$.data[*].list[*]'",
            page:
                #"{"data":[{"total":99,"list":[RECORD1,{"id":2,"title":"t","notes":{"items":[],"has_more":true}}]}]}"#),
        Case(name: "a total of descendants", stream: "records: '$..data[*]'", beside: #""total":2"#),
        Case(name: "a list of errors that is empty", beside: #""errors":[]"#),
    ]
}
