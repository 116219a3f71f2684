internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceServeModel
internal import SluiceStore

/// Which keys of a pipeline file read a value of a record.
enum MappingKeys {
    /// One key.
    struct Key {
        /// Its path in the file, such as `entities.Book.fields.price`.
        let path: String
        /// What it says.
        let meaning: String
    }

    /// The keys to look at for a record that could not be taken.
    static func of(_ entry: QuarantineEntry, in definition: PipelineDefinition) -> [Key] {
        guard let entity = definition.entity(named: entry.entity) else { return [] }
        let own = "entities.\(entity.name)"
        var keys: [Key] = []
        for field in entity.fields where reads(field, entry.pointer) {
            keys.append(
                Key(path: "\(own).fields.\(field.name)", meaning: "reads \(place(field)) as \(field.type.rawValue)"))
        }
        // What is made stands at no place; its message names the field.
        if entry.pointer.isEmpty, madeReasons.contains(entry.reason) {
            for field in entity.fields {
                guard let key = maker(field) else { continue }
                keys.append(
                    Key(
                        path: "\(own).fields.\(field.name).\(key)",
                        meaning: "makes \(field.name) of the record, as \(field.type.rawValue)"))
            }
        }
        if entry.reason == "missing_key" || keys.isEmpty {
            keys.append(
                Key(
                    path: "\(own).primary_key",
                    meaning: "identifies a record by \(entity.primaryKey.joined(separator: ", "))"))
        }
        if let stream = definition.streams.first(where: { $0.name == entry.stream }) {
            let records =
                stream.records?.pointer.map {
                    $0.isEmpty ? "the answer is the list of records" : "the records are at \($0)"
                } ?? "where the records are"
            keys.append(Key(path: "streams.\(stream.name).records", meaning: records))
        }
        return keys
    }

    /// Whether a field's value stands at a pointer, or within what does.
    private static func reads(_ field: FieldDefinition, _ pointer: String) -> Bool {
        guard !pointer.isEmpty, let own = self.pointer(field) else { return false }
        return own == pointer || own.hasPrefix(pointer + "/") || pointer.hasPrefix(own + "/")
    }

    /// Why a value that is made may not be taken.
    private static let madeReasons: Set<String> = ["type_mismatch", "not_allowed", "jq_failed", "lossy_number"]

    /// The key that says how a field's value is made; nil where it is taken from the record or around it.
    private static func maker(_ field: FieldDefinition) -> String? {
        switch field.origin {
        case .program: "expr"
        case .template: "value"
        case .path, .reference, .references, .content, .parentKey, .position: nil
        }
    }

    private static func pointer(_ field: FieldDefinition) -> String? {
        switch field.origin {
        case .path(let path), .reference(let path, _), .references(let path, _): path.pointer
        case .template, .program, .content, .parentKey, .position: nil
        }
    }

    private static func place(_ field: FieldDefinition) -> String { pointer(field) ?? "the record" }
}
