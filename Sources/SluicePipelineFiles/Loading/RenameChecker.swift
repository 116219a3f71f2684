internal import SluicePipeline
internal import SluiceYAML

/// Checks what is said of earlier names: what has been renamed is no longer there.
struct RenameChecker {
    let root: ConfigNode
    let reporter: Reporter

    func check() {
        check([root], names: [root.member("name")?.string].compactMap { $0 })
        let streams = root.member("streams")?.elements ?? []
        check(streams, names: streams.compactMap { $0.member("name")?.string })
        let entities = root.member("entities")?.members ?? []
        check(entities.map(\.value), names: entities.map(\.name))
        check(
            entities.map(\.value), "table_renamed_from",
            names: entities.map { entity in
                entity.value.member("table")?.string ?? SnakeCase.convert(entity.name)
            })
        for entity in entities {
            let fields = entity.value.member("fields")?.members ?? []
            check(fields.map(\.value), names: fields.map(\.name))
        }
    }

    private func check(_ nodes: [ConfigNode], _ key: String = "renamed_from", names: [String]) {
        var known: Set<String> = []
        for node in nodes {
            guard let place = node.member(key), let name = place.string else { continue }
            if names.contains(name) {
                reporter.report(
                    .duplicateName, "`\(key)` is `\(name)`, and that name is still in use.", at: place.start,
                    help: "Write the former name, or remove `\(key)` if nothing was renamed.")
            } else if !known.insert(name).inserted {
                reporter.report(
                    .duplicateName, "`\(key)` is `\(name)` a second time.", at: place.start,
                    help: "Only one of them can take over what the store keeps under that name.")
            }
        }
    }
}
