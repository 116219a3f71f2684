internal import SluiceHTTPServer
internal import SluiceJSON

/// The JSON object that a request sends; an empty body is an empty object.
struct APIBody {
    private let root: JSONValue?

    /// - Throws: ``Refusal`` where the body is no object.
    init(_ question: Question) throws(Refusal) {
        if question.request.body.isEmpty {
            root = nil
            return
        }
        guard let document = try? JSONDocument(question.request.body), document.root.kind == .object else {
            throw .badRequest("The body is no JSON object.")
        }
        root = document.root
    }

    /// A text.
    ///
    /// - Throws: ``Refusal`` where it is something else.
    func text(_ name: String) throws(Refusal) -> String? {
        guard let value = root?.member(named: name) else { return nil }
        guard let text = value.string else { throw .badRequest("`\(name)` is a text.") }
        return text
    }

    /// A truth value.
    ///
    /// - Throws: ``Refusal`` where it is something else.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = root?.member(named: name) else { return nil }
        guard value.kind == .bool else { throw .badRequest("`\(name)` is true or false.") }
        return value.boolean
    }

    /// Who asks: the name of the token, else the one that is given.
    ///
    /// - Throws: ``Refusal`` where the name is no text.
    func who(_ visitor: Visitor) throws(Refusal) -> String {
        if let name = visitor.name { return name }
        return try text("name") ?? "api"
    }
}
