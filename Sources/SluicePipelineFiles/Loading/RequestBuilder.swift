internal import SluicePipeline

/// Makes what requests are sent with.
struct RequestBuilder {
    /// The source, or nil where it is not known.
    let source: SourceDefinition?
    let reporter: Reporter

    /// Builds the method and the body.
    func build(_ stream: inout StreamDefinition, _ node: ConfigNode) {
        stream.body = node.member("body").flatMap { BodyBuilder(node: $0, reporter: reporter).build() }
        let method = node.member("method")?.choice(StreamDefinition.Method.self)
        stream.method = method ?? (stream.body == nil ? .get : .post)
        if source?.base.isFile == true, let unused = node.member("method") ?? node.member("body") {
            reporter.report(
                .conflictingKeys, "A `file:` source gets no requests, so it takes no `method` and no `body`.",
                at: unused.start)
        } else if method == .get, stream.body != nil, let place = node.member("method") {
            reporter.report(
                .conflictingKeys, "A `GET` request sends no `body`.", at: place.start,
                help: "Leave `method` out, or make it `POST`.")
        }
    }

    /// The source's headers (whose names ignore case) or parameters, each replaced in its place by the stream's of the same name, then the stream's others.
    static func merge(_ source: [NamedText]?, _ stream: ConfigNode?, foldsCase: Bool) -> [NamedText] {
        var texts: [NamedText] = []
        let own = foldsCase ? stream?.headers : stream?.namedTemplates
        for text in (source ?? []) + (own ?? []) {
            let same = texts.firstIndex {
                foldsCase ? $0.name.lowercased() == text.name.lowercased() : $0.name == text.name
            }
            if let same { texts[same] = text } else { texts.append(text) }
        }
        return texts
    }
}
