package import SluiceModel
package import SluiceStore

/// Fields that a pipeline no longer has and whose columns, or tables of links, other sources fill: these go on with the values.
extension OrphanFinder {
    /// What is said of a record's field by the source that leaves it and by one that goes on with it.
    private struct Pair {
        let table: String
        let source: RecordMapping
        /// The mapping that leaves it, with its base.
        let (mapping, base): (String, String)
        let slot: EntityRegistry.Slot
        /// The one that goes on.
        let (heir, heirBase): (String, String)
        let heirSlot: EntityRegistry.Slot
        /// The key columns of the table.
        let keys: [String]
        /// The run since which the heir had not the field, where it comes back to it.
        var since: Int64?
    }

    /// Has other sources go on with the values of a field, or its own one once more, where that is what an orphan is.
    ///
    /// What stands in a row is the value of the source that leaves the field, where that went first. Another source that never gave the
    /// field, or has the record no longer, counts as having said it, and so does any whose values are links. The base of one that gave
    /// the field stays, since else the next run would take what it says for news; until then the base of the source that left tells
    /// that the value is no edit. Where a field comes back, its own source counts as having said what those behind it gave since.
    package func passOn(
        _ orphan: Orphan, isBehind: (RecordMapping) -> Bool,
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        _ entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws {
        let mapping = EntityRegistry.name(orphan.source)
        let (name, isBack, link): (String, Bool, RecordLink?)
        switch orphan.subject {
        case .passed(let field, _): (name, isBack, link) = (field, false, try registry.link(field, of: mapping))
        case .returned(let field, _, let now): (name, isBack, link) = (field, true, now)
        default: return
        }
        guard let tables = try registry.tables(of: mapping),
            let slot = try registry.slots(of: mapping).first(where: { $0.field == name }),
            try link != nil || database.columnNames(of: tables.table).contains(slot.column.lowercased())
        else { return }
        let keys = try registry.keySlots(of: mapping).map(\.column)
        for other in try registry.sources(of: tables.table)
        where other != orphan.source && (!isBack || isBehind(other)) {
            let heir = EntityRegistry.name(other)
            let theirs = try registry.keySlots(of: heir).map { $0.column.lowercased() }
            guard let base = try registry.tables(of: heir)?.base,
                theirs.sorted() == keys.map({ $0.lowercased() }).sorted(),
                let heirSlot = try heirSlot(of: slot, link, among: heir, orFormer: isBack)
            else { continue }
            let pair =
                isBack
                ? Pair(
                    table: tables.table, source: orphan.source, mapping: heir, base: base, slot: heirSlot,
                    heir: mapping, heirBase: tables.base, heirSlot: slot, keys: keys, since: slot.givenUpIn ?? 0)
                : Pair(
                    table: tables.table, source: other, mapping: mapping, base: tables.base, slot: slot, heir: heir,
                    heirBase: base, heirSlot: heirSlot, keys: keys)
            try passOn(pair, link, isSame, entry)
        }
    }

    /// The slot of another source that goes on with one, whose values may be links; of one that comes back also that which another
    /// source gave up since.
    private func heirSlot(
        of slot: EntityRegistry.Slot, _ link: RecordLink?, among heir: String, orFormer: Bool
    ) throws -> EntityRegistry.Slot? {
        let slots = try registry.slots(of: heir).filter { !$0.isRetired && (orFormer || !$0.isGivenUp) }
        guard let link else { return slots.first { !$0.isLink && ColumnName.areSame($0.column, slot.column) } }
        return try slots.first { other in
            // Nothing but its name tells which links one had that was given up.
            if other.isGivenUp { return other.isOfSet && ColumnName.areSame(other.column, slot.column) }
            return try registry.link(other.field, of: heir).map { ColumnName.areSame($0.table, link.table) } ?? false
        }
    }

    private func passOn(
        _ pair: Pair, _ link: RecordLink?, _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        _ entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws {
        let places = (own: pair.slot.number, heir: pair.heirSlot.number)
        let names = pair.keys.map { TableLayout.baseColumn(for: $0) }
        let form = try database.forms(of: pair.table)[pair.slot.column.lowercased()]
        var changed: [[FieldValue]] = []
        try database.each(
            """
            SELECT b.fields, h.fields, b.last_run, h.state, \(link == nil ? held(pair.slot, of: pair.mapping) : "NULL"),
            \(names.map { "b." + SQLText.quoted($0) }.joined(separator: ", "))
            FROM \(join(pair.mapping, (pair.base, pair.table), "JOIN"))
            JOIN \(database.table(pair.heirBase)) AS h
            ON \(names.map { "h.\(SQLText.quoted($0)) = b.\(SQLText.quoted($0))" }.joined(separator: " AND "))
            """, []
        ) { row in
            let key = Array(row.dropFirst(5))
            guard let own = row[0].bytes.flatMap({ BaseCoding.decode($0, slotCount: places.own + 1) }),
                var theirs = row[1].bytes.flatMap({ BaseCoding.decode($0, slotCount: places.heir + 1) }),
                own[places.own] != .none
            else { return true }
            if let since = pair.since {
                if row[2].number ?? 0 < since { return true }
            } else if link == nil, row[3].number == 0, theirs[places.heir] != .none {
                return true
            }
            let value = try link.map { try linked($0, pair, key) } ?? form?.canonical(row[4]) ?? row[4]
            guard try isSame(value, own[places.own], pair.slot.schemaField),
                try !isSame(value, theirs[places.heir], pair.heirSlot.schemaField)
            else { return true }
            theirs[places.heir] = entry(value, pair.heirSlot.schemaField)
            changed.append(key + [.blob(BaseCoding.encode(theirs))])
            return true
        }
        if changed.isEmpty { return }
        try database.run(
            """
            UPDATE \(database.table(pair.heirBase))
            SET fields = ?\(names.count + 1), row_hash = \(BaseImage.voidHash), text_hash = NULL
            WHERE \(SQLText.match(names))
            """, each: changed)
        try registry.forgetTexts(ofStreamOf: pair.source)
    }

    /// The links of a record.
    private func linked(_ link: RecordLink, _ pair: Pair, _ key: [FieldValue]) throws -> FieldValue {
        let reference = RecordReference(
            name: pair.slot.field, fields: [0], target: "", targetColumns: link.targetColumns, link: link)
        return try database.linkedSet(reference, owner: pair.table, key: RecordKey(key))
    }
}
