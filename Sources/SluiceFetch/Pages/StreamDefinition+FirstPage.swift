internal import SluiceDecode
internal import SluiceHTTP
internal import SluicePages
internal import SluicePipeline

extension StreamDefinition {
    /// The URL of the first page, with what asks for changes alone. Where values lead on from a token that is a URL, they
    /// go along with it.
    func url(base: ConfigurationText, since token: PageToken?) throws -> HTTPURL {
        let url = try url(base: base)
        if case .link(let link)? = token?.lead, paginator.requester.valueParameter != nil { return try HTTPURL(link) }
        guard case .value(let value)? = token?.lead, let name = syncToken?.parameter else { return url }
        return url.setting(parameters: [HTTPField(name, value.plain)])
    }
}
