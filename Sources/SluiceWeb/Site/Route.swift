internal import SluiceHTTPServer
internal import SluiceReview

/// One thing that can be asked for.
struct Route: Sendable {
    /// What it is answered with.
    enum Kind: Sendable {
        /// A page for people.
        case page
        /// JSON for programs, or another form for them.
        case data
    }

    let method: String
    /// The path; a segment `{name}` stands for any.
    let path: String
    let kind: Kind
    /// Who may ask, nil for everybody.
    let role: Role?
    /// What the description of the API says of it, nil where it is no part of that.
    var operation: Operation?
    let answer: @Sendable (WebSite, Question) throws -> OutgoingResponse

    init(
        _ method: String, _ path: String, _ kind: Kind, role: Role?, operation: Operation? = nil,
        answer: @escaping @Sendable (WebSite, Question) throws -> OutgoingResponse
    ) {
        (self.method, self.path, self.kind, self.role) = (method, path, kind, role)
        (self.operation, self.answer) = (operation, answer)
    }

    /// The segments of the path.
    var segments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: true) }

    /// What the segments in braces stand for in a path; nil where the path is another one.
    func match(_ path: [String]) -> [String: String]? {
        let own = segments
        guard own.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(own, path) {
            if part.hasPrefix("{") {
                if segment.isEmpty { return nil }
                parameters[String(part.dropFirst().dropLast())] = segment
            } else if part != segment[...] {
                return nil
            }
        }
        return parameters
    }
}

/// A request with what its route makes of it.
struct Question: Sendable {
    let request: IncomingRequest
    /// What the segments in braces stand for.
    let parameters: [String: String]
    let visitor: Visitor

    /// What a segment in braces stands for.
    subscript(name: String) -> String { parameters[name] ?? "" }

    /// A field of the query that is not empty.
    func query(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A number of the query within bounds.
    ///
    /// - Throws: ``Refusal`` where it is none.
    func number(_ name: String, standard: Int, within range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let text = query(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest("`\(name)` is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Whether something is asked for.
    ///
    /// - Throws: ``Refusal`` where the query says neither yes nor no.
    func flag(_ name: String) throws(Refusal) -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw .badRequest("`\(name)` is true or false.")
        }
    }

    /// One of some words of the query.
    ///
    /// - Throws: ``Refusal`` where it is another one.
    func choice(_ name: String, of words: [String]) throws(Refusal) -> String? {
        guard let word = query(name) else { return nil }
        guard words.contains(word) else {
            throw .badRequest("`\(name)` is one of \(words.joined(separator: ", ")).")
        }
        return word
    }

    /// The place of a list of changes that `after` names.
    ///
    /// - Throws: ``Refusal`` where it is none.
    func place() throws(Refusal) -> HistoryPlace? {
        guard let text = query("after") else { return nil }
        guard let place = HistoryPlace(text) else { throw .badRequest("`after` is the `next` of an earlier answer.") }
        return place
    }

    /// A field of the form that was sent.
    func form(_ name: String) -> String? { request.form?[name].flatMap { $0.isEmpty ? nil : $0 } }
}
