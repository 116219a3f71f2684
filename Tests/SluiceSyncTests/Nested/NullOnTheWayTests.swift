import SluiceDiagnostics
import SluicePipeline
import TestSupport
import Testing

/// A null in place of the object that has a list says that there is none; a key that is absent says nothing.
@Suite struct NullOnTheWayTests {
    private func contacts(isOrdered: Bool) throws -> Workshop {
        let shop = try Workshop()
        shop.name = "accounts"
        let list = isOrdered ? "ordered: true" : "key: [id]"
        let text = """
            version: 1
            name: accounts
            source: {base_url: "file:\(shop.directory.path)"}
            entities:
              Account:
                primary_key: [id]
                fields: {id: int, ids: {from: "contacts.records[*].id", type: json}}
                children: {contacts: {entity: Contact, from: "contacts.records[*]", \(list)}}
              Contact: {fields: {id: int}}
            streams: [{name: accounts, entity: Account, path: remote.json}]
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
        return shop
    }

    @Test(
        arguments: [
            (#"{"id":1,"contacts":{"records":[{"id":7}]}}"#, 1, "'[7]'"),
            (#"{"id":1,"contacts":{"records":[]}}"#, 0, "'[]'"),
            (#"{"id":1,"contacts":{"records":null}}"#, 0, "NULL"), (#"{"id":1,"contacts":null}"#, 0, "NULL"),
            (#"{"id":1,"contacts":{}}"#, 1, "'[7]'"), (#"{"id":1}"#, 1, "'[7]'"),
        ], [false, true])
    func aListWithin(source: (record: String, count: Int, ids: String), isOrdered: Bool) throws {
        let shop = try contacts(isOrdered: isOrdered)
        _ = try shop.syncPlanned(#"[{"id":1,"contacts":{"records":[{"id":7}]}}]"#)
        _ = try shop.syncPlanned("[\(source.record)]")
        #expect(try shop.rows("SELECT count(*) FROM contact") == ["\(source.count)"])
        #expect(try shop.rows("SELECT ids FROM account") == [source.ids])
        #expect(try shop.quietRun().written == [])
    }
}
