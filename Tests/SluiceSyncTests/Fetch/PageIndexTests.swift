import FoundationEssentials
import SluiceJSON
import SluicePipeline
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluicePages

/// What one scan of a page finds.
@Suite struct PageIndexTests {
    private func index(
        _ text: String, keeping needs: PageView.Needs = [], in folder: TemporaryDirectory
    ) throws -> (PageIndex, file: String) {
        var stream = StreamDefinition(name: "items", entity: "Item")
        stream.records = try JSONPath(parsing: "data[*]")
        let file = folder.file("page.json")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let reading = try RecordsReading(stream: stream, maximumRecordBytes: 1 << 20, showsValues: true)
        let page = Page(content: .file(path: file), name: file, fileStem: "")
        return (PageIndex(page, reading: reading, keeping: needs), file)
    }

    @Test func itHoldsWhereTheRecordsStand() throws {
        try withTemporaryDirectory { folder in
            let (index, _) = try index(
                #"{"data": [{"id": 1}, {"id": 22}]}"#, keeping: [.records, .lastRecord], in: folder)
            let records = try index.records()
            #expect(records.count == 2 && records.listed == 2)
            #expect(records.range == 10..<31)
            #expect(records.first.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"id": 1}"#)
            #expect(String(decoding: records.last, as: UTF8.self) == #"{"id": 22}"#)
            #expect(String(decoding: records.json, as: UTF8.self) == #"[{"id": 1},{"id": 22}]"#)
        }
    }

    @Test func aPageIsScannedOnce() throws {
        try withTemporaryDirectory { folder in
            let (index, file) = try index(#"{"data": [{"id": 1}]}"#, in: folder)
            #expect(try index.records().count == 1)
            // Nobody goes back to the file.
            try FileManager.default.removeItem(atPath: file)
            #expect(try index.records().count == 1)
            #expect(try index.firstRecord() != nil)
            #expect(try PageView(index, .count, showsValues: true, parser: JSONParser()).recordCount == 1)
        }
    }

    @Test func theFirstRecordNeedsNoScan() throws {
        try withTemporaryDirectory { folder in
            // What stands behind the first record is not looked at.
            let (index, _) = try index(#"{"data": [{"id": 1}, x"#, in: folder)
            #expect(try index.firstRecord().map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"id": 1}"#)
            #expect(throws: (any Error).self) { _ = try index.records() }
            // And what cannot be read cannot be read the next time either.
            #expect(throws: (any Error).self) { _ = try index.records() }
        }
    }
}
