import SluiceModel
import SluiceStore

// Ledgers that have other ones do all their work, and tell of each call.

/// The conflicts of another store.
final class ForwardingConflicts: ConflictLedger {
    private let ledger: any ConflictLedger
    private let heard: (String) -> Void

    init(_ ledger: any ConflictLedger, _ heard: @escaping (String) -> Void) {
        (self.ledger, self.heard) = (ledger, heard)
    }

    private func told(_ name: String = #function) { heard("conflicts." + name) }

    func open(of mapping: RecordMapping) throws -> [ConflictEntry] {
        told()
        return try ledger.open(of: mapping)
    }
    func openRecords(of entities: Set<String>, streams: Set<String>, pipeline: String) throws -> Int {
        told()
        return try ledger.openRecords(of: entities, streams: streams, pipeline: pipeline)
    }
    func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [ConflictEntry]] {
        told()
        return try ledger.open(of: mapping, keys: keys)
    }
    func write(_ entries: [ConflictEntry]) throws -> [Int64] {
        told()
        return try ledger.write(entries)
    }
    func within(_ mapping: RecordMapping) throws -> [ConflictEntry] {
        told()
        return try ledger.within(mapping)
    }
    func forgetWithin(_ ids: [Int64]) throws {
        told()
        try ledger.forgetWithin(ids)
    }
    func forgetEndedWithin(pipeline: String) throws {
        told()
        try ledger.forgetEndedWithin(pipeline: pipeline)
    }
    func list(includingClosed: Bool) throws -> [ConflictEntry] {
        told()
        return try ledger.list(includingClosed: includingClosed)
    }
    func entries(ids: [Int64]) throws -> [ConflictEntry?] {
        told()
        return try ledger.entries(ids: ids)
    }
    func entries(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        told()
        return try ledger.entries(of: mapping, key: key)
    }
    func revert(_ changes: [RecordedEntry]) throws -> [Bool] {
        told()
        return try ledger.revert(changes)
    }
}

/// The quarantine of another store.
final class ForwardingQuarantine: QuarantineLedger {
    private let ledger: any QuarantineLedger
    private let heard: (String) -> Void

    init(_ ledger: any QuarantineLedger, _ heard: @escaping (String) -> Void) {
        (self.ledger, self.heard) = (ledger, heard)
    }

    private func told(_ name: String = #function) { heard("quarantine." + name) }

    func put(_ entries: [QuarantineEntry]) throws -> [Int64] {
        told()
        return try ledger.put(entries)
    }
    func openKeys(of source: RecordMapping) throws -> [(id: Int64, key: String?)] {
        told()
        return try ledger.openKeys(of: source)
    }
    func openKeys(of source: RecordMapping, besides reasons: Set<String>) throws -> [String] {
        told()
        return try ledger.openKeys(of: source, besides: reasons)
    }
    func openRecords(ofStreams streams: Set<String>, pipeline: String) throws -> Int {
        told()
        return try ledger.openRecords(ofStreams: streams, pipeline: pipeline)
    }
    func openTypeChanges(ofStreams streams: Set<String>, pipeline: String) throws -> Int {
        told()
        return try ledger.openTypeChanges(ofStreams: streams, pipeline: pipeline)
    }
    func open(_ selection: QuarantineSelection, pipeline: String) throws -> [String: [Int64]] {
        told()
        return try ledger.open(selection, pipeline: pipeline)
    }
    func close(_ ids: [Int64], run: Int64?) throws {
        told()
        return try ledger.close(ids, run: run)
    }
    func drop(id: Int64, run: Int64) throws {
        told()
        return try ledger.drop(id: id, run: run)
    }
    func list(includingClosed: Bool) throws -> [QuarantineEntry] {
        told()
        return try ledger.list(includingClosed: includingClosed)
    }
    func entry(id: Int64) throws -> QuarantineEntry? {
        told()
        return try ledger.entry(id: id)
    }
    func entries(of mapping: RecordMapping, key: String) throws -> [QuarantineEntry] {
        told()
        return try ledger.entries(of: mapping, key: key)
    }
    func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [QuarantineEntry]] {
        told()
        return try ledger.open(of: mapping, keys: keys)
    }
    func entries(renewedBy run: Int64) throws -> [QuarantineEntry] {
        told()
        return try ledger.entries(renewedBy: run)
    }
    func revert(_ change: RecordedEntry) throws -> Bool {
        told()
        return try ledger.revert(change)
    }
}

