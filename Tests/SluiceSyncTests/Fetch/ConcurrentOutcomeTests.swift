import SluiceDecode
import SluiceHTTP
import SluicePages
import SluicePipeline
import TestSupport
import Testing

/// How many requests are under way makes no difference to what is read, whatever pages say of their number.
@Suite struct ConcurrentOutcomeTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isOffset = false
        var total: String? = "total"
        var adjust: @Sendable (inout PageReading) -> Void = { _ in }
        /// The answer to a page number, from 1, or an offset.
        let answer: @Sendable (Int) -> ServerResponse
    }

    private static func ten(_ page: Int, of total: Int?) -> ServerResponse {
        .page((page - 1) * 10..<page * 10, total: total)
    }

    private static func rules(_ rules: [SourceDefinition.ResponseRule]) -> @Sendable (inout PageReading) -> Void {
        { $0.source.responseRules = rules }
    }

    private static func from(_ offset: Int, size: Int, of total: Int) -> ServerResponse {
        .page(offset..<max(offset, min(offset + size, total)), total: total)
    }

    static let sources = [
        Source(testDescription: "a steady number") { ten($0, of: 7) },
        Source(testDescription: "one page") { ten($0, of: 1) },
        Source(testDescription: "a number of zero") { .page(0..<0, total: 0 * $0) },
        Source(testDescription: "a number that falls") { ten($0, of: $0 < 3 ? 9 : 4) },
        Source(testDescription: "a number that falls, and no page behind it") {
            $0 > 4 ? .text("gone", status: 404) : ten($0, of: $0 < 3 ? 9 : 4)
        },
        Source(testDescription: "a number that grows") { ten($0, of: $0 < 5 ? 5 : 8) },
        Source(testDescription: "a number that goes") {
            .page($0 < 6 ? $0 * 10..<$0 * 10 + 10 : 0..<0, total: $0 < 3 ? 9 : nil)
        },
        Source(testDescription: "a number that is no limit") { ten($0, of: $0 < 9 ? Int.max : 9) },
        Source(testDescription: "an empty page before the last") {
            .page($0 == 3 ? 0..<0 : $0 * 10..<$0 * 10 + 10, total: 6)
        },
        Source(testDescription: "a page that is not there") { $0 == 4 ? .text("no", status: 404) : ten($0, of: 7) },
        Source(
            testDescription: "a page that is ignored", adjust: rules([.init(statuses: [404...404], action: .ignore)])
        ) {
            $0 == 4 ? .text("no", status: 404) : ten($0, of: 7)
        },
        Source(testDescription: "a page that is the last", adjust: rules([.init(statuses: [404...404], action: .stop)]))
        {
            $0 == 4 ? .text("no", status: 404) : ten($0, of: 7)
        },
        Source(
            testDescription: "a program that stops",
            adjust: { $0.stream.pageLimits.stopWhen = ".records | any(.id == 25)" }
        ) { ten($0, of: 9) },
        Source(testDescription: "a limit of pages", adjust: { $0.stream.pageLimits.maximumPages = 4 }) {
            ten($0, of: 9)
        },
        Source(testDescription: "two pages that are alike") { ten($0 == 4 ? 3 : $0, of: 7) },
        Source(testDescription: "a page that is no JSON") { $0 == 5 ? .text("{") : ten($0, of: 7) },
        Source(testDescription: "a page that is too large", adjust: { $0.source.maximumResponseBytes = 2000 }) {
            $0 == 5 ? .page(0..<900, total: 7) : ten($0, of: 7)
        },
        Source(testDescription: "a page that breaks off", adjust: { $0.source.retry.maximumAttempts = 1 }) {
            $0 == 5 ? ServerResponse(body: .bytes([0x7B], announcing: 1000), ending: .close) : ten($0, of: 7)
        },
        Source(testDescription: "no number", total: nil) { .page($0 < 6 ? $0 * 10..<$0 * 10 + 10 : 0..<0, total: nil) },
        Source(testDescription: "offsets", isOffset: true) { from($0, size: 10, of: 65) },
        Source(testDescription: "offsets of full pages", isOffset: true) { from($0, size: 10, of: 60) },
        Source(
            testDescription: "offsets of smaller pages than were asked for", isOffset: true,
            adjust: { $0.stream.pageLimits.size = 20 }
        ) { from($0, size: 7, of: 65) },
        Source(testDescription: "offsets behind a short page", isOffset: true) {
            from($0, size: $0 == 20 ? 5 : 10, of: 65)
        },
        Source(testDescription: "offsets of pages of all sizes", isOffset: true) { from($0, size: 1 + $0 % 7, of: 40) },
        Source(testDescription: "an empty page before the total", isOffset: true) {
            $0 == 30 ? .page(0..<0, total: 65) : from($0, size: 10, of: 65)
        },
        Source(testDescription: "a total that falls", isOffset: true) { from($0, size: 10, of: $0 < 30 ? 80 : 50) },
        Source(testDescription: "offsets without a total", isOffset: true, total: nil) { from($0, size: 10, of: 65) },
    ]

    @Test(arguments: sources)
    func theOutcomeIsThatOfReadingInTurn(_ source: Source) throws {
        var reading = try source.isOffset ? PageReading.offset(total: source.total) : .numbered(total: source.total)
        source.adjust(&reading)
        let parameter = source.isOffset ? "offset" : "page"
        func read(width: Int) throws -> (PageReading.Outcome, requests: Int, asked: [Int]) {
            let server = try LoopbackServer { source.answer($0.number(parameter) ?? -1) }
            defer { server.stop() }
            reading.width = width
            let (outcome, requests) = try reading.outcome(server)
            return (outcome, requests, server.requests.map { $0.number(parameter) ?? -1 })
        }
        let inTurn = try read(width: 1)
        for width in Seeds.some(of: [2, 4, 7], oneOf: 2) {
            let atOnce = try read(width: width)
            #expect(atOnce.0 == inTurn.0, "\(width) at once")
            let tooMany = atOnce.asked.count - inTurn.asked.count
            #expect((0..<width).contains(tooMany), "\(width) at once")
            #expect((0..<width).contains(atOnce.requests - inTurn.requests), "\(width) at once")
            if source.total == nil {
                #expect(atOnce.asked == inTurn.asked, "nothing is asked for that may not be there")
            } else {
                #expect(Set(atOnce.asked).isSuperset(of: inTurn.asked), "\(width) at once")
            }
        }
    }

    @Test(arguments: [0, 5], [1, 2, 4])
    func pagesOfTheLastRunAreAskedForAhead(changed: Int, width: Int) throws {
        let server = try LoopbackServer { request in
            let page = request.number("page") ?? 0
            let isNew = page == changed && request.header("X-Run") == "2"
            let tag = isNew ? "\"new\"" : "\"\(page)\""
            if request.header("If-None-Match") == tag { return ServerResponse(status: 304, headers: [("ETag", tag)]) }
            return .page(page * 10..<page * 10 + 10, total: 9, headers: [("ETag", tag)])
        }
        defer { server.stop() }
        var reading = try PageReading.numbered()
        reading.width = width
        let first = try reading.fetch(server)
        let kept = try #require(first.validators)
        #expect(kept.count == 9)
        reading.stream.headers = [NamedText(name: "X-Run", value: ConfigurationText("2"))]
        let before = server.requests.count
        let second = try reading.fetch(server, kept: kept)
        let asked = server.requests.count - before
        #expect(second.requests == asked || width > 1)
        if changed == 0 {
            #expect(second.isNotModified && second.notModified == 9 && asked == 9)
        } else {
            #expect(second.pages.count == 9 && second.notModified == 0)
            #expect((14..<14 + 2 * width).contains(asked))
        }
    }
}
