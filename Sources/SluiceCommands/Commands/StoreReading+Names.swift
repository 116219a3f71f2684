internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// Names by which a command line chooses: one that the store does not know is a mistake, and no empty list.
extension StoreReading {
    /// Checks what `--pipeline`, `--stream`, `--entity` and `--field` name.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - others: What is listed of pipelines, streams and entities that fill no table any more.
    /// - Throws: ``Failure``, which says what there is, and `StoreError`.
    func checkNames(_ arguments: ParsedArguments, besides others: [RecordMapping] = []) throws {
        let names: [OptionSpec.ID] = [.pipeline, .stream, .entity, .field]
        if !names.contains(where: arguments.has) { return }
        let all = try read { try $0.mappings(pipeline: nil, entity: nil) + others }
            .filter { choice.means($0.pipeline) }
        if let name = arguments.text(.pipeline) {
            let known = try choice.pipelines ?? read { try $0.runs.pipelines() } + all.map(\.pipeline)
            try check(name, "pipeline", among: known)
        }
        var meant = all.filter { mapping in arguments.text(.pipeline).map { $0 == mapping.pipeline } ?? true }
        let streams = arguments.texts(.stream)
        for name in streams { try check(name, "stream", among: meant.map(\.stream)) }
        if !streams.isEmpty { meant = meant.filter { streams.contains($0.stream) } }
        if let name = arguments.text(.entity) {
            try check(name, "entity", among: meant.map(\.entity))
            meant = meant.filter { $0.entity == name }
        }
        if let name = arguments.text(.field) { try check(name, "field", among: try fields(of: meant)) }
    }

    /// What is said of a name that the store does not know.
    ///
    /// - Parameters:
    ///   - noun: What it should be the name of.
    ///   - name: The name.
    ///   - known: The names that there are, in any order.
    /// - Returns: The failure.
    func unknown(_ noun: String, _ name: String, among known: [String]) -> Failure {
        let names = Set(known).sorted()
        if names.isEmpty { return Failure(.failed, "The \(choice.name) has no \(noun) `\(name)`: it is empty.") }
        let hint = Suggestion.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return Failure(.failed, "The \(choice.name) has no \(noun) `\(name)`.\(hint) It has \(list).")
    }

    private func check(_ name: String, _ noun: String, among known: [String]) throws {
        if !known.contains(name) { throw unknown(noun, name, among: known) }
    }

    private func fields(of mappings: [RecordMapping]) throws -> [String] {
        try read { store in
            try mappings.flatMap { mapping in
                try store.knownTable(pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)?
                    .schema.fields.map(\.name) ?? []
            }
        }
    }
}
