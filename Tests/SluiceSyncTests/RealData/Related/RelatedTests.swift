import SluiceReport
import TestSupport
import Testing

@Suite(
    "Published data in tables that refer to each other, version after version",
    .enabled(if: Dataset.isThere, "the folder shared/data is not beside the project"))
struct RelatedTests {
    private static let publications: [RelatedPublication] = [
        .countries, .congress, .places, .creatures, .specifications, .recordedAnswers, .resources,
    ]

    @Test("References, counts, plans and repeated runs", arguments: publications)
    func versions(_ publication: RelatedPublication) throws {
        let store = try RelatedStore(publication)
        let versions = try publication.publication.versions
        #expect(versions.count > 1)
        for version in Seeds.isDeep ? versions[...] : versions.prefix(2) {
            let place = "\(Dataset.root)/\(publication.name)/\(version)"
            try store.take(version, base: place, files: publication.files(at: place))
        }
        store.checkTables()
    }

    @Test(
        "What a version changed is taken back",
        arguments: [.congress, .specifications, .countries] as [RelatedPublication])
    func undo(_ publication: RelatedPublication) throws {
        let shop = try Workshop()
        shop.name = publication.name
        var before: [String: [String]] = [:]
        for version in try publication.publication.versions.prefix(2) {
            if !shop.storeFiles().isEmpty { before = try shop.managed() }
            shop.definition = try publication.publication.definition(
                base: "\(Dataset.root)/\(publication.name)/\(version)")
            let (report, _) = shop.sync()
            #expect(report.status == .succeeded)
            guard !before.isEmpty, let run = report.run else { continue }
            #expect(try shop.managed() != before)
            #expect(try shop.undoPlanned(run).report.status == .succeeded)
            let after = try shop.managed()
            for (table, rows) in before {
                #expect(after[table]?.sorted() == rows.sorted(), "\(table)")
            }
            #expect(try shop.rows("PRAGMA foreign_key_check") == [])
        }
    }
}
