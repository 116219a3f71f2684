package import SluiceDecode
package import SluiceHTTP
internal import SluiceModel
package import SluicePipeline

/// What is asked for one page; two that are equal would bring the same page.
package struct PageRequest: Hashable {
    package var url: HTTPURL
    /// What a paginator adds to the stream's headers.
    package var headers: [HTTPField] = []
    /// What is sent; nil for nothing.
    package var body: RequestBody?

    /// Makes a value of its parts.
    package init(url: HTTPURL, headers: [HTTPField] = [], body: RequestBody? = nil) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A hash that is the same in every run.
    package var digest: UInt64 {
        let fields = headers.flatMap { [$0.name, $0.value] }
        return ([url.text] + fields).map { FieldDigest.text(Array($0.utf8)) }.reduce(
            body.map { FieldDigest.text($0.bytes) } ?? 0, KeyHash.combine)
    }

    /// Its parameters, those of its body among them.
    package var parameters: [HTTPField] { url.parameters + (body?.parameters ?? []) }

    /// The request as it is sent, without credentials.
    package func httpRequest(of stream: StreamDefinition) -> HTTPRequest {
        var fields = stream.headers.map { HTTPField($0.name, $0.value.revealed) }
        fields.removeAll { field in headers.contains { $0.isNamed(field.name) } }
        fields += headers
        if let type = body?.contentType, !fields.contains(where: { $0.isNamed("Content-Type") }) {
            fields.append(HTTPField("Content-Type", type))
        }
        return HTTPRequest(method: stream.method.rawValue, url: url.text, headers: fields, body: body?.bytes)
    }

    /// The request with values of a paginator in their place.
    package func setting(_ values: [(name: String, value: PageValue)], in place: StreamDefinition.PagePlace)
        -> PageRequest
    {
        var request = self
        switch place {
        case .query: request.url = url.setting(parameters: values.map { HTTPField($0.name, $0.value.plain) })
        case .header: request.headers = values.map { HTTPField($0.name, $0.value.plain) }
        case .body:
            for (name, value) in values { request.body?.set(name, value) }
        }
        return request
    }
}

/// The body of a request.
package struct RequestBody: Hashable {
    private var definition: StreamDefinition.Body

    package init(_ definition: StreamDefinition.Body) { self.definition = definition }

    /// Its type, where it says one; a text has the type that the stream's headers give it.
    var contentType: String? {
        switch definition {
        case .json: "application/json"
        case .form: FormText.type
        case .text: nil
        }
    }

    /// What goes over the wire.
    package var bytes: [UInt8] {
        switch definition {
        case .json(let value): Array(Self.json(value).utf8)
        case .form(let fields):
            Array(FormText.encoded(fields.map { HTTPField($0.name, $0.value.revealed) }).utf8)
        case .text(let text): Array(text.revealed.utf8)
        }
    }

    /// What it asks for by name, a value that is one or stands among the `variables` of GraphQL.
    package var parameters: [HTTPField] {
        switch definition {
        case .json(let value): Self.parameters(of: value)
        case .form(let fields): fields.map { HTTPField($0.name, $0.value.revealed) }
        case .text: []
        }
    }

    private static func parameters(of value: StreamDefinition.BodyValue) -> [HTTPField] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { member -> [HTTPField] in
            switch member.value {
            case .literal(let text), .text(let text): [HTTPField(member.name, text.revealed)]
            case .object: member.name == "variables" ? parameters(of: member.value) : []
            case .array: []
            }
        }
    }

    /// Puts a value in its place: a field of a form, or a member of an object at a path such as `variables.after`.
    package mutating func set(_ name: String, _ value: PageValue) {
        switch definition {
        case .json(let body):
            let path = name.split(separator: ".").map(String.init)
            definition = .json(Self.setting(path[...], to: value, in: body))
        case .form(let fields):
            definition = .form(
                fields.filter { $0.name != name } + [NamedText(name: name, value: ConfigurationText(value.plain))])
        case .text: break
        }
    }

    private static func setting(
        _ path: ArraySlice<String>, to value: PageValue, in body: StreamDefinition.BodyValue
    ) -> StreamDefinition.BodyValue {
        guard let name = path.first else { return .literal(ConfigurationText(value.json)) }
        var members: [StreamDefinition.BodyMember] = []
        if case .object(let known) = body { members = known }
        let index = members.firstIndex { $0.name == name } ?? members.count
        if index == members.count {
            members.append(StreamDefinition.BodyMember(name: name, value: .literal(ConfigurationText("null"))))
        }
        members[index].value = setting(path.dropFirst(), to: value, in: members[index].value)
        return .object(members)
    }

    private static func json(_ value: StreamDefinition.BodyValue) -> String {
        switch value {
        case .literal(let text): text.revealed
        case .text(let text): PageValue.text(text.revealed).json
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { PageValue.text($0.name).json + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
    }
}

extension StreamDefinition {
    /// The URL of the first page, without what a paginator adds.
    ///
    /// - Throws: ``HTTPError`` where there is no such URL.
    package func url(base: ConfigurationText) throws(HTTPError) -> HTTPURL {
        var url = try HTTPURL(base.revealed)
        if let path { url = try url.appending(path: path.revealed) }
        return url.adding(parameters: parameters.map { HTTPField($0.name, $0.value.revealed) })
    }

    /// What of its requests must never appear in a message.
    package func secrets(base: ConfigurationText) -> [String] {
        let texts = parameters.map(\.value) + headers.map(\.value) + [base, path ?? base] + (body?.texts ?? [])
        return texts.flatMap(\.secrets) + listsWithMore.flatMap { $0.more.request.secrets(base: base) }
    }
}
