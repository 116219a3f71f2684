internal import SluiceHTTPServer
package import SluiceServeModel
internal import SluiceSystem

/// The page, the API and the metrics of a service.
package final class WebServer: ServeListener {
    private let server: HTTPServer
    private let site: WebSite

    /// Where it can be reached.
    package let address: String

    /// Opens the socket; nothing is answered yet.
    ///
    /// - Parameters:
    ///   - control: What is asked and told.
    ///   - listening: Where to listen, and who may ask.
    ///   - program: The program that carries out decisions.
    /// - Throws: What is wrong and what to do, as sentences.
    package convenience init(
        control: any ServeControl, listening: ServeListening, program: String = "/proc/self/exe"
    ) throws {
        try self.init(control: control, listening: listening, program: program, limits: ServerLimits())
    }

    init(control: any ServeControl, listening: ServeListening, program: String, limits: ServerLimits) throws {
        let site = try WebSite(control: control, listening: listening, program: program)
        let place = try listening.descriptor.map { ServerAddress.descriptor($0) } ?? ServerAddress(listening.address)
        let socket = try ListeningSocket(place)
        if !site.asksForToken && !socket.isLocal {
            socket.end()
            throw ServerError(
                "`\(listening.address)` can be reached from other machines. Listen at 127.0.0.1, or set `--token-file`."
            )
        }
        self.site = site
        address = socket.port == nil ? socket.name : "http://\(socket.name)/"
        server = HTTPServer(socket, limits: limits) {
            Niceness.hold()
            return site.answer($0)
        }
    }

    /// Begins to answer.
    package func start() throws {
        site.start()
        try server.start()
    }

    /// Ends it.
    package func stop() {
        server.stop()
        site.stop()
    }
}
