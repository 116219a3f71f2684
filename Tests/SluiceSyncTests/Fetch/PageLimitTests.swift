import SluiceDecode
import SluicePages
import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// How many pages are read where the pipeline does not say it.
@Suite struct PageLimitTests {
    @Test func theDefaultEndsTheReadingWithAWarning() throws {
        let server = try LoopbackServer { request in
            let page = request.number("page") ?? 0
            return .page(page * 2..<page * 2 + 2, total: nil)
        }
        defer { server.stop() }
        var reading = try PageReading.numbered(total: nil)
        #expect(reading.stream.pageLimits.mostPages == 100_000)
        reading.stream.pageLimits.mostPages = 3
        let fetched = try reading.fetch(server)
        #expect(fetched.pages.count == 3 && !fetched.coverage.isComplete && fetched.coverage.leavesPages)
        #expect(fetched.warning?.code == .pageLimit)
        #expect(fetched.warning?.message.contains("`max_pages`") == true)
        // Whoever names a limit wants it.
        reading.stream.pageLimits.maximumPages = 2
        let limited = try reading.fetch(server)
        #expect(limited.pages.count == 2 && limited.warning == nil)
        // A larger one raises it.
        reading.stream.pageLimits.maximumPages = 5
        #expect(try reading.fetch(server).pages.count == 5)
    }
}
