internal import SluiceJSON
internal import SluiceModel
internal import SluiceServeModel

extension ServedCounts {
    /// The member that tells of records within others, by entity.
    private static let withinName = "entities"

    /// Reads the counts that an object has by the names of reports. What it does not say is zero.
    init(_ object: JSONValue) {
        self.init()
        for (name, path) in Self.members { self[keyPath: path] = object.integer(name).map { Int(clamping: $0) } ?? 0 }
        for member in object.member(named: Self.withinName)?.members ?? [] {
            within[member.name] = ServedCounts(member.value)
        }
    }

    /// The counts of records within others as JSON; nil where there are none.
    var withinJSON: (name: String, json: String)? {
        if within.isEmpty { return nil }
        let entities = within.sorted { $0.key < $1.key }.map { entity, counts in
            let members = counts.told.map { "\"\($0.name)\":\($0.count)" }
            return "\(FieldJSON.quoted(entity)):{\(members.joined(separator: ","))}"
        }
        return (Self.withinName, "{\(entities.joined(separator: ","))}")
    }
}