/// The history of another store.
final class ForwardingChanges: ChangeLedger {
    private let ledger: any ChangeLedger
    private let heard: (String) -> Void

    init(_ ledger: any ChangeLedger, _ heard: @escaping (String) -> Void) {
        (self.ledger, self.heard) = (ledger, heard)
    }

    private func told(_ name: String = #function) { heard("changes." + name) }

    func records(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedChange] {
        told()
        return try ledger.records(run: run, order: order, beyond: last, limit: limit)
    }
    func records(_ mapping: RecordMapping, key: String) throws -> [RecordedChange] {
        told()
        return try ledger.records(mapping, key: key)
    }
    func stubs(_ mapping: RecordMapping) throws -> [(key: String, run: Int64)] {
        told()
        return try ledger.stubs(mapping)
    }
    func conflicts(_ mapping: RecordMapping, key: String, since run: Int64) throws -> [RecordedEntry] {
        told()
        return try ledger.conflicts(mapping, key: key, since: run)
    }
    func entries(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedEntry] {
        told()
        return try ledger.entries(run: run, order: order, beyond: last, limit: limit)
    }
    func stateChanges(since run: Int64, of pipeline: String) throws -> [RecordedEntry] {
        told()
        return try ledger.stateChanges(since: run, of: pipeline)
    }
    func schema(run: Int64) throws -> [RecordedEntry] {
        told()
        return try ledger.schema(run: run)
    }
    func retypedFields(of mapping: RecordMapping, since run: Int64) throws -> Set<String> {
        told()
        return try ledger.retypedFields(of: mapping, since: run)
    }
    func tableChanges(run: Int64) throws -> [SchemaChange] {
        told()
        return try ledger.tableChanges(run: run)
    }
    func prune(pipeline: String, endedBefore moment: String, limit: Int) throws {
        told()
        return try ledger.prune(pipeline: pipeline, endedBefore: moment, limit: limit)
    }
    func keptInserts(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> Set<ExactText> {
        told()
        return try ledger.keptInserts(run: run, of: mapping, keys: keys)
    }
    func writes(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [RowWrite]] {
        told()
        return try ledger.writes(run: run, of: mapping, keys: keys)
    }
}

/// What another store remembers of streams.
final class ForwardingState: StateLedger {
    private let ledger: any StateLedger
    private let heard: (String) -> Void

    init(_ ledger: any StateLedger, _ heard: @escaping (String) -> Void) { (self.ledger, self.heard) = (ledger, heard) }

    private func told(_ name: String = #function) { heard("state." + name) }

    func value(pipeline: String, stream: String, name: String) throws -> String? {
        told()
        return try ledger.value(pipeline: pipeline, stream: stream, name: name)
    }
    func set(_ value: String?, pipeline: String, stream: String, name: String) throws {
        told()
        return try ledger.set(value, pipeline: pipeline, stream: stream, name: name)
    }
    func remember(_ value: String, pipeline: String, stream: String, name: String) throws {
        told()
        return try ledger.remember(value, pipeline: pipeline, stream: stream, name: name)
    }
    func names(_ prefix: String, pipeline: String, stream: String) throws -> [String] {
        told()
        return try ledger.names(prefix, pipeline: pipeline, stream: stream)
    }
    func forget(prefix: String, pipeline: String, stream: String) throws -> Bool {
        told()
        return try ledger.forget(prefix: prefix, pipeline: pipeline, stream: stream)
    }
    func revert(_ change: RecordedEntry) throws -> Bool {
        told()
        return try ledger.revert(change)
    }
}
