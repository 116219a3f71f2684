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

    let source: ModelSource
    let feed: RecordFeed
    let connection: Connection

    private var lists: [List] {
        let description = source.description
        return description.relationships.indices.compactMap { index in
            guard let target = description.relationships[index].target?.modelDescription,
                let link = try? LinkDescription(description, index, target),
                let order = LinkOrder(description, index, target, link),
                case .table(let table, let owners, let targets, _) = link, order.side == owners,
                let place = description.relationships[index].json
            else { return nil }
            let keys = target.identifiers.compactMap { target.fields[$0].json }
            guard keys.count == targets.count else { return nil }
            // Of a list within lists the order is that of no list.
            let steps = place.steps.last == .wildcard ? Array(place.steps.dropLast()) : place.steps
            if steps.contains(.wildcard) || !place.isPlain { return nil }
            let path = JSONPath(steps: steps, text: place.text)
            return List(path: path, keys: keys, table: table, owners: owners, targets: targets)
        }
    }

    /// Does it.
    ///
    /// - Throws: What the feed and the database throw.
    func give() throws {
        if feed.holdsStoredValues { return }
        let wanting = try lists.filter { list in
            try connection.integer(
                "SELECT 1 FROM \(SQLIdentifier.quoted(list.table)) WHERE \(Self.isWithout) LIMIT 1") != nil
        }
        if wanting.isEmpty { return }
        let plan = try feed.plan(source)
        var decoder = try CheckedDecoder(plan, source.description)
        try feed.forEach(source.stream) { record, page, first in
            var batch = RecordBatch(fieldCount: plan.fields.count)
            let place = RecordDecoder.Page(number: page, firstOrdinal: first)
            let failure = decoder.decode(record, page: place, into: &batch)
            // What stands within was merged already.
            _ = decoder.takeParts()
            guard failure == nil, batch.count == 1 else { return true }
            let owner = batch.key(of: 0, schema: plan.schema).values.map { SQLiteValue(BoxedValue($0)) }
            let root = try JSONDocument(record.copy).root
            for list in wanting { try give(Self.keys(list, in: root), list, owner) }
            return true
        }
    }

    private static let isWithout = "\(SQLIdentifier.quoted(LinkOrder.column)) IS NULL"

    /// The keys of a list's elements in their order, as texts.
    private static func keys(_ list: List, in record: JSONValue) -> [[SQLiteValue]] {
        var found: [[SQLiteValue]] = []
        for element in list.path.first(in: record)?.elements ?? [] {
            let parts =
                element.kind == .object
                ? list.keys.compactMap { $0.first(in: element) } : list.keys.count == 1 ? [element] : []
            let texts = parts.compactMap { $0.string ?? $0.numberText }
            if texts.count == list.keys.count { found.append(texts.map { SQLiteValue($0) }) }
        }
        return found
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
