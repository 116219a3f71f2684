internal import SluiceDiagnostics
internal import SluicePipeline

/// Says who is told how a run ended.
struct NotificationBuilder {
    let file: String
    let reporter: Reporter

    /// The entries of `notify` without a wrong part, in the order of the file.
    func build(_ node: ConfigNode?) -> [NotificationDefinition] {
        (node?.elements ?? []).compactMap { $0.members == nil ? nil : notification($0) }
    }

    private func notification(_ node: ConfigNode) -> NotificationDefinition? {
        guard let channel = channel(of: node) else { return nil }
        let on = node.member("on")
        let events = (on?.elements ?? [on].compactMap { $0 }).compactMap {
            $0.choice(NotificationDefinition.Event.self)
        }
        var notification = NotificationDefinition(events: Set(events), channel: channel)
        if let timeout = node.member("timeout")?.duration { notification.timeout = timeout }
        return notification
    }

    private func channel(of node: ConfigNode) -> NotificationDefinition.Channel? {
        let (webhook, command) = (node.member("webhook"), node.member("command"))
        if let webhook, command != nil {
            reporter.report(
                .conflictingKeys, "An entry of `notify` has `webhook` and `command`, and it tells in one way.",
                at: webhook.start, help: "Write an entry for each of them.")
            return nil
        }
        if let webhook { return webhook.text.map { .webhook($0) } }
        if let command { return .command(words(command.elements ?? [])) }
        reporter.report(
            .missingKey, "An entry of `notify` needs `webhook` or `command`.", at: node.start,
            help: "For example: `webhook: \"${env:SLACK_URL}\"`, or `command: [/usr/local/bin/page-me]`")
        return nil
    }

    /// The program and its arguments; a program beside the file is found from every folder.
    private func words(_ nodes: [ConfigNode]) -> [ConfigurationText] {
        var words = nodes.compactMap(\.text)
        guard let program = words.first?.revealed, program.contains("/"), !program.hasPrefix("/") else { return words }
        let folder = FilePath.absolute(FilePath.folder(of: file))
        if words[0].isSecret {
            words[0].parts.insert(ConfigurationText.Part(folder + "/"), at: 0)
        } else {
            words[0] = ConfigurationText(FilePath.join(folder, program))
        }
        return words
    }
}
