internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What people changed in one table.
struct TableEdits {
    /// A source that fills the table.
    private struct Source {
        let mapping: RecordMapping
        let table: any RecordTable
        let canonical: CanonicalRecord
        /// Whether its records are asked for.
        let isAsked: Bool
        /// The order in which it was merged last beside the others, which one of them keeps for those that have none of their own; nil
        /// where none was.
        let order: KeptOrder?
        /// Whether values of its stream wait in the quarantine since a change of type.
        let hasWaiting: Bool
        /// The records within which its records stand.
        let owners: DisputedOwners
        var schema: RecordSchema { canonical.schema }

        /// The position of the field of a column, nil where it has none.
        func field(_ column: String) -> Int? {
            schema.fields.firstIndex { $0.column.lowercased() == column.lowercased() }
        }
    }

    /// What a source said of a record that another one has too.
    private struct Witness {
        let position: Int
        let key: RecordKey
        let base: BaseRow
        var isLive: Bool { base.tellsEdits }
    }

    private static let chunk = 2_000
    private let store: any RecordStore
    private let sources: [Source]
    private let tally: LiveTally?

    init(_ table: String, in store: any RecordStore, asked: [RecordMapping], _ tally: LiveTally?) throws {
        (self.store, self.tally) = (store, tally)
        let mappings = try store.sources(of: table)
        let orders = try mappings.map { mapping in
            try store.state.value(.order, pipeline: mapping.pipeline, stream: mapping.stream)
        }
        let first = orders.lazy.compactMap { $0 }.first
        // What goes first tells what all of them have.
        func place(_ source: Source) -> Int { source.order?.order.place(of: source.mapping) ?? .max }
        sources = try zip(mappings, orders).compactMap { mapping, order in
            guard let table = try store.knownTable(mapping) else { return nil }
            return Source(
                mapping: mapping, table: table, canonical: CanonicalRecord(schema: table.schema),
                isAsked: asked.contains(mapping),
                order: order ?? first,
                hasWaiting: try store.quarantine.openTypeChanges(
                    ofStreams: [mapping.stream], pipeline: mapping.pipeline) > 0,
                owners: try DisputedOwners(of: table.schema, in: store))
        }.sorted { place($0) < place($1) }
    }

    func forEach(progress: (Int) -> Void, _ body: (RecordEdit) throws -> Void) throws {
        var rows = 0
        let first = sources.firstIndex(where: \.isAsked)
        /// How many rows of the table the first source that is asked has; nil where that is not known.
        var known: Int? = 0
        for (position, source) in sources.enumerated() where source.isAsked {
            // What one source of several gave says nothing of the columns that others fill.
            let leftOut: LeftOutRows = sources.count == 1 ? .same(RowHasher(source.schema)) : .none
            var last: RecordKey?
            repeat {
                let found = try source.table.comparedRows(
                    after: last, limit: Self.chunk, leavingOut: leftOut,
                    withMarks: tally?.wantsMarks(of: source.schema) ?? false)
                tally?.accept(found, of: source.schema)
                for row in found.rows {
                    if let edit = try edit(row, of: position) { try body(contested(edit, row.key, of: position)) }
                }
                if position == first { known = known.flatMap { known in found.rowCount.map { known + $0 } } }
                last = found.last
                rows += found.rowCount ?? Self.chunk
                progress(rows)
            } while last != nil
        }
        for position in sources.indices where sources[position].isAsked { try reportDeletedStubs(of: position, body) }
        guard let position = first else { return }
        // Looking for rows without a base costs a look-up for each, and counting them next to nothing.
        if let known, try sources[position].table.rowCount() == known { return }
        var last: RecordKey?
        repeat {
            let found = try sources[position].table.keysWithoutBase(after: last, limit: Self.chunk)
            for key in found.keys {
                if let edit = try stranger(key, of: position) { try body(contested(edit, key, of: position)) }
            }
            last = found.last
        } while last != nil
    }

    /// Reports the rows that runs made for others and that people deleted: nothing else tells of these.
    private func reportDeletedStubs(of position: Int, _ body: (RecordEdit) throws -> Void) throws {
        let (source, json) = (sources[position], StoredJSON())
        let stubs = try store.changes.stubs(source.mapping).compactMap { stub in
            json.key(stub.key, schema: source.schema).map { (key: $0, run: stub.run) }
        }
        for start in stride(from: 0, to: stubs.count, by: Self.chunk) {
            let some = Array(stubs[start...].prefix(Self.chunk))
            let rows = try source.table.localRows(some.map(\.key))
            for (stub, row) in zip(some, rows) where row == nil {
                // What a source has, or had since, is told by its base.
                let bases =
                    try [source.table.baseRow(stub.key)] + witnesses(of: stub.key, besides: position).map(\.base)
                if bases.contains(where: { $0.map { $0.state.isLive || $0.lastRun ?? 0 > stub.run } ?? false }) {
                    continue
                }
                try body(made(.delete, stub.key, [], of: position, since: stub.run))
            }
        }
    }

