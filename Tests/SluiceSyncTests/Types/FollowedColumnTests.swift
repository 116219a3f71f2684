import SluiceModel
import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// The column of a field that gets another type is as one of a new table.
@Suite("Columns of fields that get another type")
struct FollowedColumnTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let type: FieldType
        let json: String
        var testDescription: String { type.rawValue }
    }

    static let cases = [
        Case(type: .int, json: #""12""#), Case(type: .double, json: #""1.5""#), Case(type: .decimal, json: #""1.50""#),
        Case(type: .date, json: #""2026-01-31""#), Case(type: .datetime, json: #""2026-01-31T12:00:00Z""#),
        Case(type: .uuid, json: #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#), Case(type: .json, json: #""{\"a\":1}""#),
        Case(type: .url, json: #""https://example.com/""#),
    ]

    private func shop(_ store: Store, _ type: FieldType) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v", type)])
        if store == .schema { shop.database = try WorkshopSchema() }
        return shop
    }

    private func columns(_ shop: Workshop) throws -> [String] {
        try shop.database.shape().filter { $0.hasPrefix("'column'|") }
    }

    @Test("A text takes each type, and undo takes it back", arguments: Seeds.pairs(cases, in: Store.allCases))
    func follows(_ test: Case, _ store: Store) throws {
        let shop = try shop(store, .string)
        let json = "[{\"id\":1,\"v\":\(test.json)}]"
        _ = try shop.syncPlanned(json)
        let (before, rows) = try (columns(shop), shop.ownRows())
        shop.fields[1].type = test.type
        let report = try shop.syncPlanned("[{\"id\":1}]").0
        #expect(report.status == .succeeded, "\(report.problems)")
        let new = try self.shop(store, test.type)
        _ = try new.syncPlanned("[]")
        #expect(try columns(shop) == columns(new))
        guard let run = report.run, report.hasChanges else { return }
        #expect(try shop.undoPlanned(run).report.status == .succeeded)
        #expect(try columns(shop) == before)
        #expect(try shop.ownRows() == rows)
    }
}
