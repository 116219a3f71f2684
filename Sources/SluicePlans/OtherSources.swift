package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// What another source of a table said of a record.
package struct OtherRecord {
    /// The position of the source among the others.
    package let source: Int
    package let base: BaseRow
    /// Whether the record was known from the start to have passed from that source to another one in this run.
    package let hasMoved: Bool

    /// Makes a value of its parts.
    package init(source: Int, base: BaseRow, hasMoved: Bool = false) {
        (self.source, self.base, self.hasMoved) = (source, base, hasMoved)
    }

    /// Whether the source still has the record.
    package var isLive: Bool { base.state.isLive }
}

/// Another source that fills the table of a stream, in the terms of that stream's fields.
package struct OtherSource {
    package let name: RecordMapping
    /// How its records are compared.
    package let canonical: CanonicalRecord
    /// Whether it goes before the stream.
    package let rank: SourceOrder.Rank
    /// Whether it gives records only within others.
    package var isEmbedded = false
    /// For each field of the stream the position of the source's field of the same column, nil where it has none.
    private let fieldOf: [Int?]
    /// The same of fields that the source had before.
    private let formerFieldOf: [Int?]

    /// Makes a source of its parts.
    package init(_ name: RecordMapping, _ canonical: CanonicalRecord, rank: SourceOrder.Rank, fieldOf: [Int?]) {
        (self.name, self.canonical, self.rank) = (name, canonical, rank)
        func isGivenUp(_ field: Int) -> Bool { canonical.schema.fields[field].isGivenUp }
        self.fieldOf = fieldOf.map { field in field.flatMap { isGivenUp($0) ? nil : $0 } }
        formerFieldOf = fieldOf.map { field in field.flatMap { isGivenUp($0) ? $0 : nil } }
    }

    /// What the source said of a field of the stream as long as it had that; nil where it has it still, or never had it.
    ///
    /// - Parameters:
    ///   - field: The position of the field.
    ///   - base: What the source said of a record.
    /// - Returns: The digest, and the run since which the source no longer has the field.
    func formerSide(_ field: Int, of base: BaseRow) -> (side: FieldSide, until: Int64)? {
        guard let former = formerFieldOf[field], let run = canonical.schema.fields[former].givenUpIn else { return nil }
        let side = canonical.sides(of: base.entries)[former]
        return side == .nothing ? nil : (side, run)
    }

    /// The digests of what the source said, one side per field of the stream.
    package func sides(of base: BaseRow) -> [FieldSide] {
        let sides = canonical.sides(of: base.entries)
        return fieldOf.map { field in field.map { sides[$0] } ?? .nothing }
    }

    /// The position of the source's field that fills the column of a field of the stream; nil where there is none.
    package func field(_ field: Int) -> Int? { fieldOf[field] }

    /// What the source said, one entry per field of the stream.
    package func entries(of base: BaseRow) -> [BaseEntry] {
        fieldOf.map { field in field.map { base.entries[$0] } ?? .none }
    }
}

