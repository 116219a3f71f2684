internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// Makes a stream's rule for asking for changes by a token, and checks that nothing stands against it.
struct SyncTokenBuilder {
    /// The stream's keys, those of `defaults` among them.
    let node: ConfigNode
    /// The stream as far as it is built.
    let stream: StreamDefinition
    let hasFiles: Bool
    let reporter: Reporter

    /// The rule, nil where the stream has none.
    func build() -> StreamDefinition.SyncToken? {
        guard let rule = node.member("incremental"), let place = rule.member("token") else { return nil }
        for member in rule.members ?? [] where !["token", "token_param"].contains(member.name) {
            let detail =
                member.name == "cursor_field"
                ? "`incremental` has both a `token` and a `cursor_field`."
                : "`\(member.name)` needs a `cursor_field`, but `incremental` has a `token`."
            reporter.report(
                .conflictingKeys, detail, at: member.value.start,
                help: "Remove one of them: changes are asked for by a token or by a cursor.")
        }
        if let obstacle {
            reporter.report(
                .conflictingKeys, "`incremental.token` \(obstacle.reason).", at: place.start, help: obstacle.help)
        }
        guard let path = place.string.flatMap({ try? JSONPath(parsing: $0) }) else { return nil }
        if !path.isSingular {
            reporter.report(
                .conflictingKeys, "`incremental.token` must lead to one value, but `*` selects several.",
                at: place.start, help: "Name one element, such as `[0]`.")
        }
        if stream.deletedWhen == nil, stream.writeMode == .merge {
            reporter.report(
                .unreadDeletions,
                "`\(stream.name)` asks for changes by a token and has no `deleted_when`, so a record that the source calls deleted keeps its row.",
                at: place.start,
                help:
                    "Add what such a record has, for example `deleted_when: has(\"@removed\")`, or `deleted_when: 'false'` for a source that deletes nothing."
            )
        }
        return StreamDefinition.SyncToken(path: path, parameter: rule.member("token_param")?.string)
    }

    private var obstacle: (reason: String, help: String)? {
        if hasFiles { return ("needs a source over HTTP, and this one reads files", "Leave `incremental` out.") }
        if stream.format != .json {
            return (
                "is a path into one JSON value, but the pages are `\(stream.format.rawValue)`", "Use a `cursor_field`."
            )
        }
        if stream.parent != nil || !stream.items.isEmpty {
            return (
                "is the token of one list, but the stream reads several (`parent`, `for_each`)",
                "Give each list a stream of its own."
            )
        }
        return nil
    }
}