    // MARK: Records

    /// What was done to a record that a source has or had; nil where it is nothing, or told of another source.
    private func edit(_ row: ComparedRow, of position: Int) throws -> RecordEdit? {
        let others = try witnesses(of: row.key, besides: position)
        if others.contains(where: { $0.position < position && sources[$0.position].isAsked }) { return nil }
        let isLive = row.base.tellsEdits || others.contains(where: \.isLive)
        guard let values = row.values else {
            // Of a row whose deletion is stated nobody asks any more.
            let isListed = ([row.base] + others.map(\.base)).contains { $0.state.isLive }
            let (table, owners) = (sources[position].table, sources[position].owners)
            guard isListed, let base = try owners.settled(row.base, of: row.key, table) else { return nil }
            let witnesses = [Witness(position: position, key: row.key, base: base)] + others
            return try disputed(deletion(witnesses), witnesses)
        }
        if !isLive {
            if try insertion(row.key, of: position)?.isOfStub == true {
                return filled(row.key, values, over: row.base.entries, of: position, since: row.base.lastRun)
            }
            return try addition(row.key, values, of: position, since: row.base.lastRun)
        }
        let fields = try edited(row, values, of: position, others)
        if fields.isEmpty { return nil }
        let witness = Witness(position: position, key: row.key, base: row.base)
        let edit = made(.edit, row.key, fields, of: position, since: try settledRun(witness))
        return try disputed(
            awaited(waiting(edit, row.key, of: position), row.key, of: position), [witness] + others)
    }

    /// A row that no source ever had; nil where one has it after all, or where a run made it and nobody filled it.
    private func stranger(_ key: RecordKey, of position: Int) throws -> RecordEdit? {
        let others = try witnesses(of: key, besides: position)
        // A source that is asked tells it itself.
        if others.contains(where: { $0.isLive || sources[$0.position].isAsked }) { return nil }
        guard let values = try sources[position].table.localRow(key) else { return nil }
        if let insertion = try insertion(key, of: position) {
            // What a source had once and is forgotten is no edit.
            guard insertion.isOfStub else { return nil }
            let unsaid = [BaseEntry](repeating: .none, count: values.count)
            return filled(key, values, over: unsaid, of: position, since: nil)
        }
        return try addition(key, values, of: position, since: nil)
    }

    /// What people put into a row that a run made for others that refer to it; nil where it has nothing but its key.
    private func filled(
        _ key: RecordKey, _ values: [FieldValue], over entries: [BaseEntry], of position: Int, since run: Int64?
    ) -> RecordEdit? {
        let canonical = sources[position].canonical
        if canonical.isBare(values, over: entries) { return nil }
        let fields = values.indices.filter { index in
            !canonical.schema.keyFields.contains(index)
                && canonical.side(of: values[index], field: index) != canonical.schema.fields[index].unsaid
        }.map { field($0, .none, canonical.text(values[$0], field: $0), of: position) }
        return fields.isEmpty ? nil : made(.edit, key, fields, of: position, since: run)
    }

    /// The change by which a run put a row there; nil where people did.
    private func insertion(_ key: RecordKey, of position: Int) throws -> RecordedChange? {
        for other in sources.indices {
            guard let key = translated(key, from: position, to: other) else { continue }
            let name = FieldJSON.object(key: key, schema: sources[other].schema)
            if let insert = try store.changesOfRow(sources[other].mapping, key: name).insertOfRow { return insert }
        }
        return nil
    }

    /// A row that is gone, with what it held as far as sources said it, whichever of them is asked, and the run by which they
    /// had said it.
    ///
    /// - Parameter witnesses: What they say of the record, first the one that tells it.
    /// - Returns: The edit.
    /// - Throws: `StoreError`.
    private func deletion(_ witnesses: [Witness]) throws -> RecordEdit {
        var fields: [RecordEdit.Field] = []
        var columns: Set<String> = []
        var told: [Witness] = []
        for witness in witnesses {
            for (index, described) in sources[witness.position].schema.fields.enumerated()
            where columns.insert(described.column.lowercased()).inserted {
                let claims = standing(witnesses.compactMap { claim($0, on: described.column) })
                guard let last = claims.max(by: { $0.isBefore($1) }), last.base != .value("null") else { continue }
                fields.append(field(index, last.base, nil, of: witness.position))
                if !schema(of: last.witness).keyFields.contains(last.field) { told.append(last.witness) }
            }
        }
        // What a plan wrote has no run yet.
        let since = try (told.isEmpty ? Array(witnesses.prefix(1)) : told).map { try settledRun($0) ?? .max }.max()
        return made(
            .delete, witnesses[0].key, fields, of: witnesses[0].position, since: since == .max ? nil : since)
    }

