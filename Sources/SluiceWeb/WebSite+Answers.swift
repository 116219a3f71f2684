package import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceSystem

extension WebSite {
    /// Answers a request, whatever it is.
    package func answer(_ request: IncomingRequest) -> OutgoingResponse {
        var visitor: Visitor?
        do {
            let (route, parameters) = try RouteTable.find(request)
            let admitted = try gatekeeper.admit(request, as: route.role, isData: route.kind == .data)
            visitor = admitted
            // What is not known yet is not told as nothing.
            if route.role != nil, control.status().isStarting {
                throw Refusal(503, "starting", "The service is just starting. Ask again in a moment.")
            }
            let question = Question(request: request, parameters: parameters, visitor: admitted)
            return SafeHeaders.add(to: try route.answer(self, question))
        } catch {
            let refusal = Self.refusal(error)
            var response = refused(request, refusal, visitor)
            if !refusal.allowed.isEmpty {
                response.headers.append(HeaderField("Allow", refusal.allowed.joined(separator: ", ")))
            }
            return SafeHeaders.add(to: response)
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
}
