internal import SluiceCommands

/// The description of the API, made of the routes themselves.
enum OpenAPI {
    static let text: String = {
        var document = JSONObject()
        document.add("openapi", "3.1.0")
        document.add("info", json: info)
        document.add("servers", json: "[{\"url\":\"/\"}]")
        document.add("security", json: "[{},{\"token\":[]},{\"session\":[]}]")
        document.add("paths", json: paths)
        document.add("components", json: components)
        return document.text + "\n"
    }()

    private static var info: String {
        var info = JSONObject()
        info.add("title", "Sluice")
        info.add("version", "1")
        info.add(
            "description",
            "What `sluice serve` knows and does. Names of members stay; new ones may come, so ignore those that you do not know."
        )
        return info.text
    }

    private static var paths: String {
        var paths = JSONObject()
        var names: [String] = []
        let routes = APIRoutes.all
        for route in routes where !names.contains(route.path) { names.append(route.path) }
        for name in names {
            var path = JSONObject()
            for route in routes where route.path == name {
                if let operation = route.operation { path.add(route.method.lowercased(), json: text(operation, route)) }
            }
            paths.add(name, json: path.text)
        }
        return paths.text
    }

    private static func text(_ operation: Operation, _ route: Route) -> String {
        var object = JSONObject()
        object.add("operationId", operation.id)
        object.add("summary", operation.summary)
        if route.role == .decide { object.add("description", "Needs the role `decide`.") }
        if !operation.parameters.isEmpty {
            object.add("parameters", json: JSONText.array(operation.parameters.map(text)))
        }
        if let body = operation.body {
            object.add(
                "requestBody", json: "{\"required\":true,\"content\":{\"application/json\":{\"schema\":\(body.json)}}}")
        }
        var answers = JSONObject()
        for answer in operation.answers { answers.add(String(answer.status), json: text(answer)) }
        answers.add("default", json: "{\"$ref\":\"#/components/responses/problem\"}")
        object.add("responses", json: answers.text)
        return object.text
    }

    private static func text(_ parameter: Operation.Parameter) -> String {
        var object = JSONObject()
        object.add("name", parameter.name)
        object.add("in", parameter.isInPath ? "path" : "query")
        if parameter.isInPath { object.add("required", true) }
        object.add("description", parameter.help)
        object.add("schema", json: parameter.schema.json)
        return object.text
    }

    private static func text(_ answer: Operation.Answer) -> String {
        var object = JSONObject()
        object.add("description", answer.help)
        object.add("content", json: "{\(JSONText.quoted(answer.type)):{\"schema\":\(answer.schema.json)}}")
        return object.text
    }

    private static var components: String {
        var schemas = JSONObject()
        for (name, schema) in APISchemas.all { schemas.add(name, json: schema.json) }
        let problem =
            "{\"description\":\"Why it was not done; as plain text where the request could not be read\",\"content\":{\"application/json\":{\"schema\":\(Schema.named("Problem").json)},\"text/plain\":{\"schema\":\(Schema.text.json)}}}"
        let token = "{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":\"A token of `--token-file`\"}"
        let session =
            "{\"type\":\"apiKey\",\"in\":\"cookie\",\"name\":\"\(Gatekeeper.cookie)\",\"description\":\"The session of the page; changes send the header `\(Gatekeeper.formHeader)` too\"}"
        return "{\"schemas\":\(schemas.text),\"responses\":{\"problem\":\(problem)},"
            + "\"securitySchemes\":{\"token\":\(token),\"session\":\(session)}}"
    }
}
