internal import SluiceJSON

extension ModelDescription {
    /// Whether its records, or those by value within them, lead to others in an order.
    var hasOrder: Bool {
        var seen: Set<String> = []
        func isOrdered(_ description: ModelDescription) -> Bool {
            if !seen.insert(description.entity).inserted { return false }
            if description.relationships.contains(where: { $0.isOrdered || $0.isByValue }) { return true }
            return description.fields.compactMap(\.reference).contains { reference in
                reference.isByValue && reference.target.map { isOrdered($0.modelDescription) } ?? false
            }
        }
        return isOrdered(self)
    }
}

extension SaidProperties {
    /// The same with the keys of lists in the order in which a record has them in JSON.
    ///
    /// - Parameters:
    ///   - json: The record.
    ///   - description: Its model.
    /// - Returns: What is said of it.
    func ordered(as json: JSONValue, _ description: ModelDescription) -> SaidProperties {
        var said = self
        for (index, inner) in single {
            let field = description.fields[index]
            guard let target = field.reference?.target?.modelDescription, let object = field.json?.first(in: json)
            else {
                continue
            }
            said.single[index] = inner.ordered(as: object, target)
        }
        for (index, relationship) in description.relationships.enumerated() {
            guard listKeys[index] != nil || lists[index] != nil,
                let target = relationship.target?.modelDescription, let path = relationship.json, path.isPlain
            else { continue }
            let keys = target.identifiers.compactMap { target.fields[$0].json }
            let steps = path.steps.last == .wildcard ? Array(path.steps.dropLast()) : path.steps
            if keys.count != target.identifiers.count || steps.contains(.wildcard) { continue }
            let list = ListPlaces.elements(JSONPath(steps: steps, text: path.text), keys, in: json)
            if let given = listKeys[index] {
                let places = Dictionary(list.enumerated().map { ($1.key, $0) }) { first, _ in first }
                func place(_ key: String) -> Int { Self.parts(of: key, target).flatMap { places[$0] } ?? list.count }
                // Those of one place stay as they stand.
                said.listKeys[index] = given.enumerated().map { (place: place($1), rank: $0, key: $1) }
                    .sorted { ($0.place, $0.rank) < ($1.place, $1.rank) }.map(\.key)
            }
            for (key, inner) in lists[index] ?? [:] {
                guard let element = list.first(where: { $0.key == key.map(\.text) })?.element, element.kind == .object
                else { continue }
                said.lists[index]?[key] = inner.ordered(as: element, target)
            }
        }
        return said
    }

    /// The parts of a key as JSON, as texts.
    private static func parts(of key: String, _ target: ModelDescription) -> [String]? {
        guard let root = try? JSONDocument(key).root else { return nil }
        let parts =
            root.kind == .object
            ? target.identifiers.compactMap { root.member(named: target.fields[$0].name) } : [root]
        return parts.compactMap { $0.string ?? $0.numberText }
    }
}
