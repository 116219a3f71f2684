internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluiceSQLite

/// Gives pairs that a source brought their places: behind those that have one, in the order of the source's list. What has a
/// place keeps it.
struct ListPlaces {
    /// A list of the source whose pairs have an order.
    private struct List {
        /// Where a record has it.
        let path: JSONPath
        /// Where an element that is an object has its parts of the key.
        let keys: [JSONPath]
        let table: String
        let owners: [String]
        let targets: [String]
    }

    /// What a model's records have that is to be placed, in them and in the records that they hold by value.
    private struct Level {
        var lists: [List] = []
        /// The records by value: where they are, where they have their keys, and what they have themselves.
        var inner: [(path: JSONPath, keys: [JSONPath], level: Level)] = []

        var isEmpty: Bool { lists.isEmpty && inner.isEmpty }
    }

    let source: ModelSource
    let feed: RecordFeed
    let connection: Connection

    private func place(_ name: String, _ given: JSONPath?) -> JSONPath? {
        guard feed.holdsStoredValues, given != nil else { return given }
        return JSONPath(steps: [.name(name)], text: name)
    }

    /// Where the elements of a list have their keys; nil where one of these has no place.
    private func keys(of target: ModelDescription) -> [JSONPath]? {
        let paths = target.identifiers.compactMap { place(target.fields[$0].name, target.fields[$0].json) }
        return paths.count == target.identifiers.count ? paths : nil
    }

    /// What a model's records have of which some pairs have no place.
    private func level(_ description: ModelDescription) throws -> Level {
        var level = Level()
        for field in description.fields {
            guard let reference = field.reference, reference.isByValue, let path = place(field.name, field.json) else {
                continue
            }
            try add(reference, at: path, to: &level)
        }
        for (index, relationship) in description.relationships.enumerated() {
            guard let target = relationship.target?.modelDescription, let keys = keys(of: target),
                let link = try? LinkDescription(description, index, target),
                case .table(let table, let owners, let targets, _) = link,
                let place = place(relationship.name, relationship.json)
            else { continue }
            // Of a list within lists the order is that of no list.
            let steps = place.steps.last == .wildcard ? Array(place.steps.dropLast()) : place.steps
            if steps.contains(.wildcard) || !place.isPlain { continue }
            let path = JSONPath(steps: steps, text: place.text)
            if let order = LinkOrder(description, index, target, link), order.side == owners,
                try connection.integer("SELECT 1 FROM \(SQLIdentifier.quoted(table)) WHERE \(Self.isWithout) LIMIT 1")
                    != nil
            {
                level.lists.append(List(path: path, keys: keys, table: table, owners: owners, targets: targets))
            }
            if relationship.isByValue { try add(relationship, at: path, to: &level) }
        }
        return level
    }

    private func add(_ relationship: ModelDescription.Relationship, at path: JSONPath, to level: inout Level) throws {
        guard let target = relationship.target?.modelDescription, let keys = keys(of: target) else { return }
        let inner = try self.level(target)
        if !inner.isEmpty { level.inner.append((path, keys, inner)) }
    }

    /// Does it.
    ///
    /// - Throws: What the feed and the database throw.
    func give() throws {
        let level = try level(source.description)
        if level.isEmpty { return }
        let plan = try feed.plan(source)
        var decoder = try CheckedDecoder(plan)
        try feed.forEach(source.stream) { record, page, first in
            var batch = RecordBatch(fieldCount: plan.fields.count)
            let place = RecordDecoder.Page(number: page, firstOrdinal: first)
            let failure = decoder.decode(record, page: place, into: &batch)
            // What stands within was merged already.
            _ = decoder.takeParts()
            guard failure == nil, batch.count == 1 else { return true }
            let key = batch.key(of: 0, schema: plan.schema).values.map { BoxedValue($0) }
            try give(level, to: try JSONDocument(record.copy).root, key.map { SQLiteValue($0) })
            return true
        }
    }

    private static let isWithout = "\(SQLIdentifier.quoted(LinkOrder.column)) IS NULL"

    /// Gives the pairs of a record their places, and those of the records that it holds.
    private func give(_ level: Level, to record: JSONValue, _ owner: [SQLiteValue]) throws {
        for list in level.lists {
            let keys = Self.elements(list.path, list.keys, in: record).map { $0.key.map { SQLiteValue($0) } }
            try give(keys, list, owner)
        }
        for (path, keys, level) in level.inner {
            for (element, key) in Self.elements(path, keys, in: record) where element.kind == .object {
                try give(level, to: element, key.map { SQLiteValue($0) })
            }
        }
    }

    /// The records at a path in their order, with their keys as texts.
    ///
    /// - Parameters:
    ///   - path: Where they stand.
    ///   - keys: Where an element that is an object has the parts of its key.
    ///   - record: The record that has them.
    /// - Returns: Those that have a key.
    static func elements(
        _ path: JSONPath, _ keys: [JSONPath], in record: JSONValue
    ) -> [(element: JSONValue, key: [String])] {
        guard let value = path.first(in: record) else { return [] }
        return (value.kind == .array ? value.elements : [value]).compactMap { element in
            let parts =
                element.kind == .object
                ? keys.compactMap { $0.first(in: element) } : keys.count == 1 ? [element] : []
            let texts = parts.compactMap { $0.string ?? $0.numberText }
            return texts.count == keys.count ? (element, texts) : nil
        }
    }

    /// Gives the pairs of one record their places.
    private func give(_ keys: [[SQLiteValue]], _ list: List, _ owner: [SQLiteValue]) throws {
        let table = SQLIdentifier.quoted(list.table)
        let place = SQLIdentifier.quoted(LinkOrder.column)
        let isOwned = Self.match(list.owners, from: 1) { $0 }
        let wants = try connection.integer(
            "SELECT 1 FROM \(table) WHERE \(isOwned) AND \(Self.isWithout) LIMIT 1", owner)
        if wants == nil { return }
        // Keys of numbers are told apart by their texts as well.
        let isMeant = Self.match(list.targets, from: owner.count + 1) { "CAST(\($0) AS TEXT)" }
        let next = "(SELECT coalesce(max(\(place)), -1) + 1 FROM \(table) WHERE \(isOwned))"
        for key in keys {
            try connection.run(
                "UPDATE \(table) SET \(place) = \(next) WHERE \(isOwned) AND \(isMeant) AND \(Self.isWithout)",
                owner + key)
        }
    }

    private static func match(_ columns: [String], from first: Int, _ form: (String) -> String) -> String {
        columns.enumerated().map { "\(form(SQLIdentifier.quoted($1))) = ?\(first + $0)" }.joined(separator: " AND ")
    }
}
