internal import SluicePipeline

extension AuthenticationBuilder {
    /// Refuses cursors within a login: it is asked for all streams at once, of which each has its own.
    func checkVariables(_ node: ConfigNode) {
        switch node.content {
        case .sequence(let elements): elements.forEach(checkVariables)
        case .mapping(let members): members.forEach { checkVariables($0.value) }
        case .scalar(let scalar):
            // What comes from elsewhere is sent as it is, whatever it looks like.
            guard scalar.isVerbatim else { return }
            let text = ConfigurationText(scalar.text.revealed)
            // Parents and items are no matter of a login either, which is said where streams are looked at.
            guard text.templateProblem() == nil, let problem = text.templateProblem([.runStartedAt, .parent, .item])
            else { return }
            reporter.report(
                .conflictingKeys,
                "`auth.login` has no cursor: a cursor belongs to a stream, and the login is for all streams.",
                at: problem.offset.map { node.place(ofOffset: $0) } ?? node.start,
                help: "Leave it out here; the requests of the streams may use it.")
        }
    }
}

extension [NamedText] {
    /// Those that a request can be sent with that is of no stream.
    var withoutCursors: [NamedText] {
        filter { !$0.value.parts.contains { $0.variable?.name.isOfStream == true } }
    }
}
