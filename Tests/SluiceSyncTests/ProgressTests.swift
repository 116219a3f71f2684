import SluiceDecode
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

/// What the long stages of a run tell of how far they have come.
@Suite struct ProgressTests {
    @Test func withoutATotalNoneIsTold() throws {
        let server = try LoopbackServer { request in
            .page(0..<(request.number("page") == 1 ? 2 : 0), total: nil)
        }
        defer { server.stop() }
        var totals: [Int?] = []
        var reading = try PageReading.numbered(total: nil)
        reading.onProgress = { totals.append($0.total) }
        _ = try reading.fetch(server)
        #expect(!totals.isEmpty && totals.allSatisfy { $0 == nil })
    }

    @Test func theTotalThatThePaginatorFollowsIsTold() throws {
        let server = try LoopbackServer { request in
            let start = request.number("offset") ?? 0
            return .page(start..<min(start + 2, 6), total: 6)
        }
        defer { server.stop() }
        var told: [String] = []
        var reading = try PageReading.offset()
        reading.onProgress = { told.append("\($0.records) of \($0.total ?? -1)") }
        _ = try reading.fetch(server)
        #expect(told.contains("2 of 6") && told.last == "6 of 6", "\(told)")
    }

    @Test func theNumberOfPagesThatThePaginatorFollowsIsTold() throws {
        let server = try LoopbackServer { request in
            let page = request.number("page") ?? 0
            return .page(page * 2..<page * 2 + 2, total: 3)
        }
        defer { server.stop() }
        var told: [String] = []
        var reading = try PageReading.numbered()
        reading.onProgress = { told.append("\($0.pages) of \($0.pageTotal ?? -1)") }
        _ = try reading.fetch(server)
        #expect(told.contains("1 of 3") && told.last == "3 of 3", "\(told)")
    }

    @Test func aLargeAnswerTellsHowMuchOfItHasCome() throws {
        let size = 5 << 20
        let server = try LoopbackServer { _ in
            .text("{\"total\":1,\"data\":[{\"id\":\"\(String(repeating: "x", count: size))\"}]}")
        }
        defer { server.stop() }
        var bytes: [Int] = []
        var reading = try PageReading.numbered()
        reading.stream.paginator = .none
        reading.onProgress = { bytes.append($0.bytes) }
        _ = try reading.fetch(server)
        #expect(bytes.count == 6 && bytes == bytes.sorted() && bytes[0] < 2 << 20, "\(bytes)")
        #expect(bytes.last ?? 0 > size)
    }

    @Test func theSearchForDeletedRecordsTellsHowManyAreMissing() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        try shop.put(DeleteTests.records(1...5))
        _ = shop.sync()
        try shop.put(DeleteTests.records(1...2))
        let recorder = Recorder()
        var told: [String] = []
        recorder.onProgress = { progress in
            if progress.stage == .deleting { told.append("\(progress.records) of \(progress.total ?? -1)") }
        }
        #expect(shop.sync(recorder: recorder).report.summary.delete == 3)
        #expect(told.first == "0 of -1" && told.last == "3 of 3", "\(told)")
    }

    @Test func aChangedIdentifierTellsHowFarItsTableHasCome() throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...3))
        _ = shop.sync()
        shop.fields[0].type = .string
        let recorder = Recorder()
        var told: [RunProgress] = []
        recorder.onProgress = { told.append($0) }
        #expect(shop.sync(recorder: recorder).report.status == .succeeded)
        let rows = told.filter { $0.stage == .changing(table: "items", step: .rows) }
        #expect(rows.map(\.records) == [0, 3] && rows.allSatisfy { $0.total == 3 }, "\(told)")
        #expect(told.contains { $0.stage == .changing(table: "items", step: .history) })
        // And back.
        told = []
        _ = shop.undo(2, recorder: recorder)
        #expect(told.contains { $0.stage == .changing(table: "items", step: .rows) }, "\(told)")
    }

    /// Whoever stops a run or an undo while a table follows the pipeline finds the store as it was.
    @Test(arguments: [TableWork.Step.rows, .bases, .history, .rebuild], [false, true])
    func aChangeOfATableIsStopped(_ step: TableWork.Step, isUndo: Bool) throws {
        let shop = try Workshop()
        try shop.put(DeleteTests.records(1...3))
        _ = shop.sync()
        shop.fields[0].type = .string
        if isUndo { _ = shop.sync() }
        let before = try shop.contents()
        let cancellation = Cancellation()
        let recorder = Recorder()
        recorder.onProgress = { if case .changing(_, step) = $0.stage { cancellation.cancel() } }
        let report =
            isUndo
            ? shop.undo(2, cancellation: cancellation, recorder: recorder).report
            : shop.sync(cancellation: cancellation, recorder: recorder).report
        #expect(report.status == .interrupted, "\(report)")
        #expect(report.schemaChanges.isEmpty)
        #expect(try shop.contents() == before)
    }

    @Test func anUndoTellsHowManyRecordsItHasLookedAt() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        try shop.put(DeleteTests.records(1...5))
        _ = shop.sync()
        try shop.put(DeleteTests.records(3...9))
        _ = shop.sync()
        let recorder = Recorder()
        var told: [RunProgress] = []
        recorder.onProgress = { told.append($0) }
        #expect(shop.undo(2, recorder: recorder).report.status == .succeeded)
        #expect(told.last?.stage == .undoing && told.last?.stream == "items", "\(told)")
        // Two were deleted and four inserted.
        #expect(told.last?.records == 6, "\(told)")
    }
}
