import SluiceDiscovery
import Testing

/// Which fields are taken for the identifier.
@Suite struct KeyCandidatesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var table: String?
        let certain: [String]?
        var suggested: [[String]] = []
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "id", text: #"[{"name": "a", "id": 1}, {"name": "b", "id": 2}]"#, certain: ["id"]),
        Case(
            name: "id before other keys", text: #"[{"uuid": "a", "id": 1, "node_id": "x"}]"#, certain: ["id"]),
        Case(name: "code", text: #"[{"code": "a", "n": 1}, {"code": "b", "n": 1}]"#, certain: ["code"]),
        Case(
            name: "no before what happens to be unique",
            text: #"[{"no": "T-01", "seat": 1, "holder": "A"}, {"no": "T-02", "seat": 2, "holder": "B"}]"#,
            certain: ["no"]),
        Case(
            name: "an address of mail before a name",
            text: #"[{"name": "A", "email": "a@x.org"}, {"name": "B", "email": "b@x.org"}]"#, certain: nil,
            suggested: [["email"], ["name"]]),
        Case(
            name: "eMail before other texts, behind the id of something else",
            text:
                #"[{"tag": "A", "eMail": "a@x.org", "team_id": 1}, {"tag": "B", "eMail": "b@x.org", "team_id": 2}]"#,
            certain: nil, suggested: [["team_id"], ["e_mail"], ["tag"]]),
        Case(
            name: "what is called email and is none",
            text: #"[{"name": "A", "email": "a at x"}, {"name": "B", "email": "b@x"}]"#, certain: nil,
            suggested: [["name"], ["email"]]),
        Case(
            name: "an address that comes twice",
            text: #"[{"name": "A", "email": "a@x.org"}, {"name": "B", "email": "a@x.org"}]"#, certain: nil,
            suggested: [["name"]]),
        Case(
            name: "two of a rank", text: #"[{"code": "a", "slug": "x"}, {"code": "b", "slug": "y"}]"#, certain: nil,
            suggested: [["code"], ["slug"]]),
        Case(
            name: "the id of something else by its name",
            text: #"[{"customer_id": 1, "total": 5}, {"customer_id": 2, "total": 5}]"#, table: "orders", certain: nil,
            suggested: [["customer_id"]]),
        Case(
            name: "the same where the table is called so",
            text: #"[{"customer_id": 1, "total": 5}, {"customer_id": 2, "total": 5}]"#, table: "customers",
            certain: ["customer_id"]),
        Case(
            name: "accountid of accounts, as of Dynamics",
            text:
                #"[{"name": "A", "accountid": "x", "_ownerid_value": "p"}, {"name": "B", "accountid": "y", "_ownerid_value": "q"}]"#,
            table: "accounts", certain: ["accountid"]),
        Case(
            name: "accountid of accounts that comes twice: a name is no way out",
            text:
                #"[{"name": "A", "accountid": "x"}, {"name": "B", "accountid": "x"}, {"name": "C", "accountid": "y"}]"#,
            table: "accounts", certain: nil, suggested: [["name"]]),
        Case(
            name: "accountid of whatever",
            text: #"[{"name": "A", "accountid": "x"}, {"name": "B", "accountid": "y"}]"#, certain: nil,
            suggested: [["accountid"], ["name"]]),
        Case(
            name: "sys.id, as of Contentful",
            text:
                #"[{"sys": {"id": "x", "space": {"sys": {"id": "s"}}}, "fields": {"name": "A"}}, {"sys": {"id": "y", "space": {"sys": {"id": "s"}}}, "fields": {"name": "B"}}]"#,
            certain: ["sys_id"]),
        Case(
            name: "gid, as of Asana",
            text:
                #"[{"gid": "1", "name": "A", "owner": {"gid": "7"}}, {"gid": "2", "name": "B", "owner": {"gid": "8"}}]"#,
            certain: ["gid"]),
        Case(
            name: "orderNumber before names and ids of others",
            text:
                #"[{"name": "A", "customer_id": 1, "orderNumber": "x"}, {"name": "B", "customer_id": 2, "orderNumber": "y"}]"#,
            table: "orders", certain: ["order_number"]),
        Case(
            name: "orderNumber in a file of a year",
            text: #"[{"customer_id": 1, "orderNumber": "x"}, {"customer_id": 2, "orderNumber": "y"}]"#,
            table: "orders_2024", certain: ["order_number"]),
        Case(
            name: "orderNumber in an export",
            text: #"[{"customer_id": 1, "orderNumber": "x"}, {"customer_id": 2, "orderNumber": "y"}]"#,
            table: "order_export", certain: ["order_number"]),
        Case(
            name: "orderNumber of whatever",
            text:
                #"[{"name": "A", "customer_id": 1, "orderNumber": "x"}, {"name": "B", "customer_id": 2, "orderNumber": "y"}]"#,
            certain: nil, suggested: [["order_number"], ["customer_id"], ["name"]]),
        Case(
            name: "the number of a customer in payments",
            text: #"[{"customerNumber": 103, "amount": 5}, {"customerNumber": 104, "amount": 6}]"#, table: "payments",
            certain: nil, suggested: [["customer_number"]]),
        Case(
            name: "an id of its own before a number",
            text: #"[{"orderNumber": 1, "orderId": 7}, {"orderNumber": 2, "orderId": 8}]"#,
            table: "orders", certain: ["order_id"]),
        Case(
            name: "the order of an order item",
            text: #"[{"order_id": 1, "order_item_id": 7}, {"order_id": 2, "order_item_id": 8}]"#, table: "order_items",
            certain: ["order_item_id"]),
        Case(
            name: "node.id, as of GraphQL",
            text: #"[{"cursor": "a", "node": {"id": "x"}}, {"cursor": "b", "node": {"id": "y"}}]"#, certain: ["node_id"]
        ),
        Case(
            name: "its own id before that of what it holds",
            text: #"[{"id": 1, "data": {"id": 5}}, {"id": 2, "data": {"id": 6}}]"#, certain: ["id"]),
        Case(
            name: "a phone number is no number of the record",
            text: #"[{"phone_number": "1", "n": 5}, {"phone_number": "2", "n": 5}]"#, certain: nil,
            suggested: [["phone_number"]]),
        Case(
            name: "words that end in id",
            text: #"[{"paid": 1, "name": "A"}, {"paid": 2, "name": "B"}]"#, certain: nil, suggested: [["name"]]),
        Case(
            name: "accountid that comes twice, in a file of another name",
            text:
                #"[{"accountid": 1, "name": "A", "price": 1}, {"accountid": 1, "name": "B", "price": 2}, {"accountid": 2, "name": "C", "price": 3}]"#,
            table: "acd", certain: nil, suggested: [["name"]]),
        Case(
            name: "a ticket number that comes twice is no reason to take the name",
            text: #"[{"ticket_no": 1, "name": "A"}, {"ticket_no": 1, "name": "B"}]"#, certain: nil,
            suggested: [["name"]]),
        Case(
            name: "an id of something else that is not always there says nothing of the name",
            text: #"[{"parent_id": null, "name": "A"}, {"parent_id": 1, "name": "B"}, {"parent_id": 1, "name": "C"}]"#,
            certain: nil, suggested: [["name"]]),
        Case(
            name: "the id of what a record holds says nothing of the name",
            text: #"[{"region": {"id": 1}, "name": "A"}, {"region": {"id": 1}, "name": "B"}]"#, certain: nil,
            suggested: [["name"]]),
        Case(
            name: "amounts are no keys",
            text:
                #"[{"price": 1, "amount": 1.5, "total": "7,50", "unitPrice": 9, "rate": 12345678901234567.5}, {"price": 2, "amount": 2.5, "total": "8,50", "unitPrice": 8, "rate": 0.5}]"#,
            certain: nil),
        Case(
            name: "nor parts of one",
            text: #"[{"price": 1, "a": 1}, {"price": 2, "a": 1}, {"price": 2, "a": 2}]"#, certain: nil),
        Case(
            name: "but the number of a payment is",
            text: #"[{"payment_id": 1, "total": 5}, {"payment_id": 2, "total": 6}]"#, table: "payments",
            certain: ["payment_id"]),
        Case(name: "name", text: #"[{"name": "a"}, {"name": "b"}]"#, certain: nil, suggested: [["name"]]),
        Case(name: "the name of one record proves nothing", text: #"[{"name": "a"}]"#, certain: nil),
        Case(name: "the id of one record", text: #"{"id": 1, "name": "a"}"#, certain: ["id"]),
        Case(
            name: "an id that repeats", text: #"[{"id": 1, "n": "a"}, {"id": 1, "n": "b"}]"#, certain: nil,
            suggested: [["n"]]),
        Case(
            name: "an id that is missing once", text: #"[{"id": 1, "n": "a"}, {"n": "b"}]"#, certain: nil,
            suggested: [["n"]]),
        Case(
            name: "an id that is null once", text: #"[{"id": 1, "n": "a"}, {"id": null, "n": "b"}]"#, certain: nil,
            suggested: [["n"]]),
        Case(
            name: "the id of something else",
            text: #"[{"user": {"id": 1}, "n": "aa"}, {"user": {"id": 2}, "n": "bb"}]"#,
            certain: nil, suggested: [["user_id"], ["n"]]),
        Case(
            name: "what an object called _id holds",
            text: #"[{"_id": {"$oid": "a1"}, "code": 1}, {"_id": {"$oid": "b2"}, "code": 2}]"#, certain: ["_id_oid"]),
        Case(
            name: "two that an object called id holds",
            text: #"[{"id": {"isni": "a1", "orcid": 1}}, {"id": {"isni": "b2", "orcid": 2}}]"#, certain: nil,
            suggested: [["id_isni"], ["id_orcid"]]),
        Case(
            name: "an id that repeats beside a code that does not",
            text: #"[{"id": 1, "code": "a"}, {"id": 1, "code": "b"}]"#, certain: nil, suggested: [["code"]]),
        Case(name: "an id that is a list", text: #"[{"id": [1]}, {"id": [2]}]"#, certain: nil),
        Case(name: "an id that is a fraction", text: #"[{"id": 1.5}, {"id": 2.5}]"#, certain: nil),
        Case(name: "no key at all", text: #"[{"a": 1}, {"a": 1}]"#, certain: nil),
        Case(
            name: "short texts before long ones",
            text: #"[{"title": "a long title", "mark": "a1"}, {"title": "another title", "mark": "b2"}]"#, certain: nil,
            suggested: [["mark"], ["title"]]),
        Case(
            name: "two fields together",
            text: #"[{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 2, "b": 2}]"#, certain: nil,
            suggested: [["a", "b"]]),
        Case(
            name: "the members' names", text: #"{"x": {"id": 1, "n": 1}, "y": {"id": 2, "n": 1}}"#, certain: ["key"]),
    ])
    func areFound(_ test: Case) throws {
        let candidates = try inspect(test.text, table: test.table).keyCandidates
        #expect(candidates.certain?.fields == test.certain)
        if test.certain == nil {
            #expect(candidates.suggestions.map(\.fields) == test.suggested)
            #expect(!candidates.doubt.isEmpty)
        }
    }

    @Test(arguments: [
        (#"[{"id": 1}, {"id": null}, {}]"#, "`id` is empty in 2 of 3 records."),
        (#"[{"id": 1}, {"id": 1}]"#, "Several records have the same `id`."),
        (#"[{"_id": [1]}, {"_id": [2]}]"#, "`_id` is of type `json`, which is no sure identifier."),
        (#"[{"code": 1, "slug": 2}, {"code": 2, "slug": 3}]"#, "2 fields are equally likely to identify a record."),
        (
            #"[{"name": "a", "n": 5}, {"name": "b", "n": 5}]"#,
            "`name` is unique so far, but several records may have one name."
        ),
        (
            #"[{"email": "a@x.org", "n": 5}, {"email": "b@x.org", "n": 5}]"#,
            "`email` is unique so far, but records may share an address, and one that changes makes another record."
        ),
        (#"[{"a": 1}, {"a": 2}]"#, "No unique field looks like an identifier."),
        (
            #"[{"user_id": 1}, {"user_id": 2}]"#,
            "`user_id` looks like an identifier of something else than the records."
        ),
    ])
    func whatSpeaksAgainstTheFieldThatIsNamedLikeOneIsSaid(_ text: String, _ doubt: String) throws {
        #expect(try inspect(text).keyCandidates.doubt == doubt)
    }

    @Test func manyRecordsAreNotPromisedToDiffer() throws {
        let lines = (0..<10_050).map { "{\"id\": \($0)}" }.joined(separator: "\n")
        let reason = try inspect(lines, sample: nil).keyCandidates.certain?.reason
        #expect(reason == "present in all 10050 records, unique in the first 10000")
        #expect(
            try inspect(#"[{"id": 1}, {"id": 2}]"#).keyCandidates.certain?.reason
                == "present and unique in all 2 records")
    }

    @Test func whatSpeaksAgainstAKeyIsSaid() throws {
        let found = try inspect(#"[{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 3}]"#)
        #expect(found.sharing(of: ["b"]) == nil && found.gap(in: ["b"]) == nil)
        #expect(found.sharing(of: ["a", "b"]) == nil)
        let shared = "records share it with another one; a run would keep the last of these"
        #expect(found.doubts(about: ["a"]) == ["3 of 3 \(shared)"] && found.doubts(about: ["b"]).isEmpty)
        #expect(try #require(found.gap(in: ["c"])).contains("empty in 1 of 3"))
        let two = try inspect(#"[{"id": 1}, {"id": 2}, {"id": 2}]"#)
        #expect(two.sharing(of: ["id"]) == "2 of 3 \(shared)")
    }
}
