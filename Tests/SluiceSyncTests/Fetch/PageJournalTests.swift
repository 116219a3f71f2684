import Foundation
import SluicePipeline
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluicePages

/// Pages that wait beside the store.
@Suite struct PageJournalTests {
    private static let scan = ScanState(
        fingerprint: "f", key: "id int", startedAt: "2024-01-01T00:00:00Z", cursor: "7",
        overrides: CursorRange.Overrides())
    private static let stream = StreamDefinition(name: "items", entity: "Item")

    private func journal(_ folder: TemporaryDirectory, run: Int64 = 3) -> PageJournal {
        let pipeline = PipelineDefinition(
            name: "shop", file: "shop.yaml", source: SourceDefinition(base: .http(ConfigurationText(""))), entities: [],
            streams: [Self.stream])
        return PageJournal(Self.stream, of: pipeline, beside: folder.file("shop.db"), run: run)
    }

    private func put(_ text: String, _ number: Int, on journal: PageJournal, isEnd: Bool = false) throws {
        let file = try ByteFile(temporaryIn: nil)
        let bytes = Array("??\(text)?".utf8)
        try unsafe bytes.withUnsafeBytes { try unsafe file.write($0, at: 0) }
        var fetched = FetchedPages()
        fetched.isPaginated = true
        if number == 2 { fetched.coverage.markIncomplete("why\nnot") }
        if isEnd { fetched.coverage.end(isCounted: false) }
        let page = Page(
            content: .part(of: file, offset: 2, count: text.utf8.count), name: "page \(number)", fileStem: "")
        journal.put(
            FetchStep(
                page: page, fetched: fetched, isEnd: isEnd, token: isEnd ? nil : PageToken(pages: number),
                request: UInt64.max - UInt64(number)), of: Self.scan, number: number)
    }

    private func texts(_ journal: PageJournal, behind pages: Int = 0, _ scan: ScanState = scan) throws -> [String] {
        var scan = scan
        scan.pages = pages
        return try journal.pages(of: scan).map { step in
            let page = try #require(step.page)
            return String(decoding: try PageBytes(page).all(maximum: 1 << 20, page.name), as: UTF8.self)
        }
    }

    @Test func whatWasPutThereIsFoundAgain() throws {
        let folder = try TemporaryDirectory()
        let journal = journal(folder)
        try put("one", 1, on: journal)
        try put("two\n2", 2, on: journal)
        try put("", 3, on: journal, isEnd: true)
        try put("four", 4, on: journal)
        #expect(try texts(journal) == ["one", "two\n2", ""], "nothing comes behind the last page")
        #expect(try texts(journal, behind: 1) == ["two\n2", ""])
        let steps = journal.pages(of: Self.scan)
        #expect(steps.map(\.token) == [PageToken(pages: 1), PageToken(pages: 2), nil])
        let requests: [UInt64] = steps.map { UInt64.max - $0.request }
        #expect(requests == [1, 2, 3])
        let reasons: [String?] = steps.map { $0.fetched.coverage.reason }
        #expect(reasons == [nil, "why\nnot", nil])
        #expect(steps.map(\.fetched.coverage.isComplete) == [false, false, true])
        #expect(steps.allSatisfy { $0.fetched.isPaginated && $0.fetched.validators == nil })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("shop.db-pages"))
        for file in files {
            let path = folder.file("shop.db-pages/\(file)")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
        journal.drop(1)
        #expect(try texts(journal) == [])
        #expect(try texts(journal, behind: 1) == ["two\n2", ""])
        journal.clear(after: 1, except: 1)
        #expect(try texts(journal, behind: 1) == ["two\n2"])
        journal.clear()
        #expect(!FileManager.default.fileExists(atPath: folder.file("shop.db-pages")))
    }

    @Test func onlyTheFirstPageOfTheNextRunBeginsAScan() throws {
        let folder = try TemporaryDirectory()
        try put("one", 1, on: journal(folder, run: 3))
        #expect(journal(folder, run: 3).beginning(of: Self.scan) == Self.scan.startedAt)
        #expect(journal(folder, run: 4).beginning(of: Self.scan) == nil, "a run came between")
        #expect(try texts(journal(folder, run: 4)) == ["one"])
    }

    @Test(
        "What is not the scan's, spoilt or old is fetched again",
        arguments: ["nothing", "another scan", "a byte", "a byte more", "cut", "empty", "old", "of the future"])
    func leftOver(_ what: String) throws {
        let folder = try TemporaryDirectory()
        let journal = journal(folder)
        try put("one", 1, on: journal)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("shop.db-pages")).first)
        let path = folder.file("shop.db-pages/\(name)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var scan = Self.scan
        func replaced(_ time: String) -> String { text.replacing(/"at":"[^"]*"/, with: "\"at\":\"\(time)\"") }
        let changed: String
        switch what {
        case "another scan": (changed, scan.startedAt) = (text, "2024-01-01T00:00:01Z")
        case "a byte": changed = String(text.dropLast()) + "E"
        case "a byte more": changed = text + "e"
        case "cut": changed = String(text.dropLast(2))
        case "empty": changed = ""
        case "old": changed = replaced(WallClock.now(minus: .seconds(3700)))
        case "of the future": changed = replaced(WallClock.now(plus: .seconds(3700)))
        default: changed = text
        }
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
        let expected: [String] = what == "nothing" ? ["one"] : []
        #expect(try texts(journal, behind: 0, scan) == expected)
    }

    @Test func aFolderThatCannotBeMadeIsNoFailure() throws {
        let folder = try TemporaryDirectory()
        try "".write(toFile: folder.file("shop.db-pages"), atomically: true, encoding: .utf8)
        let journal = journal(folder)
        try put("one", 1, on: journal)
        #expect(try texts(journal).isEmpty)
        journal.clear()
        #expect(FileManager.default.fileExists(atPath: folder.file("shop.db-pages")))
    }
}
