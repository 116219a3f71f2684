internal import SluiceCommands
package import SluiceHTTPServer
package import SluiceServeModel
internal import SluiceStore
internal import SluiceSystem

/// Answers requests.
package final class WebSite: Sendable {
    let control: any ServeControl
    let gatekeeper: Gatekeeper
    let program: ProgramRunner
    let stores: StoreReader
    let states: StateReader
    let metrics: MetricsCollector

    /// Makes a site.
    ///
    /// - Parameters:
    ///   - control: What is asked and told.
    ///   - listening: Who may ask; where it listens is not looked at.
    ///   - program: The program that carries out decisions.
    /// - Throws: What is wrong with the token file, as sentences.
    package init(control: any ServeControl, listening: ServeListening, program: String) throws {
        self.control = control
        self.program = ProgramRunner(program: program, environment: listening.environment)
        gatekeeper = Gatekeeper(tokens: try listening.tokenFile.map { try TokenFile(path: $0) })
        stores = StoreReader()
        states = StateReader(stores: stores)
        metrics = MetricsCollector(control: control)
    }

    /// Whether people have to log in.
    var asksForToken: Bool { gatekeeper.asksForToken }

    /// Begins to count what runs come to.
    package func start() { metrics.start() }

    /// Ends that.
    package func stop() { metrics.stop() }

    /// Answers a request, whatever it is.
    package func answer(_ request: IncomingRequest) -> OutgoingResponse {
        var visitor: Visitor?
        do {
            let (route, parameters) = try RouteTable.find(request)
            let admitted = try gatekeeper.admit(request, to: route)
            visitor = admitted
            let question = Question(request: request, parameters: parameters, visitor: admitted)
            return SafeHeaders.add(to: try route.answer(self, question))
        } catch {
            return SafeHeaders.add(to: refused(request, Self.refusal(error), visitor))
        }
    }

    private func refused(_ request: IncomingRequest, _ refusal: Refusal, _ visitor: Visitor?) -> OutgoingResponse {
        if RouteTable.isData(request) {
            var response = APIAnswer.problem(refusal)
            if refusal.status == 401 { response.headers.append(HeaderField("WWW-Authenticate", "Bearer")) }
            return response
        }
        if refusal.code == "no_token", request.isSafe, request.method == "GET" {
            return LoginPage.redirect(from: request)
        }
        return ProblemPage.answer(refusal, self, visitor)
    }

    /// What an error from below means for who asked.
    private static func refusal(_ error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: refusal
        case let error as ServeRefusal:
            Refusal(
                error.kind == .unknown ? 404 : error.kind == .stopping ? 503 : 409, error.kind.rawValue, error.message)
        case let error as StoreError:
            Refusal(error.code == .locked ? 409 : 503, error.name, error.message)
        case let error as SystemError: Refusal(503, "system", "The program \(error.description).")
        default: Refusal(500, "internal", "This is a bug in sluice.")
        }
    }

    /// A pipeline by its name.
    ///
    /// - Throws: ``Refusal`` where there is none.
    func pipeline(_ name: String) throws(Refusal) -> ServedPipeline {
        guard let pipeline = control.status().pipeline(named: name) else {
            throw .notFound("There is no pipeline `\(name)`.")
        }
        return pipeline
    }
}
