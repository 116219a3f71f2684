internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceHTTP
internal import SluicePipeline

/// A URL as a pipeline asks for it: credentials in its query apart, since they are not written.
package struct ProbeSource {
    /// The largest response that is taken: the body goes to a temporary file, not to memory.
    static let maximumResponseBytes = 1 << 30

    let base: ConfigurationText
    let path: ConfigurationText?
    /// The query's parameters that are secret.
    let parameters: [NamedText]
    let headers: [NamedText]
    let method: StreamDefinition.Method
    let body: StreamDefinition.Body?
    /// The other parameters of the query, decoded, and the values of the body.
    let query: [(name: String, value: String)]

    /// - Throws: ``HTTPError`` where it is no URL.
    init(
        _ url: String, headers: [NamedText], method: StreamDefinition.Method = .get, body: StreamDefinition.Body? = nil
    ) throws {
        let (base, path) = try Self.split(url)
        self.base = ConfigurationText(base)
        self.headers = headers
        self.method = method
        self.body = body
        let places = body?.places ?? []
        guard let path else {
            (self.path, parameters, query) = (nil, [], places)
            return
        }
        let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
        let secret = items.filter { Self.isSecret($0, base: base) }
        let open = items.filter { !secret.contains($0) }
        let question = open.isEmpty ? "" : "?" + open.joined(separator: "&")
        self.path = ConfigurationText(String(halves[0]) + question)
        query = open.map(Self.pair) + places
        parameters = secret.map(Self.pair).map { name, value in
            NamedText(name: name, value: ConfigurationText(parts: [.init(value, isSecret: true)]))
        }
    }

    /// Everything that must not be told, also in the forms that it takes in JSON and in URLs.
    var secrets: [String] {
        let texts = (headers + parameters).flatMap(\.value.secrets)
        return texts + texts.map { String(PageValue.text($0).json.dropFirst().dropLast()) }
            + texts.map(HTTPURL.percentEncoded)
    }

    /// The source as a pipeline has it.
    var definition: SourceDefinition { SourceDefinition(base: .http(base)) }

    /// A stream that asks for the URL.
    func stream(_ paginator: StreamDefinition.Paginator = .none) -> StreamDefinition {
        var stream = StreamDefinition(
            name: Self.trialName, entity: "", path: path, parameters: parameters, headers: headers, paginator: paginator
        )
        ask(&stream)
        return stream
    }

    /// Lets a stream ask as this source is asked: what asks for a page stands in the body where there is one.
    func ask(_ stream: inout StreamDefinition) {
        stream.method = method
        stream.body = body
        guard case .json(.object)? = body else { return }
        switch stream.paginator {
        case .none where stream.name != Self.trialName, .headerLink, .jsonLink: stream.pageLimits.place = .query
        case .none, .cursor, .pageNumber, .offset: stream.pageLimits.place = .body
        }
    }

    /// The name of a stream whose paginator is not known yet.
    private static let trialName = "probe"

    /// Messages hide the values of some names, and so does a pipeline.
    private static func isSecret(_ item: String, base: String) -> Bool {
        guard item.contains("="), !item.hasSuffix("="), let url = try? HTTPURL("\(base)/?\(item)") else {
            return false
        }
        return url.redacted().hasSuffix("=***")
    }

    /// What is asked for as a pipeline says it: the query stands in `params`, unless it says what names with values cannot.
    ///
    /// - Parameter dropped: The names of parameters that are left out.
    /// - Returns: The path, and the parameters with those that are secret.
    func place(without dropped: Set<String> = []) -> (path: ConfigurationText?, parameters: [NamedText]) {
        guard let text = path?.revealed else { return (path, parameters) }
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count > 1 else { return (path, parameters) }
        let items = halves[1].split(separator: "&").map(String.init).filter { !dropped.contains(Self.pair($0).name) }
        let named = items.map(Self.pair)
        let names = Set(named.map(\.name) + parameters.map(\.name))
        let isTable = names.count == named.count + parameters.count && !names.contains("")
        guard isTable, items.allSatisfy({ $0.contains("=") }), !named.contains(where: { Self.isMarked($0.value) })
        else {
            let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
            return (ConfigurationText(halves[0] + query), parameters)
        }
        let open = named.map { NamedText(name: $0.name, value: ConfigurationText($0.value)) }
        return (ConfigurationText(String(halves[0])), open + parameters)
    }

    /// Whether a value would mean something else in a pipeline, or is no text.
    private static func isMarked(_ value: String) -> Bool {
        value.contains("${") || value.contains("{{") || value.contains("\u{FFFD}")
    }

    private static func pair(_ item: String) -> (name: String, value: String) {
        let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (decoded(halves[0]), halves.count > 1 ? decoded(halves[1]) : "")
    }

    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentText.lenientBytes(text.utf8, isForm: true), as: UTF8.self)
    }

    /// A URL as a pipeline has it: scheme and host, then path and query.
    private static func split(_ url: String) throws -> (base: String, path: String?) {
        _ = try HTTPURL(url)
        let whole = url.prefix { $0 != "#" }
        guard let slashes = whole.firstRange(of: "//") else { return (String(whole), nil) }
        let authority = whole[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" }
        let rest = whole[authority.endIndex...]
        let base = String(whole[..<authority.endIndex])
        if rest.isEmpty { return (base, nil) }
        return (base, rest.hasPrefix("?") ? "/" + rest : String(rest))
    }
}
