internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceModel
internal import SluicePipeline

extension ImportKey {
    /// Chooses the key.
    ///
    /// - Parameters:
    ///   - inspection: What was found.
    ///   - asked: The names that `--key` gives, with commas between them.
    ///   - view: What to show where none can be chosen.
    ///   - log: Is told of doubts.
    /// - Throws: ``Failure`` where none can be chosen or one cannot be a key.
    init(_ inspection: ImportInspection, asked: String?, view: ImportText, log: Log) throws {
        let candidates = inspection.keyCandidates
        guard let asked else {
            guard let certain = candidates.certain else {
                log.report(
                    .sourceFindings, lines: view.text(key: nil, style: TextStyle(isColored: false)) + "\n")
                throw Failure(
                    .usage,
                    "\(candidates.doubt) Name the fields that identify a record with `--key FIELD[,FIELD]`, or use a hash of all values with `--key \(Self.content)`."
                )
            }
            self.init(identity: .fields(certain.fields), reason: certain.reason, wasAsked: false)
            return
        }
        if asked == Self.content, !inspection.fields.contains(where: { $0.name == asked || $0.isAt(asked) }) {
            if inspection.fields.contains(where: { $0.name == EntityDefinition.contentKeyName }) {
                throw Failure(
                    .usage,
                    "The records have a field `\(EntityDefinition.contentKeyName)`, whose column a hash of their values would need. Name the fields that identify a record."
                )
            }
            self.init(identity: .content, reason: "a hash of all values, as asked for", wasAsked: true)
            return
        }
        var names: [String] = []
        for name in asked.split(separator: ",").map(String.init) {
            let field = try Self.field(name, of: inspection)
            if names.contains(field.name) { throw Failure(.usage, "`--key` names `\(name)` twice.") }
            names.append(field.name)
        }
        if names.isEmpty { throw Failure(.usage, "`--key` names no field.") }
        self.init(identity: .fields(names), reason: "as asked for", wasAsked: true)
        if let gap = inspection.gap(in: names) { log.report(.keyDoubtful, gap + ".") }
    }

    private static func field(_ name: String, of inspection: ImportInspection) throws -> ImportedField {
        let fields = inspection.fields
        guard let field = fields.first(where: { $0.name == name }) ?? fields.first(where: { $0.isAt(name) }) else {
            let names = fields.map(\.name)
            let hint = Suggestion.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
            throw Failure(.usage, "The records have no field `\(name)`.\(hint) The fields are \(list(names)).")
        }
        if !field.canBeKey {
            throw Failure(
                .usage, "`\(field.name)` is of type `\(field.type.rawValue)`, whose values cannot identify a record.")
        }
        return field
    }

    private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
