@testable import SluiceModel
@testable import SluiceStore

/// A table that has another one do all its work.
class ForwardingTable: RecordTable {
    let table: any RecordTable
    /// Hears of each call that reads or writes records.
    private let heard: (String) -> Void

    init(_ table: any RecordTable, heard: @escaping (String) -> Void = { _ in }) {
        (self.table, self.heard) = (table, heard)
    }

    private func told(_ name: String = #function) { heard("table." + name) }

    var schema: RecordSchema { table.schema }
    var wasEmpty: Bool { table.wasEmpty }
    var baseWasEmpty: Bool { table.baseWasEmpty }
    var mayRefuse: Bool { table.mayRefuse }
    var changesOtherRows: Bool { table.changesOtherRows }
    var isBound: Bool { table.isBound }

    func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
        told()
        return try table.lookUp(batch, into: &lookup)
    }

    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        told()
        return try table.lookUpTexts(batch, into: &lookup)
    }
    func record(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws {
        told()
        return try table.record(marks)
    }
    func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws {
        told()
        return try table.eachSettled(visit)
    }
    func expect(contested: Set<UInt64>) { table.expect(contested: contested) }
    func finish(
        run: Int64?, holding reduce: (RecordWrite, [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome {
        told()
        return try table.finish(run: run, holding: reduce)
    }
    func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?] {
        told()
        return try table.baseRows(keys)
    }
    func localRows(_ keys: [RecordKey]) throws -> [[FieldValue]?] {
        told()
        return try table.localRows(keys)
    }
    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
        told()
        return try table.insert(batch, records: records, run: run)
    }
    func write(_ writes: [RecordWrite]) throws -> Set<Int> {
        told()
        return try table.write(writes)
    }
    func baseImages(_ keys: [RecordKey]) throws -> [BaseImage?] {
        told()
        return try table.baseImages(keys)
    }
    func marksDeletion(_ column: String) -> Bool { table.marksDeletion(column) }
    func wholeRows(_ keys: [RecordKey]) throws -> [RowImage?] {
        told()
        return try table.wholeRows(keys)
    }
    var fieldOfSlot: [Int] { table.fieldOfSlot }
    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        told()
        return try table.keys(firstWrittenBy: run, after: last, limit: limit)
    }
    func liveCount() throws -> Int {
        told()
        return try table.liveCount()
    }
    func count(of state: BaseState) throws -> Int {
        told()
        return try table.count(of: state)
    }
    func liveKeys(
        after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?) {
        told()
        return try table.liveKeys(after: last, limit: limit, unless: isLeftOut)
    }
    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        told()
        return try table.liveKeys(under: owners)
    }
    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        told()
        return try table.rowKeys(under: owners)
    }
    func waitingTargets(_ keys: [RecordKey]) throws -> [[String: [RecordKey]]] {
        told()
        return try table.waitingTargets(keys)
    }
    func emptiedTargets(_ key: RecordKey) throws -> [String: [RecordKey]] {
        told()
        return try table.emptiedTargets(key)
    }
    func hasRows(under owners: [RecordKey]) throws -> [Bool] {
        told()
        return try table.hasRows(under: owners)
    }
    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows
    ) throws -> ComparedRows {
        told()
        return try table.comparedRows(after: last, limit: limit, leavingOut: leftOut)
    }
    func rowCount() throws -> Int? {
        told()
        return try table.rowCount()
    }
    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
        told()
        return try table.keysWithoutBase(after: last, limit: limit)
    }
}
