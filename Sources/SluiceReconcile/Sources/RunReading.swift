package import SluiceDecode
package import SluiceModel
internal import SluiceStore

/// What a run read so far, as far as it matters to streams that fill one table: whichever of them is read first, the run
/// ends where another one with the same input would.
package final class RunReading {
    /// What a complete scan saw of what it asked for.
    private struct Sight {
        let keys: SeenKeys
        let span: (column: String, span: CursorSpan)?
    }

    /// What complete scans saw.
    private var seen: [RecordMapping: Sight] = [:]
    /// The streams that are to be read once more.
    private var asked: Set<String> = []
    /// The streams that were read.
    private var read: Set<String> = []
    /// The sources that lack records which stay since others have them in quarantine, by these others.
    private var held: [RecordMapping: Set<RecordMapping>] = [:]
    /// These records by the sources that lack them.
    private var heldKeys: [RecordMapping: Set<RecordKey>] = [:]
    /// The sources whose records need unique values that rows of a table have.
    private var colliding: [String: Set<RecordMapping>] = [:]
    /// The records of each source of which a table refuses what is written, as long as rows of others are as they are.
    private var refused: [RecordMapping: Set<RecordKey>] = [:]
    /// Those that were refused when their stream was read before.
    private var refusedBefore: [RecordMapping: Set<RecordKey>] = [:]
    /// What other sources say of records that one lists no longer.
    package private(set) var elsewhere = RecordsElsewhere()
    /// What of it was known from the start.
    private let known: RecordsElsewhere
    /// The sources of which nothing was deleted, since more is missing than their limits allow.
    private var limited: Set<RecordMapping> = []
    /// The sources of children that are merged one by one: of these no scan tells what it missed, but their bases do.
    private var children: Set<RecordMapping> = []
    /// Whether several of the run's streams fill one table, so that one of them may be merged once more.
    let isShared: Bool
    /// What was written so far, by source.
    private var writtenRecords: [RecordMapping: CountedRecords] = [:]

    /// The records of each source whose deletion another one had stated and that another one made anew in this run, with their bases
    /// of before.
    private var revivedRecords: [RecordMapping: [RecordKey: BaseRow]] = [:]

    /// The records of each source whose deletion it had stated, which waited for a decision until another one listed them.
    private var answered: [RecordMapping: Set<RecordKey>] = [:]

    /// The lists out of which people had taken what their sources lost in this run.
    private var takenOut: [RecordMapping: Set<RecordKey>] = [:]

    /// The records of each source whose lists, which went with them, are decided about once all streams are read.
    private var postponed: [RecordMapping: Set<RecordKey>] = [:]

    /// - Parameters:
    ///   - known: What an attempt before found of records that one source lists no longer.
    ///   - isShared: Whether several of the run's streams fill one table.
    package init(knowing known: RecordsElsewhere = RecordsElsewhere(), isShared: Bool = false) {
        self.known = known
        self.isShared = isShared
    }

    /// What was written of a source so far; nil where its stream is not merged once more.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - isBound: Whether rows of its table wait for those of others.
    /// - Returns: What was written, which grows.
    package func written(of source: RecordMapping, isBound: Bool) -> CountedRecords? {
        if !isShared && !isBound { return nil }
        if let known = writtenRecords[source] { return known }
        let records = CountedRecords(isWhole: true)
        writtenRecords[source] = records
        return records
    }

    /// A stream is read: what was changed for it before is seen by that.
    package func begin(_ stream: String) {
        read.insert(stream)
        asked.remove(stream)
        for source in Set(refused.keys).union(refusedBefore.keys) where source.stream == stream {
            refusedBefore[source] = refused.removeValue(forKey: source)
        }
    }

    /// Has a stream read once more, where it was read before.
    func askAgain(_ source: RecordMapping) {
        if read.contains(source.stream) { asked.insert(source.stream) }
    }

    /// Whether a stream is to be read once more.
    package func isAsked(_ stream: String) -> Bool { asked.contains(stream) }

    /// A record that a source lists no longer stays, since another one has it in quarantine.
    func recordHeld(_ key: RecordKey, for source: RecordMapping, by other: RecordMapping) {
        held[other, default: []].insert(source)
        heldKeys[source, default: []].insert(key)
    }

    /// Whether such a record stayed.
    func wasHeld(_ key: RecordKey, for source: RecordMapping) -> Bool { heldKeys[source]?.contains(key) ?? false }

    /// A source let records out of quarantine: those that lack them are read once more.
    func quarantineClosed(of source: RecordMapping) {
        for other in held.removeValue(forKey: source) ?? [] where other.stream != source.stream { askAgain(other) }
    }

    /// A record of a source needs a unique value that a row of its table has.
    func recordCollision(of source: RecordMapping, in table: String) { colliding[table, default: []].insert(source) }

    /// A table refuses what is written of a record of a source, which the rows of others may allow later.
    func recordRefused(_ key: RecordKey, of source: RecordMapping) { refused[source, default: []].insert(key) }

    /// Whether a table refused a record when its stream was read before.
    func wasRefused(_ key: RecordKey, of source: RecordMapping) -> Bool {
        refusedBefore[source]?.contains(key) ?? false
    }

    /// Rows of a table were written for a stream: values that others wait for may be free, and rows that were refused allowed.
    package func wrote(to table: String, for stream: String) {
        for source in refused.keys where source.stream != stream { askAgain(source) }
        // What a stream wrote itself frees nothing that it waits for.
        let waiting = colliding[table] ?? []
        colliding[table] = waiting.filter { $0.stream == stream }
        for source in waiting where source.stream != stream { askAgain(source) }
    }

    /// Remembers what a complete scan of a source saw.
    ///
    /// - Parameters:
    ///   - keys: The keys of its records.
    ///   - span: The records for which the source is asked at most, by the column of their cursor; nil for all.
    ///   - source: The source.
    package func record(_ keys: SeenKeys, within span: (column: String, span: CursorSpan)?, of source: RecordMapping) {
        seen[source] = Sight(keys: keys, span: span)
    }

    /// Whether a complete scan of a source, which asked for a record, missed it in this run. Of keys that went to a file it is not
    /// known.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - source: The source.
    ///   - said: What the source said last of a column.
    /// - Returns: Whether it did.
    func hasMissed(_ key: RecordKey, of source: RecordMapping, said: (_ column: String) -> FieldValue?) -> Bool {
        guard let sight = seen[source], sight.keys.runs == nil else { return false }
        if let (column, span) = sight.span, !span.covers(said(column)) { return false }
        return !sight.keys.contains(key)
    }

    /// Records that a source gives children that are merged one by one.
    func recordChildren(of source: RecordMapping) { children.insert(source) }

    /// Whether a source gives such children, so that one which is gone since this run is one that their list lost.
    func givesChildren(_ source: RecordMapping) -> Bool { children.contains(source) }

    /// A source lost a list in this run out of which people had taken all that was in it.
    func recordTakenOut(_ owner: RecordKey, by source: RecordMapping) { takenOut[source, default: []].insert(owner) }

    /// Whether it did.
    func wasTakenOut(_ owner: RecordKey, by source: RecordMapping) -> Bool {
        takenOut[source]?.contains(owner) ?? false
    }

    /// Records that it is decided about the list of a record which a source lists no longer once all streams are read.
    func postpone(_ owner: RecordKey, of source: RecordMapping) { postponed[source, default: []].insert(owner) }

    /// Takes the records of such lists out, by their keys.
    func takePostponed(of source: RecordMapping) -> [RecordKey] {
        (postponed.removeValue(forKey: source) ?? []).sorted()
    }

    /// Records that another source lists what one has lost in this run.
    func recordMove(of key: RecordKey, from source: RecordMapping) { elsewhere.moved[source, default: []].insert(key) }

    /// Records that another source lists a record that one has lost in this run, and that it could not be taken there.
    func recordKept(_ key: RecordKey, by source: RecordMapping) { elsewhere.kept[source, default: []].insert(key) }

    /// Nothing that a source lists no longer was deleted, since more is missing than its limits allow.
    func recordRefusedDeletes(of source: RecordMapping) { limited.insert(source) }

    /// Records that another source states that a record is deleted, which then counts towards no limit.
    func recordStated(_ key: RecordKey, missingFrom source: RecordMapping) {
        if limited.contains(source) { elsewhere.stated[source, default: []].insert(key) }
    }

    /// Records that all others which had a record lost it as well, which then passes to none of them.
    func recordLost(_ key: RecordKey, of source: RecordMapping) {
        if limited.contains(source) { elsewhere.lost[source, default: []].insert(key) }
    }

    /// Another source lists a record with something new whose deletion one had stated, which waited for a decision.
    func recordAnswered(_ key: RecordKey, of source: RecordMapping) { answered[source, default: []].insert(key) }

    /// Such records of a source.
    func answered(of source: RecordMapping) -> [RecordKey] { (answered[source] ?? []).sorted() }

    /// A record whose deletion another source had stated was made anew, so that a source which lists it has it again.
    func recordRevived(_ key: RecordKey, of source: RecordMapping, _ base: BaseRow) {
        revivedRecords[source, default: [:]][key] = base
    }

    /// Such records of a source, by their keys.
    func revived(of source: RecordMapping) -> [(key: RecordKey, base: BaseRow)] {
        (revivedRecords[source] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether a record was known from the start to have gone from a source to another one.
    func isMoved(_ key: RecordKey, from source: RecordMapping) -> Bool {
        known.moved[source]?.contains(key) ?? false
    }
}
