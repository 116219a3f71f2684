/// What the description of the API says of a route.
struct Operation: Sendable {
    /// A part of the path or a field of the query.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let help: String
        var isInPath = false
    }

    /// How it may be answered.
    struct Answer: Sendable {
        let status: Int
        let help: String
        var type = "application/json"
        var schema = Schema.any
    }

    /// The name for programs that are generated.
    let id: String
    let summary: String
    var parameters: [Parameter] = []
    /// What is sent, nil where nothing is.
    var body: Schema?
    /// How it is answered where all goes well; problems are the same for all.
    let answers: [Answer]
}

extension Operation.Parameter {
    static func path(_ name: String, _ help: String, _ schema: Schema = .text) -> Self {
        Self(name: name, schema: schema, help: help, isInPath: true)
    }

    static func query(_ name: String, _ help: String, _ schema: Schema = .text) -> Self {
        Self(name: name, schema: schema, help: help)
    }
}