/// The other sources that fill a stream's table, as far as deciding takes them. They read nothing: what they said of a record
/// is given with it.
package struct OtherSources {
    /// Those that go before the stream first, in their order.
    private let all: [OtherSource]
    /// Whether the stream itself gives records only within others.
    private let isEmbedded: Bool
    /// The order in which they go.
    private let order: SourceOrder
    /// The first run of that order.
    private let orderedSince: Int64

    /// Makes a value of its parts.
    package init(
        _ all: [OtherSource] = [], isEmbedded: Bool = false, order: SourceOrder = SourceOrder(),
        orderedSince: Int64 = 0
    ) {
        (self.all, self.isEmbedded, self.order, self.orderedSince) = (all, isEmbedded, order, orderedSince)
    }

    /// What a source is called where several are spoken of.
    package func path(of source: Int) -> String { all[source].name.path }

    /// What the row of a record holds where nobody changed it, once the stream states that it is deleted: of each field what the
    /// first source says that gives it, the stream itself as far as it listed the record before. What others said since stands
    /// before that.
    ///
    /// - Parameters:
    ///   - records: What the others said of the record.
    ///   - base: What the stream itself said of it.
    /// - Returns: One entry per field of the stream.
    package func standing(of records: [OtherRecord], beside base: BaseRow) -> [BaseEntry] {
        let live = records.filter(\.isLive)
        func comesFirst(_ record: OtherRecord) -> Bool {
            all[record.source].rank == .above || !base.state.isLive && !base.holds(against: record.base)
        }
        func said(_ records: [OtherRecord]) -> [[BaseEntry]] { records.map { all[$0.source].entries(of: $0.base) } }
        let ordered = said(live.filter(comesFirst)) + [base.entries] + said(live.filter { !comesFirst($0) })
        return base.entries.indices.map { field in ordered.lazy.map { $0[field] }.first { $0 != .none } ?? .none }
    }

    /// What the others say of each field of the stream; empty where none of them has the record.
    ///
    /// - Parameters:
    ///   - records: What they said of the record.
    ///   - base: What the stream itself said of it; nil where it never did.
    ///   - canonical: How the stream's records are compared.
    /// - Returns: The claims by the stream's fields.
    package func claims(
        of records: [OtherRecord], beside base: BaseRow?, _ canonical: CanonicalRecord
    ) -> [[FieldClaim]] {
        if records.isEmpty { return [] }
        let own = base.map { canonical.sides(of: $0.entries) }
        let sides = records.map { all[$0.source].sides(of: $0.base) }
        return canonical.schema.fields.indices.map { field in
            let said = records.indices.filter { sides[$0][field] != .nothing && records[$0].base.tellsValues }
            var claims = said.map { index in
                FieldClaim(
                    source: records[index].source, side: sides[index][field], isLive: records[index].isLive,
                    rank: all[records[index].source].rank,
                    isSettled: records[index].base.hasStood(since: orderedSince))
            }
            // The stream itself comes last.
            let given = claims.map(\.side) + (own.map { [$0[field]] } ?? [])
            let standing = FieldClaim.standing(given) { first, second in
                if first == claims.count, let base {
                    return claims[second].rank == .below
                        && base.keepsOut(records[said[second]].base, since: orderedSince)
                }
                let other = second == claims.count ? base : records[said[second]].base
                guard let other else { return false }
                let (name, base) = (all[claims[first].source].name, records[said[first]].base)
                if second == claims.count {
                    return claims[first].rank == .above && base.keepsOut(other, since: orderedSince)
                }
                return goes((name, base), before: (all[claims[second].source].name, other))
            }
            for index in claims.indices { claims[index].stands = standing[index] }
            let isOwn = own.map { $0[field] != .nothing } ?? false
            let givers = said.map { records[$0].base } + (isOwn ? [base].compactMap { $0 } : [])
            return claims + formerClaims(of: records, on: field, besides: givers)
        }
    }

    /// What sources said of a field that they no longer have: a row may hold it until a source that has the field merged the record.
    private func formerClaims(
        of records: [OtherRecord], on field: Int, besides givers: [BaseRow]
    ) -> [FieldClaim] {
        records.compactMap { record in
            guard record.base.tellsValues, let former = all[record.source].formerSide(field, of: record.base),
                givers.leaveStanding(until: former.until)
            else { return nil }
            return FieldClaim(
                source: record.source, side: former.side, isLive: false, rank: all[record.source].rank)
        }
    }

    /// Whether what the first of two sources gave keeps out what the second did, since it goes before and was settled under the order that
    /// holds.
    package func goes(
        _ first: (name: RecordMapping, base: BaseRow), before second: (name: RecordMapping, base: BaseRow)
    ) -> Bool {
        first.base.keepsOut(second.base, since: orderedSince) && order.rank(of: first.name, to: second.name) == .above
    }

    /// Whether a source has a record and was settled under the order that holds.
    func isSettled(_ base: BaseRow) -> Bool { base.isSettled(since: orderedSince) }

    // MARK: Who has a record

    /// Whether another source still has a record that is gone from this one. One that only embeds it cannot say that it
    /// is gone, and does not keep it.
    package func isHeld(_ records: [OtherRecord]) -> Bool { !holders(of: records).isEmpty }

    /// The positions of the sources that still have a record which is gone from this one, see ``isHeld(_:)``.
    package func holders(of records: [OtherRecord]) -> [Int] {
        records.compactMap { $0.isLive && !all[$0.source].isEmbedded ? $0.source : nil }
    }

    /// Whether another source still had a record after this one lost it, so that a missing row was deleted here.
    /// One that only embeds it lost its row too, unless it spoke of it since.
    ///
    /// - Parameters:
    ///   - records: What the others said of it.
    ///   - run: The run in which this source lost it, nil where it never had it.
    /// - Returns: Whether one of them still had it.
    package func isHeld(_ records: [OtherRecord], after run: Int64?) -> Bool {
        // What a plan wrote has no run yet.
        isHeld(records) || records.contains { $0.isLive && $0.base.lastRun ?? .max > run ?? 0 || $0.hasMoved }
    }

    /// The sources that only embed a record. Where a source of its own deletes it, that holds for them.
    func embedding(_ records: [OtherRecord]) -> [OtherRecord] { records.filter { all[$0.source].isEmbedded } }

    /// Whether it was said in this run that a record is gone: stated by another source or, of what the stream only embeds,
    /// by a source of its own that lists it no longer.
    package func isDeletedNow(_ records: [OtherRecord], run: Int64?) -> Bool {
        records.contains { record in
            guard record.base.lastRun == run, !record.base.isOpen else { return false }
            if record.base.state == .statedTombstone { return true }
            return isEmbedded && !all[record.source].isEmbedded && record.base.state == .remoteTombstone
        }
    }

    /// Whether another source stated in this run that a record is deleted.
    func isStatedNow(_ records: [OtherRecord], run: Int64?) -> Bool {
        records.contains { $0.base.state == .statedTombstone && $0.base.lastRun == run && !$0.base.isOpen }
    }

    /// Whether another source listed a record with something new in this run.
    func areListedNow(_ records: [OtherRecord], run: Int64?) -> Bool {
        records.contains { $0.isLive && $0.base.lastRun == run && !all[$0.source].isEmbedded }
    }

    /// Whether a source that has a record, or asks whether its row goes, gave a field of the stream.
    ///
    /// - Parameters:
    ///   - field: The position of the field.
    ///   - records: What the others said of the record.
    ///   - isHeir: Whether those count that come after the stream. They take a field up once they are read.
    /// - Returns: Whether one of them did.
    func isGiven(_ field: Int, by records: [OtherRecord], orHeir isHeir: Bool) -> Bool {
        records.contains { record in
            record.base.tellsEdits && (isHeir || all[record.source].rank != .below)
                && all[record.source].sides(of: record.base)[field] != .nothing
        }
    }

    /// Whether a source that has a record, or had it until this run, gave a value of it, besides its key.
    func giveValues(_ records: [OtherRecord], besides key: [Int]) -> Bool {
        records.filter { $0.isLive || $0.hasMoved }.contains { record in
            all[record.source].sides(of: record.base).enumerated().contains { $1.isValue && !key.contains($0) }
        }
    }

    /// What another source gave that goes before the stream and has the record no longer, of fields that the stream has not taken up
    /// since: what the stream gave of these was never in the row.
    ///
    /// - Parameter records: What the others said of the record.
    /// - Returns: One entry per field of the stream, none where there is no such source.
    func standingStill(_ records: [OtherRecord]) -> [BaseEntry] {
        let gone = records.filter {
            $0.base.state == .remoteTombstone && $0.base.tellsValues && all[$0.source].rank == .above
        }
        .map { all[$0.source].entries(of: $0.base) }
        guard let count = gone.first?.count else { return [] }
        return (0..<count).map { field in gone.lazy.map { $0[field] }.first { $0 != .none } ?? .none }
    }

    /// What the source said of a record that passed to the stream in this run; empty where none did.
    func leftBehind(_ records: [OtherRecord]) -> [FieldSide] {
        records.first(where: \.hasMoved).map { all[$0.source].sides(of: $0.base) } ?? []
    }
}

