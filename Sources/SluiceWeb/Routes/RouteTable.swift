internal import SluiceHTTPServer

/// All that can be asked for.
enum RouteTable {
    static let all: [Route] = APIRoutes.all + PageRoutes.all + OpenRoutes.all

    /// What a request asks for.
    ///
    /// - Throws: ``Refusal`` where there is no such thing, or it cannot be asked for so.
    static func find(_ request: IncomingRequest) throws(Refusal) -> (Route, [String: String]) {
        let method = request.method == "HEAD" ? "GET" : request.method
        var methods: [String] = []
        for route in all {
            guard let parameters = route.match(request.path) else { continue }
            if route.method == method { return (route, parameters) }
            methods.append(route.method)
        }
        if methods.isEmpty { throw .notFound("There is nothing at this address.") }
        methods.sort()
        var refusal = Refusal(
            405, "wrong_method", "This address takes \(methods.joined(separator: " and ")) alone.")
        // HEAD is answered wherever GET is.
        refusal.allowed = methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
        throw refusal
    }

    /// Whether programs ask, so that they are answered in their form whatever comes of it.
    static func isData(_ request: IncomingRequest) -> Bool {
        request.path.first == "api" || request.path == ["metrics"]
    }
}
