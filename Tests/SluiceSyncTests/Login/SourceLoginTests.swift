import SluiceHTTP
import SluicePages
import SluicePipeline
import Synchronization
import TestSupport
import Testing

@testable import SluiceFetch

@Suite struct SourceLoginTests {
    /// Gives token after token.
    private final class Office: SourceLogin.TokenProvider {
        let lifetime: Duration?
        private let count = Atomic(0)
        var given: Int { count.load(ordering: .sequentiallyConsistent) }

        init(lifetime: Duration?) { self.lifetime = lifetime }

        func ask() -> SourceLogin.Grant {
            let given = count.add(1, ordering: .sequentiallyConsistent).newValue
            return SourceLogin.Grant(credentials: Credentials(bearer: "t\(given)"), lifetime: lifetime)
        }
    }

    private func login(_ office: Office, _ clock: ManualClock) -> SourceLogin {
        var environment = HTTPEnvironment.live
        environment.monotonicNow = { clock.now }
        let flow = SourceDefinition.OAuth2(
            flow: .clientCredentials, tokenURL: ConfigurationText("http://h/t"), clientID: ConfigurationText("c"))
        return SourceLogin(.oauth2(flow), provider: office, environment: environment)
    }

    @Test(arguments: [
        (Duration?.some(.seconds(3600)), Duration.seconds(3539), 1), (.seconds(3600), .seconds(3540), 2),
        (.seconds(100), .seconds(89), 1), (.seconds(100), .seconds(90), 2), (nil, .seconds(1_000_000), 1),
    ])
    func aTokenIsReplacedBeforeItExpires(lifetime: Duration?, later: Duration, given: Int) throws {
        let clock = ManualClock()
        let office = Office(lifetime: lifetime)
        let login = login(office, clock)
        #expect(try login.credentials().headers == [HTTPField("Authorization", "Bearer t1")])
        clock.advance(by: later)
        #expect(try login.credentials().headers == [HTTPField("Authorization", "Bearer t\(given)")])
        #expect(office.given == given)
        #expect(login.secrets.contains("t\(given)"))
    }

    @Test func aRefusedTokenIsReplacedOnce() throws {
        let office = Office(lifetime: nil)
        let login = login(office, ManualClock())
        let first = try login.credentials()
        let second = try #require(try login.renew(first))
        #expect(second != first)
        // Another request was sent with the first token as well, and hears of its refusal later.
        #expect(try login.renew(first) == second)
        #expect(office.given == 2)
        #expect(try login.renew(second) != second)
        #expect(office.given == 3)
    }

    @Test func whatThePipelineGivesCannotBeRenewed() throws {
        let login = SourceLogin(.bearer(token: ConfigurationText(parts: [.init("abc", isSecret: true)])))
        #expect(try login.credentials().headers == [HTTPField("Authorization", "Bearer abc")])
        #expect(try login.renew(login.credentials()).map(\.headers) == nil)
        #expect(login.secrets == ["abc"])
    }
}