    private func schema(of witness: Witness) -> RecordSchema { sources[witness.position].schema }

    /// The run by which a source's base was settled, and not the one that opened a conflict.
    private func settledRun(_ witness: Witness) throws -> Int64? {
        guard witness.base.isOpen else { return witness.base.lastRun }
        let name = FieldJSON.object(key: witness.key, schema: schema(of: witness))
        let changes = try store.changes.records(sources[witness.position].mapping, key: name)
        // What came later was taken back since, or took it back: the base would be of that run else.
        let opening = changes.last { $0.opensConflict && $0.run <= witness.base.lastRun ?? .max }
        return opening?.baseBefore?.lastRun ?? witness.base.lastRun
    }

    private func addition(
        _ key: RecordKey, _ values: [FieldValue], of position: Int, since run: Int64?
    ) throws -> RecordEdit {
        let own = values.indices.filter { !values[$0].isNull }.map { index in
            field(index, .none, sources[position].canonical.text(values[index], field: index), of: position)
        }
        let columns = Set(sources[position].schema.fields.map { $0.column.lowercased() })
        return made(
            .add, key, own + (try typed(key, of: position, besides: [position], columns)), of: position, since: run)
    }

    private func made(
        _ kind: RecordEdit.Kind, _ key: RecordKey, _ fields: [RecordEdit.Field], of position: Int, since run: Int64?
    ) -> RecordEdit {
        let source = sources[position]
        return RecordEdit(
            mapping: source.mapping, table: source.schema.table,
            key: FieldJSON.object(key: key, schema: source.schema), kind: kind, fields: fields, sinceRun: run)
    }

    /// What was done to a record, with the open conflicts over it.
    private func disputed(_ edit: RecordEdit, _ witnesses: [Witness]) throws -> RecordEdit {
        var edit = edit
        for witness in witnesses where witness.base.isOpen {
            let mapping = sources[witness.position].mapping
            let name = FieldJSON.object(key: witness.key, schema: schema(of: witness))
            for entry in try store.conflicts.open(of: mapping, keys: [name])[ExactText(name)] ?? [] {
                guard let number = entry.id else { continue }
                let conflict = RecordEdit.Conflict(number: number, remote: entry.remote)
                guard let field = entry.field else {
                    edit.conflict = edit.conflict ?? conflict
                    continue
                }
                for index in edit.fields.indices where edit.fields[index].name == field {
                    edit.fields[index].conflict = edit.fields[index].conflict ?? conflict
                    // What the store forgot of the source since, the conflict shows.
                    if edit.fields[index].base == .none, let said = entry.base {
                        edit.fields[index].base = .value(said)
                    }
                }
            }
        }
        return edit
    }

    /// An edit with the entries of the quarantine in which its values wait.
    private func waiting(_ edit: RecordEdit, _ key: RecordKey, of position: Int) throws -> RecordEdit {
        var edit = edit
        for other in sources.indices where sources[other].hasWaiting {
            guard let key = translated(key, from: position, to: other) else { continue }
            let (mapping, schema) = (sources[other].mapping, sources[other].schema)
            let entries = try store.quarantine.entries(of: mapping, key: FieldJSON.object(key: key, schema: schema))
            for index in edit.fields.indices where edit.fields[index].waitsIn == nil {
                let field = edit.fields[index]
                edit.fields[index].waitsIn = WaitingValue.entry(in: entries, field: field.name, local: field.local)
            }
        }
        return edit
    }

    /// An edit with what became of the records to which the references among its fields lead.
    private func awaited(_ edit: RecordEdit, _ key: RecordKey, of position: Int) throws -> RecordEdit {
        var edit = edit
        let schema = sources[position].schema
        let names = Set(edit.fields.map(\.name))
        let references = schema.references.filter { reference in
            reference.link == nil && reference.fields.contains { names.contains(schema.fields[$0].name) }
        }
        if references.isEmpty { return edit }
        let table = sources[position].table
        let (waiting, emptied) = try (table.waitingTargets([key])[0], table.emptiedTargets(key))
        for reference in references {
            let lost: RecordEdit.LostRecord? =
                waiting[reference.name] != nil ? .awaited : emptied[reference.name] != nil ? .gone : nil
            let parts = Set(reference.fields.map { schema.fields[$0].name })
            for index in edit.fields.indices where parts.contains(edit.fields[index].name) {
                edit.fields[index].lost = lost
            }
        }
        return edit
    }

