internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline

extension SourceProbe {
    static func firstAnswer(
        _ client: ProbeClient, _ source: ProbeSource, _ stream: StreamDefinition
    ) throws -> ProbeAnswer {
        do {
            return try client.ask(
                PageRequest(url: try stream.url(base: source.base), body: stream.body.map { RequestBody($0) }))
        } catch let error as HTTPError {
            guard let status = error.status else { throw error }
            // What follows the first line speaks of keys of a pipeline, which there is none of yet.
            let sentence = error.message.split(separator: "\n").first.map(String.init) ?? error.message
            throw ImportError(.failed, sentence, remedy: remedy(for: status, hasHeaders: !source.secrets.isEmpty))
        }
    }

    private static func remedy(for status: Int, hasHeaders: Bool) -> StaticString {
        switch status {
        case 401, 403:
            hasHeaders
                ? "The credentials that were given are wrong, expired, or not enough for this."
                : "Give credentials with `--header`, as in `--header 'Authorization: Bearer ${env:TOKEN}'` with `TOKEN` in the environment or in a file that `--env-file` names."
        case 404, 410: "Check the URL."
        case 429, 500...599: "Try again later."
        default: "Check the URL, and the headers that are sent with `--header`."
        }
    }

    static func firstPage(
        _ answer: ProbeAnswer, _ stream: StreamDefinition, _ place: RecordsPlace
    ) throws -> ProbedPage {
        let name = answer.page.name
        let type = answer.head.headers.first("Content-Type") ?? ""
        let start = try PageBytes(answer.page).firstBytes()
        if start.first == UInt8(ascii: "<") || type.lowercased().hasPrefix("text/html") {
            throw ImportError(
                .failed,
                "\(name) answered with \(type.lowercased().contains("xml") ? "XML" : "HTML"), where JSON was expected: it is a page for people, such as a login. Check the URL, ask for JSON with `--header 'Accept: application/json'`, or give credentials with `--header`."
            )
        }
        if start.isEmpty {
            throw ImportError(.failed, "\(name) is empty: there are no records to look at. Check the URL.")
        }
        let page: ProbedPage
        do {
            page = try ProbedPage(answer, stream: stream, key: nil)
        } catch let error as JSONError {
            throw ImportError(.failed, "\(name) cannot be read: \(error.advice)")
        }
        if page.recordCount == 0, place.path != nil {
            throw ImportError(
                .failed,
                "The list at `\(place.text)` of \(name) is empty, so there are no records to find fields and key by. Probe a part of the source that has some, or say with `--records PATH` where they are."
            )
        }
        return page
    }
}