extension BaseRow {
    /// Whether its source stated that the record is deleted, and nobody has to decide about that.
    package var isOver: Bool { state == .statedTombstone && !isOpen }

    /// Whether what its source said of the fields tells something of the record's row. Where the row was gone once its deletion was
    /// stated, one that stands was made by others since.
    package var tellsValues: Bool { !isOver || isKnownByHash }

    /// Whether what its source said tells what people changed of the row: it still has the record, or somebody has to decide whether
    /// the row goes that it states to be deleted.
    package var tellsEdits: Bool { state.isLive || state == .statedTombstone && isOpen }

    /// Whether a source was settled under an order of sources, and what it said tells what people changed: its values were in the
    /// row unless another one went before.
    ///
    /// - Parameter run: The first run of the order.
    /// - Returns: Whether it was and does.
    package func isSettled(since run: Int64) -> Bool {
        // What a plan wrote has no run yet.
        tellsEdits && lastRun ?? .max >= run
    }

    /// Whether what its source gave was in the row under an order of sources unless another one went before: where it has the record no
    /// longer, until another one takes the field up.
    ///
    /// - Parameter run: The first run of the order.
    /// - Returns: Whether it was.
    func hasStood(since run: Int64) -> Bool {
        isSettled(since: run) || state == .remoteTombstone && lastRun ?? .max >= run
    }

    /// Whether what its source gave keeps out what another one did that comes after it.
    ///
    /// - Parameters:
    ///   - other: What the other one said.
    ///   - run: The first run of their order.
    /// - Returns: Whether it does.
    package func keepsOut(_ other: BaseRow, since run: Int64) -> Bool {
        if state == .remoteTombstone { return hasStood(since: run) }
        return isSettled(since: run) && holds(against: other)
    }

    /// Whether values that its source listed keep out those of another one that comes after it: not those that the other one said
    /// since its source stated the deletion. Of one that has the record no longer, only that is known since when.
    package func holds(against other: BaseRow) -> Bool {
        // What a plan wrote has no run yet.
        state.isLive || other.state == .remoteTombstone || other.lastRun ?? .max < lastRun ?? .max
    }
}

extension [BaseRow] {
    /// Whether what a source said of a field that it no longer has may still be in the row: until one of these, which give the field, has
    /// merged the record. Of one that has the record no longer, only that is known since when.
    ///
    /// - Parameter run: The run since which the source no longer has the field.
    /// - Returns: Whether it may.
    package func leaveStanding(until run: Int64) -> Bool {
        // What a plan wrote has no run yet.
        !contains { $0.tellsEdits && $0.lastRun ?? .max >= run }
    }
}