    /// What was done to an element of a list that is one value, with the open conflict over the list and what the source's list
    /// has in the element's place.
    private func contested(_ edit: RecordEdit, _ key: RecordKey, of position: Int) throws -> RecordEdit {
        let (mapping, schema) = (sources[position].mapping, sources[position].schema)
        guard schema.isOwned, key.values.count > 1 else { return edit }
        let (canonical, list) = (sources[position].canonical, ListText(schema: schema))
        let owner = ListText.owner(of: key)
        let name = list.name(of: owner)
        let open = try store.conflicts.open(of: mapping, keys: [name])[ExactText(name)] ?? []
        guard let entry = open.first(where: \.isOfList), let number = entry.id else { return edit }
        let element = entry.remote.flatMap { list.elements($0, under: owner, StoredJSON())?[key] }
        var edit = edit
        guard let element, edit.kind == .edit else {
            let remote = element.map { element in canonical.object(schema.fields.indices.map { element[$0] }) }
            edit.conflict = RecordEdit.Conflict(number: number, remote: remote)
            return edit
        }
        for index in edit.fields.indices {
            let field = schema.fields.firstIndex { $0.name == edit.fields[index].name }
            let remote = field.map { canonical.text(element[$0] ?? .null, field: $0) }
            edit.fields[index].conflict = RecordEdit.Conflict(number: number, remote: remote)
        }
        return edit
    }

    // MARK: Fields

    /// The fields whose values no source gave.
    private func edited(
        _ row: ComparedRow, _ values: [FieldValue], of position: Int, _ others: [Witness]
    ) throws -> [RecordEdit.Field] {
        let witnesses = [Witness(position: position, key: row.key, base: row.base)] + others
        var fields: [RecordEdit.Field] = []
        var columns: Set<String> = []
        for first in witnesses {
            let source = sources[first.position]
            let held = try first.position == position ? values : source.table.localRow(first.key) ?? []
            for (index, value) in held.enumerated() {
                let described = source.schema.fields[index]
                // Who has a field knows what its column holds. Where nobody has it, what a reference waited for is not known any more.
                if described.isGivenUp {
                    let fillers = sources.indices.filter { fills(described.column, $0) }
                    if witnesses.contains(where: { fillers.contains($0.position) }) { continue }
                    if fillers.isEmpty && source.canonical.side(of: value, field: index) == described.unsaid {
                        continue
                    }
                }
                guard columns.insert(described.column.lowercased()).inserted else { continue }
                let claims = standing(witnesses.compactMap { claim($0, on: described.column) })
                    .filter(\.witness.base.tellsValues)
                // What identifies a row of which nobody knows what its source said is no value that somebody changed.
                if claims.isEmpty, source.schema.keyFields.contains(index) { continue }
                let isSaid =
                    claims.isEmpty
                    ? source.canonical.side(of: value, field: index) == described.unsaid
                    : claims.contains { $0.canonical.side(of: value, field: $0.field) == $0.side }
                if isSaid { continue }
                let base = claims.first?.base ?? .none
                fields.append(field(index, base, source.canonical.text(value, field: index), of: first.position))
            }
        }
        return try fields + typed(row.key, of: position, besides: witnesses.map(\.position), columns)
    }

    /// The values of columns that only sources fill which never had a record.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - position: The source that has it so.
    ///   - witnesses: The sources that are told already.
    ///   - columns: The columns that these fill, in lower case.
    /// - Returns: The fields: what stands there somebody else wrote, unless the column has a default.
    /// - Throws: `StoreError`.
    private func typed(
        _ key: RecordKey, of position: Int, besides witnesses: [Int], _ columns: Set<String>
    ) throws -> [RecordEdit.Field] {
        var columns = columns
        var fields: [RecordEdit.Field] = []
        for other in sources.indices where !witnesses.contains(other) {
            let source = sources[other]
            let silent = source.schema.fields.indices.filter { index in
                let described = source.schema.fields[index]
                return !described.hasColumnDefault && columns.insert(described.column.lowercased()).inserted
            }
            guard !silent.isEmpty, let key = translated(key, from: position, to: other),
                let held = try source.table.localRow(key)
            else { continue }
            for index in silent
            where source.canonical.side(of: held[index], field: index) != source.schema.fields[index].unsaid {
                fields.append(field(index, .none, source.canonical.text(held[index], field: index), of: other))
            }
        }
        return fields
    }

