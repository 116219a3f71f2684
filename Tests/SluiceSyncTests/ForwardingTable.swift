@testable import SluiceModel
@testable import SluiceStore

/// A table that has another one do all its work.
class ForwardingTable: RecordTable {
    let table: any RecordTable

    init(_ table: any RecordTable) { self.table = table }

    var schema: RecordSchema { table.schema }
    var wasEmpty: Bool { table.wasEmpty }
    var isNew: Bool { table.isNew }
    var mayRefuse: Bool { table.mayRefuse }
    var changesOtherRows: Bool { table.changesOtherRows }

    func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
        try table.lookUp(batch, into: &lookup)
    }

    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        try table.lookUpTexts(batch, into: &lookup)
    }
    func note(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws { try table.note(marks) }
    func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws { try table.eachSettled(visit) }
    func expect(contested: Set<UInt64>) { table.expect(contested: contested) }
    func finish(
        run: Int64?, holding reduce: (RecordWrite, [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome { try table.finish(run: run, holding: reduce) }
    func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?] { try table.baseRows(keys) }
    func localRows(_ keys: [RecordKey]) throws -> [[FieldValue]?] { try table.localRows(keys) }
    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
        try table.insert(batch, records: records, run: run)
    }
    func write(_ writes: [RecordWrite]) throws -> Set<Int> { try table.write(writes) }
    func baseImages(_ keys: [RecordKey]) throws -> [BaseImage?] { try table.baseImages(keys) }
    func marksDeletion(_ column: String) -> Bool { table.marksDeletion(column) }
    func wholeRows(_ keys: [RecordKey]) throws -> [RowImage?] { try table.wholeRows(keys) }
    var fieldOfSlot: [Int] { table.fieldOfSlot }
    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try table.keys(firstWrittenBy: run, after: last, limit: limit)
    }
    func liveCount() throws -> Int { try table.liveCount() }
    func count(of state: BaseState) throws -> Int { try table.count(of: state) }
    func liveKeys(
        after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?) {
        try table.liveKeys(after: last, limit: limit, unless: isLeftOut)
    }
    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] { try table.liveKeys(under: owners) }
    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] { try table.rowKeys(under: owners) }
    func waitingTargets(_ key: RecordKey) throws -> [String: [RecordKey]] { try table.waitingTargets(key) }
    func emptiedTargets(_ key: RecordKey) throws -> [String: [RecordKey]] { try table.emptiedTargets(key) }
    func hasRows(under owners: [RecordKey]) throws -> [Bool] { try table.hasRows(under: owners) }
    func comparedRows(
        after last: RecordKey?, limit: Int, unless isSame: (UInt64, borrowing RowCells) -> Bool
    ) throws -> ComparedRows {
        try table.comparedRows(after: last, limit: limit, unless: isSame)
    }
    func rowCount() throws -> Int? { try table.rowCount() }
    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
        try table.keysWithoutBase(after: last, limit: limit)
    }
}
