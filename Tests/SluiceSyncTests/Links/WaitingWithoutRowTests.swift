import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// What a reference of a record waits for goes on waiting while people have its row deleted, as long as the source says so: once the row
/// is back, it is linked.
@Suite struct WaitingWithoutRowTests {
    static let references = [#"{ref: Tag, from: "tag"}"#, #"{refs: Tag, from: "tag[*]", via: pairs}"#]

    /// What the source says of the record once its target arrives, and where the record leads when its row is back.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The record's members besides its identifier; nil where it is gone.
        let says: String?
        /// Whether somebody decides that the record stays deleted.
        var deletionStands = false
        let leads: Bool
    }

    static let cases = [
        Case(testDescription: "the same", says: #""x":"b","tag":TAG"#, leads: true),
        Case(testDescription: "another value", says: #""x":"c","tag":TAG"#, leads: true),
        Case(
            testDescription: "another value, and the deletion stands", says: #""x":"c","tag":TAG"#,
            deletionStands: true, leads: true),
        Case(
            testDescription: "another reference, and the deletion stands", says: #""x":"b","tag":NONE"#,
            deletionStands: true, leads: false),
        Case(testDescription: "that it is gone", says: nil, leads: false),
    ]

    @Test(arguments: cases, references) func itWaits(_ test: Case, reference: String) throws {
        // PostgreSQL holds the same of one kind of reference.
        for isServed in reference == Self.references.first ? [false, true] : [false] {
            let shop = try Workshop()
            if isServed { shop.database = try WorkshopSchema() }
            try shop.define(
                "shop",
                """
                entities:
                  Item: {table: item, primary_key: id, fields: {id: int, x: string, tag: \(reference)}}
                  Tag: {table: tag, primary_key: id, fields: {id: int}}
                streams:
                  - {name: items, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
                  - {name: tags, entity: Tag, path: tags.json}
                """)
            let isList = reference.contains("refs")
            func say(_ members: String?) throws {
                let record = members.map {
                    "{\"id\":3,\($0)}".replacing("TAG", with: isList ? "[2]" : "2").replacing(
                        "NONE", with: isList ? "[]" : "null")
                }
                try shop.put("[\(record ?? "")]", as: "items.json")
            }
            try shop.put("[]", as: "tags.json")
            try say(#""x":"b","tag":TAG"#)
            _ = try shop.syncPlanned()
            try shop.sql("DELETE FROM item")
            try shop.put(#"[{"id":2}]"#, as: "tags.json")
            try say(test.says)
            _ = try shop.syncPlanned()
            if test.deletionStands { try decide(shop) }
            try shop.sql("INSERT INTO item (id, x) VALUES (3, 'b')")
            _ = try shop.syncPlanned()
            let led = try shop.rows(
                isList ? "SELECT tag_id FROM pairs" : "SELECT tag_id FROM item WHERE tag_id IS NOT NULL")
            #expect(led == (test.leads ? ["2"] : []), "served \(isServed)")
            #expect(try shop.rows("SELECT count(*) FROM _sluice_pending") == ["0"], "served \(isServed)")
        }
    }

    private func decide(_ shop: Workshop) throws {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .local) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved])
        try store.commit()
    }
}
