import TestSupport
import Testing

@Suite("Published data with many streams, version after version")
struct PublicationTests {
    private static let publications: [Publication] = [.congress, .pokeAPI, .scoop, .strictScoop, .stripe]

    @Test(
        "Counts, values, plans and repeated runs",
        .enabled(if: Dataset.isThere, "the folder shared/data is not beside the project"), arguments: publications)
    func versions(_ publication: Publication) throws {
        let store = try PublishedStore(publication)
        let versions = try publication.versions
        #expect(versions.count > 1)
        for version in Seeds.isDeep ? versions[...] : versions.prefix(3) {
            try store.take(version, base: "\(Dataset.root)/\(publication.folder)/\(version)")
        }
    }
}
