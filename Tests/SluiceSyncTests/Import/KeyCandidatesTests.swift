import SluiceSync
import Testing

/// Which fields are taken for the identifier.
@Suite struct KeyCandidatesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
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
            name: "two of a rank", text: #"[{"code": "a", "slug": "x"}, {"code": "b", "slug": "y"}]"#, certain: nil,
            suggested: [["code"], ["slug"]]),
        Case(
            name: "a name that ends in _id", text: #"[{"thomas_id": "a", "n": 1}, {"thomas_id": "b", "n": 1}]"#,
            certain: ["thomas_id"]),
        Case(name: "name", text: #"[{"name": "a"}, {"name": "b"}]"#, certain: ["name"]),
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
            text: #"[{"title": "a long title", "sku": "a1"}, {"title": "another title", "sku": "b2"}]"#, certain: nil,
            suggested: [["sku"], ["title"]]),
        Case(
            name: "two fields together",
            text: #"[{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 2, "b": 2}]"#, certain: nil,
            suggested: [["a", "b"]]),
        Case(
            name: "the members' names", text: #"{"x": {"id": 1, "n": 1}, "y": {"id": 2, "n": 1}}"#, certain: ["key"]),
    ])
    func areFound(_ test: Case) throws {
        let candidates = try inspect(test.text).keyCandidates
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
    ])
    func whatSpeaksAgainstTheFieldThatIsNamedLikeOneIsSaid(_ text: String, _ doubt: String) throws {
        #expect(try inspect(text).keyCandidates.doubt == doubt)
    }

    @Test func manyRecordsAreNotPromisedToDiffer() throws {
        let lines = (0..<10_050).map { "{\"id\": \($0)}" }.joined(separator: "\n")
        let reason = try inspect(lines, sample: nil).keyCandidates.certain?.reason
        #expect(reason == "there in all 10050 records, never null, never twice in the first 10000")
    }

    @Test func whatSpeaksAgainstAKeyIsSaid() throws {
        let found = try inspect(#"[{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 3}]"#)
        #expect(found.doubt(about: ["b"]) == nil)
        #expect(found.doubt(about: ["a", "b"]) == nil)
        #expect(try #require(found.doubt(about: ["a"])).contains("2 have a value of `a`"))
        #expect(try #require(found.doubt(about: ["c"])).contains("empty in 1 of 3"))
    }
}
