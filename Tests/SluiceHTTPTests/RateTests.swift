import Dispatch
import SluiceHTTP
import SluiceSystem
import Synchronization
import TestSupport
import Testing

/// Hosts are asked no faster than the configuration and they themselves say; no test waits.
@Suite struct RateTests {
    private static func limits(
        _ limit: Int? = nil, per interval: Duration = .seconds(1), unit: HTTPRateLimit.ResetUnit = .seconds,
        reserve: Int = 0
    ) -> HTTPRateLimit {
        var rule = HTTPRateLimit()
        (rule.limit, rule.interval) = (limit, interval)
        (rule.remainingHeader, rule.resetHeader) = ("X-Left", "X-Reset")
        (rule.resetUnit, rule.reserve) = (unit, reserve)
        return rule
    }

    @Test func noIntervalHasMoreRequestsThanTheLimit() throws {
        let world = World()
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(3, per: .seconds(10)) }
        var moments: [Duration] = []
        for _ in 0..<8 {
            _ = try client.text(HTTPRequest(url: server.url))
            moments.append(world.clock.now)
            world.clock.advance(by: .seconds(1))
        }
        #expect(moments == [0, 1, 2, 10, 11, 12, 20, 21].map { .seconds($0) })
        #expect(world.sleeps == [.seconds(7), .seconds(7)])
    }

    @Test func clientsOfOneProcessShareAHost() throws {
        let world = World()
        let server = try LoopbackServer { _ in .text("[]") }
        let other = try LoopbackServer { _ in .text("[]") }
        defer {
            server.stop()
            other.stop()
        }
        let clients = (0..<2).map { _ in world.client { $0.rateLimit = Self.limits(1, per: .seconds(5)) } }
        _ = try clients[0].text(HTTPRequest(url: server.url))
        _ = try clients[1].text(HTTPRequest(url: other.url))
        #expect(world.sleeps == [])
        _ = try clients[1].text(HTTPRequest(url: server.url))
        #expect(world.sleeps == [.seconds(5)])
    }

    @Test func redirectsAreRequestsToo() throws {
        let world = World()
        let server = try LoopbackServer { request in
            request.path == "/a" ? ServerResponse(status: 302, headers: [("Location", "/b")]) : .text("[]")
        }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(1, per: .seconds(5)) }
        _ = try client.text(HTTPRequest(url: server.url + "/a"))
        #expect(world.sleeps == [.seconds(5)])
    }

    struct Reset: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let unit: HTTPRateLimit.ResetUnit
        let left: String
        let reset: String
        let sleeps: [Duration]
    }

    /// The world's clock stands at 1559559600.
    static let resets = [
        Reset(testDescription: "seconds", unit: .seconds, left: "2", reset: "30", sleeps: [.seconds(30)]),
        Reset(testDescription: "a fraction", unit: .seconds, left: "0", reset: "0.5", sleeps: [.milliseconds(500)]),
        Reset(testDescription: "a moment", unit: .epoch, left: "1", reset: "1559559645", sleeps: [.seconds(45)]),
        Reset(testDescription: "milliseconds", unit: .epoch, left: "1", reset: "1559559645000", sleeps: [.seconds(45)]),
        Reset(
            testDescription: "a moment for seconds", unit: .seconds, left: "1", reset: "1559559645",
            sleeps: [.seconds(45)]),
        Reset(testDescription: "seconds for a moment", unit: .epoch, left: "1", reset: "45", sleeps: [.seconds(45)]),
        Reset(
            testDescription: "a date", unit: .epoch, left: "1", reset: "Mon, 03 Jun 2019 11:00:20 GMT",
            sleeps: [.seconds(20)]),
        Reset(testDescription: "more than the reserve", unit: .seconds, left: "3", reset: "30", sleeps: []),
        Reset(testDescription: "a moment that is over", unit: .epoch, left: "0", reset: "1559559599", sleeps: []),
        Reset(testDescription: "no number", unit: .seconds, left: "many", reset: "30", sleeps: []),
        Reset(testDescription: "no moment", unit: .seconds, left: "0", reset: "soon", sleeps: []),
        Reset(testDescription: "less than nothing", unit: .seconds, left: "0", reset: "-5", sleeps: []),
        Reset(testDescription: "not a number", unit: .seconds, left: "0", reset: "nan", sleeps: []),
    ]

    @Test(arguments: resets)
    func whatIsLeftIsLeftToOthers(test: Reset) throws {
        let world = World()
        let server = try LoopbackServer { request in
            .text("[]", headers: request.number == 0 ? [("X-Left", test.left), ("X-Reset", test.reset)] : [])
        }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(unit: test.unit, reserve: 2) }
        _ = try client.text(HTTPRequest(url: server.url))
        #expect(world.sleeps == [], "the last request needs no pause behind it")
        _ = try client.text(HTTPRequest(url: server.url))
        #expect(world.sleeps == test.sleeps)
    }

    @Test func aPauseThatIsTooLongIsAnError() throws {
        let world = World()
        let server = try LoopbackServer { _ in .text("[]", headers: [("X-Left", "0"), ("X-Reset", "3600")]) }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits() }
        _ = try client.text(HTTPRequest(url: server.url))
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .rateLimited)
        #expect(error?.message.contains("retry.max_wait") == true)
        #expect(world.sleeps == [])
        #expect(server.requests.count == 1)
    }

    @Test func aHostThatAsksForAPauseGetsItFromEverybody() throws {
        let world = World()
        let server = try LoopbackServer { request in
            request.number == 0 ? ServerResponse(status: 429, headers: [("Retry-After", "40")]) : .text("[]")
        }
        defer { server.stop() }
        let impatient = world.client { $0.retry.maximumAttempts = 1 }
        _ = try? impatient.text(HTTPRequest(url: server.url))
        _ = try world.client().text(HTTPRequest(url: server.url))
        #expect(world.sleeps == [.seconds(40)])
    }

    @Test func tooManyRequestsPauseTheOthersForAsLongAsTheOneThatWasRefused() throws {
        let origin = Mutex<HTTPOrigin?>(nil)
        let rates = HTTPRates()
        let wait = Mutex<HTTPRates.Turn?>(nil)
        let clock = ManualClock()
        var environment = HTTPEnvironment.live
        environment.monotonicNow = { clock.now }
        environment.random = { 0.5 }
        environment.rates = rates
        environment.sleep = { duration, _ in
            if let origin = origin.withLock({ $0 }) {
                wait.withLock { $0 = rates.begin(origin, HTTPRateLimit(), now: clock.now) }
            }
            clock.advance(by: duration)
        }
        let server = try LoopbackServer(handler: answers([ServerResponse(status: 429), .text("[1]")]))
        defer { server.stop() }
        try origin.withLock { $0 = try HTTPURL(server.url).origin }
        var configuration = HTTPConfiguration(userAgent: "sluice/test")
        configuration.proxy = .none
        let client = HTTPClient(configuration: configuration, environment: environment)
        #expect(try client.text(HTTPRequest(url: server.url)) == "[1]")
        #expect(wait.withLock { $0 } == .held(.milliseconds(500)))
    }

    @Test func fewRequestsThatAreLeftAreSentOneByOne() throws {
        let rates = HTTPRates()
        let origin = try HTTPURL("http://h").origin
        func begin() -> HTTPRates.Ticket? {
            if case .now(let ticket) = rates.begin(origin, HTTPRateLimit(), now: .zero) { ticket } else { nil }
        }
        let first = try [#require(begin()), #require(begin()), #require(begin())]
        // The host may have counted one of the three or all of them.
        rates.end(origin, first[2], left: 3)
        let fourth = try #require(begin())
        #expect(begin() == nil)
        // This one says more than the one before, because it was counted earlier.
        rates.end(origin, first[0], left: 4)
        let fifth = try #require(begin())
        #expect(begin() == nil)
        for ticket in [first[1], fourth] { rates.end(origin, ticket, left: nil) }
        #expect(begin() == nil)
        rates.end(origin, fifth, left: nil)
        // Nothing is known any more, so one goes to ask.
        let asking = try #require(begin())
        #expect(begin() == nil)
        rates.end(origin, asking, left: 2)
        _ = try [#require(begin()), #require(begin())]
        #expect(begin() == nil)
    }

    @Test(arguments: [false, true])
    func whoWaitsForARequestToEndIsWoken(byCancelling: Bool) throws {
        let rates = HTTPRates()
        let origin = try HTTPURL("http://h").origin
        guard case .now(let ticket) = rates.begin(origin, HTTPRateLimit(), now: .zero) else {
            Issue.record("the first request waits")
            return
        }
        let (cancellation, began, ended) = (Cancellation(), Gate(), Gate())
        DispatchQueue(label: "waiting").async {
            began.open()
            rates.waitForEnd(origin, cancellation)
            ended.open()
        }
        #expect(began.wait())
        if byCancelling { cancellation.cancel() } else { rates.end(origin, ticket, left: nil) }
        #expect(ended.wait())
    }

    @Test func aRefusalForWantOfRequestsIsTriedAgainWhenThereAreMore() throws {
        let world = World(random: 0)
        let server = try LoopbackServer(
            handler: answers([
                .text("{}", status: 403, headers: [("X-Left", "0"), ("X-Reset", "1559559660")]), .text("[1]"),
            ]))
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(unit: .epoch) }
        #expect(try client.text(HTTPRequest(url: server.url)) == "[1]")
        #expect(world.sleeps == [.seconds(60)])
        let other = try LoopbackServer { _ in .text("{}", status: 403, headers: [("X-Left", "7"), ("X-Reset", "9")]) }
        defer { other.stop() }
        #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: other.url)) }
        #expect(other.requests.count == 1, "a 403 of another kind is final")
    }

    @Test func aRefusalThatSaysWhenToComeAgainIsTriedAgain() throws {
        let world = World(random: 0)
        let server = try LoopbackServer(
            handler: answers([.text("{}", status: 403, headers: [("Retry-After", "60")]), .text("[1]")]))
        defer { server.stop() }
        #expect(try world.client().text(HTTPRequest(url: server.url)) == "[1]")
        #expect(world.sleeps == [.seconds(60)])
    }

    @Test func aRefusalForWantOfRequestsNamesTheKeyToSet() throws {
        let server = try LoopbackServer { _ in
            .text("{}", status: 403, headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1559559660")])
        }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.message.contains("`remaining_header`") == true, "\(error?.message ?? "")")
        #expect(server.requests.count == 1)
    }

    @Test func cancellingEndsAPause() throws {
        let world = World { $0.cancel() }
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(1, per: .seconds(60)) }
        _ = try client.text(HTTPRequest(url: server.url))
        #expect(throws: CancelledError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(server.requests.count == 1)
    }

    @Test func aPauseIsTold() throws {
        let world = World()
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let client = world.client { $0.rateLimit = Self.limits(1, per: .seconds(60)) }
        var sink = RecordingSink()
        var pauses: [(Duration, String)] = []
        for _ in 0..<2 {
            _ = try client.fetch(HTTPRequest(url: server.url), into: &sink) { event in
                if case .waiting(let time, let reason) = event { pauses.append((time, reason)) }
            }
        }
        #expect(pauses.map(\.0) == [.seconds(60)])
        #expect(pauses.first?.1.contains("rate_limit") == true)
    }
}
