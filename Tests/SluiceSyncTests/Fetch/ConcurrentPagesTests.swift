import Dispatch
import SluiceHTTP
import SluicePages
import SluicePipeline
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch

/// Pages whose number is known are asked for several at a time, and no more than that.
@Suite struct ConcurrentPagesTests {
    private static func ten(_ request: ServerRequest, of total: Int) -> ServerResponse {
        let page = request.number("page") ?? 0
        return .page(page * 10..<page * 10 + 10, total: total)
    }

    @Test(arguments: [2, 5])
    func asManyAreUnderWayAsMayBe(width: Int) throws {
        let arrived = Atomic(0)
        let most = Atomic(0)
        let all = Gate()
        let server = try LoopbackServer { request in
            guard request.number("page") ?? 0 > 1 else { return Self.ten(request, of: 21) }
            let now = arrived.add(1, ordering: .sequentiallyConsistent).newValue
            most.max(now, ordering: .sequentiallyConsistent)
            // The first ones are answered when all of them are there.
            if now == width { all.open() }
            all.wait()
            arrived.subtract(1, ordering: .sequentiallyConsistent)
            return Self.ten(request, of: 21)
        }
        defer { server.stop() }
        var reading = try PageReading.numbered()
        reading.width = width
        #expect(try reading.fetch(server).pages.count == 21)
        #expect(most.load(ordering: .sequentiallyConsistent) == width)
        // One that was not free in time may make room for another one.
        #expect(server.connectionCount <= 2 * width, "connections are used again")
    }

    @Test func aPageThatTakesLongHoldsUpThoseThatAreTooFarAhead() throws {
        let isAnswered = Atomic(false)
        let isBroken = Atomic(false)
        let behind = Gate()
        let server = try LoopbackServer { request in
            switch request.number("page") ?? 0 {
            case 2:
                behind.wait()
                isAnswered.store(true, ordering: .sequentiallyConsistent)
            case 4: behind.open()
            case 5...:
                if !isAnswered.load(ordering: .sequentiallyConsistent) { isBroken.store(true, ordering: .relaxed) }
            default: break
            }
            return Self.ten(request, of: 9)
        }
        defer { server.stop() }
        var reading = try PageReading.numbered()
        reading.width = 3
        #expect(try reading.fetch(server).pages.count == 9)
        let broken = isBroken.load(ordering: .relaxed)
        #expect(!broken)
    }

    @Test func oneLogsInForAllWhoseTokenIsRefused() throws {
        final class Office: SourceLogin.TokenProvider {
            let given = Atomic(0)
            func ask() -> SourceLogin.Grant {
                let number = given.add(1, ordering: .sequentiallyConsistent).newValue
                return SourceLogin.Grant(credentials: Credentials(bearer: "t\(number)"))
            }
        }
        let office = Office()
        let refused = Atomic(0)
        let all = Gate()
        let server = try LoopbackServer { request in
            if request.number("page") == 1 || request.header("Authorization") == "Bearer t2" {
                return Self.ten(request, of: 9)
            }
            // Four requests have gone out with the old token before one of them hears that it is old.
            if refused.add(1, ordering: .sequentiallyConsistent).newValue == 4 { all.open() }
            all.wait()
            return .text("no", status: 401)
        }
        defer { server.stop() }
        let flow = SourceDefinition.OAuth2(
            flow: .clientCredentials, tokenURL: ConfigurationText("http://h/t"), clientID: ConfigurationText("c"))
        var reading = try PageReading.numbered()
        reading.width = 4
        reading.login = SourceLogin(.oauth2(flow), provider: office)
        let fetched = try reading.fetch(server)
        #expect(fetched.pages.count == 9 && fetched.retries == 4)
        #expect(office.given.load(ordering: .sequentiallyConsistent) == 2)
    }

    @Test func cancellingEndsAllThatIsUnderWay() throws {
        let arrived = Atomic(0)
        let held = Gate()
        let cancellation = Cancellation()
        let server = try LoopbackServer { request in
            guard request.number("page") ?? 0 > 1 else { return Self.ten(request, of: 9) }
            if arrived.add(1, ordering: .sequentiallyConsistent).newValue == 4 { cancellation.cancel() }
            held.wait()
            return Self.ten(request, of: 9)
        }
        defer {
            held.open()
            server.stop()
        }
        var reading = try PageReading.numbered()
        (reading.width, reading.cancellation) = (4, cancellation)
        #expect(throws: CancelledError.self) { try reading.fetch(server) }
    }

    @Test func aBusyAnswerPausesTheOthers() throws {
        let clock = ManualClock()
        let slept = Atomic(0)
        var environment = HTTPEnvironment.live
        environment.monotonicNow = { clock.now }
        environment.rates = HTTPRates()
        environment.sleep = { duration, _ in
            slept.add(1, ordering: .sequentiallyConsistent)
            clock.advance(by: duration)
        }
        let isRefused = Atomic(false)
        let server = try LoopbackServer { request in
            if request.number("page") == 4, !isRefused.exchange(true, ordering: .sequentiallyConsistent) {
                return .text("slow down", status: 429, headers: [("Retry-After", "30")])
            }
            return Self.ten(request, of: 12)
        }
        defer { server.stop() }
        var reading = try PageReading.numbered()
        (reading.width, reading.environment) = (3, environment)
        // The clock jumps under requests that are under way.
        (reading.source.timeout.idle, reading.source.timeout.total) = (.seconds(100_000), .seconds(100_000))
        let fetched = try reading.fetch(server)
        #expect(fetched.pages.count == 12 && fetched.retries == 1)
        #expect(slept.load(ordering: .sequentiallyConsistent) > 0)
        #expect(clock.now >= .seconds(30))
    }

    @Test(arguments: [1, 4])
    func theReserveIsLeftToOthers(width: Int) throws {
        let clock = ManualClock()
        let taken = Mutex(0)
        let isBroken = Atomic(false)
        var environment = HTTPEnvironment.live
        environment.monotonicNow = { clock.now }
        environment.rates = HTTPRates()
        environment.sleep = { duration, _ in
            taken.withLock { $0 = 0 }
            clock.advance(by: duration)
        }
        let server = try LoopbackServer { request in
            let left = taken.withLock { taken in
                taken += 1
                return 12 - taken
            }
            if left < 5 { isBroken.store(true, ordering: .relaxed) }
            let page = request.number("page") ?? 0
            let headers = [("X-Left", "\(left)"), ("X-Reset", "60")]
            return .page(page * 10..<page * 10 + 10, total: 30, headers: headers)
        }
        defer { server.stop() }
        var reading = try PageReading.numbered()
        (reading.width, reading.environment) = (width, environment)
        (reading.source.timeout.idle, reading.source.timeout.total) = (.seconds(100_000), .seconds(100_000))
        reading.source.rateLimit.remainingHeader = "X-Left"
        reading.source.rateLimit.resetHeader = "X-Reset"
        reading.source.rateLimit.reserve = 5
        #expect(try reading.fetch(server).pages.count == 30)
        let broken = isBroken.load(ordering: .relaxed)
        #expect(!broken)
        #expect(clock.now >= .seconds(240))
    }
}
