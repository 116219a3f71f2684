/// What people and programs talk to a service by, such as its page.
package protocol ServeListener: Sendable {
    /// Where it can be reached, such as `http://127.0.0.1:7788/`, once it is started.
    var address: String { get }
    /// Begins to answer; returns once connections are taken.
    func start() throws
    /// Ends it: open answers are ended, within a few seconds.
    func stop()
}

/// Where a ``ServeListener`` listens and who may use it.
package struct ServeListening: Sendable {
    /// `HOST:PORT` (port 0 for any) or `unix:PATH`.
    package var address: String
    /// The file that has tokens, nil where none is set.
    package var tokenFile: String?
    /// A socket that listens already, as systemd passes it on; it goes before ``address``.
    package var descriptor: Int32?
    /// The variables of the process.
    package var environment: [String: String] = [:]

    /// Says where to listen.
    package init(address: String) { self.address = address }
}
