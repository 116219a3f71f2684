package import SluiceHTTP
internal import Synchronization

/// One client for all requests to a source, the logins there among them.
///
/// A server that serves one connection at a time does not get to a second one as long as the first is open, be it idle.
package final class SourceConnections: Sendable {
    private let configuration: HTTPConfiguration
    private let environment: HTTPEnvironment
    private let present = Mutex<HTTPClient?>(nil)

    /// - Parameters:
    ///   - configuration: How the source is talked to.
    ///   - environment: Clocks, pauses and chance.
    package init(_ configuration: HTTPConfiguration, environment: HTTPEnvironment) {
        (self.configuration, self.environment) = (configuration, environment)
    }

    /// The client, which begins with the first request.
    package var client: HTTPClient {
        present.withLock { present in
            if let present { return present }
            let made = HTTPClient(configuration: configuration, environment: environment)
            present = made
            return made
        }
    }

    /// Ends all connections; the next request makes new ones.
    package func shutDown() {
        let last = present.withLock { present in
            defer { present = nil }
            return present
        }
        last?.shutDown()
    }
}
