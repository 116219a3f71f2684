internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceStore

/// Where records in quarantine stood in their source, as far as their fields ask for it: the name of the member that a
/// record was, the name of its file, and what its page was asked for. They are not in its JSON, but often they are its
/// key.
struct KeptPlaces {
    /// Where one record stood.
    struct Place {
        var member = ""
        var hasMember = false
        var fileStem = ""
        var partition: Partition?
    }

    /// Whether it is known where a record stood.
    enum Finding {
        case known(Place)
        /// What is not known, as the begin of a sentence.
        case unknown(String)
    }

    /// The fields of the key that hold a name as it is, and whether any field needs it.
    private struct Names {
        var keyField: String?
        var isNeeded = false
    }

    private var members = Names()
    private var files = Names()
    /// By what the partition gives.
    private var asked: [TextTemplate.Part: Names] = [:]
    private let shape: PartitionShape?

    init(entity: EntityDefinition, entriesKey: String?, shape: PartitionShape?) {
        self.shape = shape
        for field in entity.fields {
            let isKey = entity.primaryKey.contains(field.name)
            switch field.origin {
            case .path(let path):
                guard let entriesKey, path.steps == [.name(entriesKey)] else { continue }
                members.isNeeded = true
                if isKey && field.map.isEmpty { members.keyField = field.name }
            case .template(let template):
                for part in template.parts where part.variable != nil {
                    asked[part, default: Names()].isNeeded = true
                    if isKey && template.parts == [part] { asked[part]?.keyField = field.name }
                }
                guard template.parts.contains(.fileStem) else { continue }
                files.isNeeded = true
                if isKey && template.parts == [.fileStem] { files.keyField = field.name }
            case .program, .content, .reference, .references, .parentKey, .position: continue
            }
        }
    }

    /// Where a record stood.
    func place(of entry: QuarantineEntry, _ json: StoredJSON) -> Finding {
        var place = Place()
        if members.isNeeded {
            guard let name = text(members, of: entry, json) else { return .unknown("the name of its member") }
            place.member = name
            place.hasMember = true
        }
        if files.isNeeded {
            guard let name = text(files, of: entry, json) else { return .unknown("the name of its file") }
            place.fileStem = name
        }
        if !asked.isEmpty {
            guard let shape else { return .unknown("what its page was asked for") }
            var values = [String](repeating: "", count: shape.parentFields.count + shape.lists.count)
            for (part, names) in asked {
                guard let position = part.variable.flatMap({ shape.position(of: $0) }),
                    let name = text(names, of: entry, json)
                else { return .unknown("what its page was asked for") }
                values[position] = name
            }
            place.partition = Partition(shape: shape, values: values)
        }
        return .known(place)
    }

    private func text(_ names: Names, of entry: QuarantineEntry, _ json: StoredJSON) -> String? {
        guard let field = names.keyField, let key = entry.key.flatMap({ json.members($0) }),
            let member = key.first(where: { $0.name == field })
        else { return nil }
        if case .text(let bytes)? = json.value(member.json, type: .string) {
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }
}