    /// Whether a source has a field of a column, and has not given it up.
    private func fills(_ column: String, _ position: Int) -> Bool {
        let source = sources[position]
        return source.field(column).map { !source.schema.fields[$0].isGivenUp } ?? false
    }

    /// What a source said of a column of a record.
    private struct Claim {
        let witness: Witness
        let canonical: CanonicalRecord
        let field: Int
        let side: FieldSide
        let base: RecordEdit.Base
        /// The run since which the source no longer has the field; nil where it has.
        var givenUpIn: Int64? { canonical.schema.fields[field].givenUpIn }
        /// Whether the source no longer has the field.
        var isFormer: Bool { givenUpIn != nil }

        /// Whether it was said before another one, as far as runs tell; of those of one run the first source's stands last.
        func isBefore(_ other: Claim) -> Bool {
            let (run, others) = (witness.base.lastRun ?? .max, other.witness.base.lastRun ?? .max)
            return run == others ? witness.position > other.witness.position : run < others
        }
    }

    /// What a source said of a column of a record; nil where it never gave it.
    private func claim(_ witness: Witness, on column: String) -> Claim? {
        let source = sources[witness.position]
        guard let field = source.field(column) else { return nil }
        let side = source.canonical.sides(of: witness.base.entries)[field]
        if side == .nothing { return nil }
        return Claim(
            witness: witness, canonical: source.canonical, field: field, side: side,
            base: base(witness.base.entries[field], field, of: witness.position))
    }

    /// The claims of which one is in the row where nobody changed it: without those of sources that come after another one
    /// which has the record, gave a value and was settled since they go in that order.
    private func standing(_ claims: [Claim]) -> [Claim] {
        if claims.count < 2 { return claims }
        let givers = claims.filter { !$0.isFormer }.map(\.witness.base)
        let claims = claims.filter { claim in claim.givenUpIn.map { givers.leaveStanding(until: $0) } ?? true }
        let standing = FieldClaim.standing(claims.map(\.side)) { first, second in
            !claims[first].isFormer && goes(claims[first].witness, before: claims[second].witness)
        }
        return zip(claims, standing).filter(\.1).map(\.0)
    }

    /// Whether a source goes before another one, in an order by which it was settled, with values that keep out the other one's.
    private func goes(_ first: Witness, before second: Witness) -> Bool {
        let (own, other) = (sources[first.position], sources[second.position])
        return [own.order, other.order].contains { kept in
            guard let kept, first.base.keepsOut(second.base, since: kept.since) else { return false }
            return kept.order.rank(of: own.mapping, to: other.mapping) == .above
        }
    }

    private func base(_ entry: BaseEntry, _ field: Int, of position: Int) -> RecordEdit.Base {
        switch entry {
        case .none: .none
        case .null: .value("null")
        case .value(let value): .value(sources[position].canonical.text(value, field: field))
        case .digest: .missing(sources[position].canonical.absence(of: entry, field: field) ?? .tooLong)
        }
    }

    private func field(_ index: Int, _ base: RecordEdit.Base, _ local: String?, of position: Int) -> RecordEdit.Field {
        RecordEdit.Field(name: sources[position].schema.fields[index].name, base: base, local: local)
    }

    // MARK: Other sources

    /// What the other sources said of a record.
    private func witnesses(of key: RecordKey, besides position: Int) throws -> [Witness] {
        try sources.indices.compactMap { other in
            guard other != position, let key = translated(key, from: position, to: other),
                let base = try sources[other].table.baseRow(key)
            else { return nil }
            return Witness(position: other, key: key, base: base)
        }
    }

    /// A key in the order of another source's; nil where that one's records are identified by other columns.
    private func translated(_ key: RecordKey, from position: Int, to other: Int) -> RecordKey? {
        let (own, theirs) = (sources[position].schema, sources[other].schema)
        let columns = own.keyFields.map { own.fields[$0].column.lowercased() }
        let parts = theirs.keyFields.compactMap { columns.firstIndex(of: theirs.fields[$0].column.lowercased()) }
        return parts.count == columns.count && parts.count == theirs.keyFields.count
            ? RecordKey(parts.map { key.values[$0] }) : nil
    }
}

extension RecordedChange {
    /// Whether a conflict over the record was opened by it where none was open.
    fileprivate var opensConflict: Bool { baseBefore?.isOpen == false && baseAfter?.isOpen == true }

    /// Whether it made a row for others that refer to it, before its record came.
    fileprivate var isOfStub: Bool { action == .insert && baseAfter?.state.isLive != true }
}
