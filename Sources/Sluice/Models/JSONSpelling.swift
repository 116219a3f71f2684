internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// How the properties of a model stand in JSON, made once for all its records.
final class JSONSpelling: Sendable {
    /// Where a property is.
    struct Place {
        /// The names that lead there, one within the other; at least one.
        let names: [String]
        /// The position of the field; nil for what is none.
        let field: Int?
    }

    /// Where a property of a name in Swift is. What is not among them, or has no plain path, has its own name.
    private let places: [String: Place]
    /// The same of the fields, in their order.
    private let fieldPlaces: [Place?]
    /// What `Codable` calls the fields.
    let codingKeys: [String]
    /// The names in JSON that say that something is said of the fields, one within the other; nil for those of which JSON says nothing.
    let fields: [[String]?]
    /// The positions of the fields of which JSON says anything.
    let said: PositionSet
    /// The same as of the fields of the relationships.
    let relationships: [[String]?]
    /// The types of the fields.
    let types: [FieldType]
    /// The names of the fields in the store as members: in quotes, with a colon.
    let members: [[UInt8]]
    /// The same of the relationships.
    let lists: [[UInt8]]

    init(_ fields: [ModelDescription.Field], _ relationships: [ModelDescription.Relationship]) {
        var places: [String: Place] = [:]
        for relationship in relationships.reversed() {
            places[relationship.property] = relationship.json.flatMap(Self.place).map { Place(names: $0, field: nil) }
        }
        for (index, field) in fields.enumerated().reversed() {
            if let path = field.json {
                places[field.codingKey] = Self.place(path).map { Place(names: $0, field: index) }
            } else if !relationships.contains(where: { $0.property == field.codingKey }) {
                places[field.codingKey] = nil
            }
        }
        self.places = places
        fieldPlaces = fields.indices.map { index in
            places[fields[index].codingKey].flatMap { $0.field == index ? $0 : nil }
        }
        codingKeys = fields.map(\.codingKey)
        self.fields = fields.map { $0.json.map(Self.names) }
        var said = PositionSet()
        said.formUnion(fields.indices.filter { fields[$0].json != nil })
        self.said = said
        self.relationships = relationships.map { $0.json.map(Self.names) }
        types = fields.map(\.fieldType)
        members = fields.map { Self.member($0.name) }
        lists = relationships.map { Self.member($0.name) }
    }

    /// Where a property of a name in Swift is; nil where it has its own name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - next: The position of the field that is likely to be the one; that of the next one afterwards.
    /// - Returns: The place.
    func place(of name: String, near next: inout Int) -> Place? {
        if next < codingKeys.count, codingKeys[next] == name, let place = fieldPlaces[next] {
            next += 1
            return place
        }
        let place = places[name]
        if let field = place?.field { next = field + 1 }
        return place
    }

    /// The names that lead to a property; nil where other steps do. A path to a list may say that it means the elements.
    private static func place(_ path: JSONPath) -> [String]? {
        let steps = path.steps.last == .wildcard ? path.steps.dropLast() : path.steps[...]
        let names = steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
        return names.isEmpty || names.count < steps.count ? nil : names
    }

    /// The names of a path up to a list.
    private static func names(_ path: JSONPath) -> [String] {
        path.steps.prefix { $0 != .wildcard }.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    private static func member(_ name: String) -> [UInt8] { Array((FieldJSON.quoted(name) + ":").utf8) }
}
