package import SluiceModel

/// The rows of one stream's entity, with their base. It works in batches where it can.
///
/// A row gives each value back as it was written, byte for byte. A record with a value that the database cannot hold is
/// refused, never changed. Keys are in the order of `RecordKey`: numbers by their value, text and blobs by their bytes.
package protocol RecordTable: AnyObject {
    /// The schema that the table was opened for.
    var schema: RecordSchema { get }
    /// Whether the entity's table had no row when it was opened, so that no record can meet a local row.
    var wasEmpty: Bool { get }
    /// Whether its source never said anything of a record when it was opened.
    var baseWasEmpty: Bool { get }
    /// Whether the entity's table demands anything of its rows, so that one may be refused.
    var mayRefuse: Bool { get }
    /// Whether writing one row may change others, by a trigger or by what a foreign key does: then what a row holds is
    /// known only once all writes before it are done.
    var changesOtherRows: Bool { get }
    /// Whether a row may be refused, or not let go, because of the rows of other tables as they are: by a trigger, or by a foreign
    /// key that is checked at once.
    var isBound: Bool { get }

    /// Compares a batch with the base.
    ///
    /// - Parameters:
    ///   - batch: Decoded records, no key twice.
    ///   - lookup: Replaced by what was found, record by record.
    /// - Throws: ``StoreError``.
    func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws

    /// Finds the records whose text is as it was when their base was written, with nothing left to settle: they are
    /// live, no conflict of theirs is open and no scan has missed them.
    ///
    /// - Parameters:
    ///   - batch: The keys of records and the hashes of their texts.
    ///   - lookup: Replaced by what was found.
    /// - Throws: ``StoreError``.
    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws

    /// Records the marks of the texts that records' bases stand for.
    ///
    /// - Parameter marks: For each record its key and the mark, nil where something of the text is not settled; nothing
    ///   happens where it has no base.
    /// - Throws: ``StoreError``.
    func record(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws

    /// Visits the records that are live, with nothing left to settle.
    ///
    /// - Parameter visit: Is given the key of each and the hash of what its source said.
    /// - Throws: ``StoreError``.
    func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws

    /// The base of each key, nil where there is none.
    func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?]

    /// The row that the entity's table holds for each key: one value per field of the schema, or nil where there is none
    /// or it is marked as deleted. A reference whose record is not there has the key that was written, until something
    /// else is written. A field whose edit waits in the quarantine, since its column took another type, has that edit, until
    /// something else is written.
    func localRows(_ keys: [RecordKey]) throws -> [[FieldValue]?]

    /// The records that the references of each of some rows wait for, by the names of the references.
    func waitingTargets(_ keys: [RecordKey]) throws -> [[String: [RecordKey]]]

    /// The keys that references of a row had led to and that are null for good, by the name of the reference.
    func emptiedTargets(_ key: RecordKey) throws -> [String: [RecordKey]]

    /// The base of each key as it is kept, nil where there is none.
    func baseImages(_ keys: [RecordKey]) throws -> [BaseImage?]

    /// The row of each key with all its columns, also where it is marked as deleted, nil where there is none.
    /// References and edits in the quarantine are as in ``localRows(_:)``.
    func wholeRows(_ keys: [RecordKey]) throws -> [RowImage?]

    /// Whether a column says that its row is marked as deleted.
    func marksDeletion(_ column: String) -> Bool

    /// For each slot of a base the position of its field, -1 where the pipeline or the table no longer has it.
    var fieldOfSlot: [Int] { get }

    /// Inserts records of a batch, row and base.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - records: The positions of the records that neither row nor base exist for.
    ///   - run: The run's id, nil in a plan.
    /// - Returns: The positions of those that the table does not take now, and which wait until
    ///   ``finish(run:holding:)``.
    /// - Throws: ``StoreError``.
    @discardableResult
    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int>

    /// Writes records, of each its row, its base, or both, in their order. Where the row of one cannot be written, its base
    /// is not.
    ///
    /// A write that the table does not take now waits until ``finish(run:holding:)``: its unique values may become free,
    /// and the row that it refers to may come later.
    ///
    /// - Returns: The positions of the writes that wait.
    @discardableResult
    func write(_ writes: [RecordWrite]) throws -> Set<Int>

    /// Lets every write that takes one of some unique values wait, so that the order in which they come makes no
    /// difference.
    ///
    /// - Parameter contested: What an earlier attempt at the same run found, ``FinishOutcome/contested``.
    func expect(contested: Set<UInt64>)

    /// The number of records that the source listed when it was last seen, see ``BaseState/isListed``.
    func liveCount() throws -> Int
    /// The number of records of a state.
    func count(of state: BaseState) throws -> Int
    /// Keys of such records, in the order of the key.
    ///
    /// - Parameters:
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: How many records to look at.
    ///   - isLeftOut: Whether a record is left out, by the ``KeyWord`` of its key.
    /// - Returns: The keys of the others, and the key to go on after; nil where there are no more.
    /// - Throws: ``StoreError``.
    func liveKeys(
        after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?)

    /// The same with the marks of the texts that these records were read from.
    ///
    /// - Parameters:
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: How many records to look at.
    /// - Returns: Both; nil where keys are not one integer, or the store does not keep marks in the order of these.
    /// - Throws: ``StoreError``.
    func markedKeys(after last: RecordKey?, limit: Int) throws -> MarkedKeys?

    /// The keys of such records that begin with the key of each of some records, in the order of the key.
    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]]

    /// The keys of rows that begin with the key of each of some records, in the order of the key; rows that are marked as
    /// deleted are not among them.
    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]]

    /// Whether any row begins with the key of each of some records, marked as deleted or not.
    func hasRows(under owners: [RecordKey]) throws -> [Bool]

    /// Keys of records whose base a run wrote first, in the order of the key, after `last`, at most `limit`.
    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey]

    /// Compares rows with what the source said of them, in the order of the key.
    ///
    /// - Parameters:
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: How many records to look at.
    ///   - leftOut: The rows of records that the source still has which are left out.
    /// - Returns: The others.
    /// - Throws: ``StoreError``.
    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows
    ) throws -> ComparedRows

    /// The same with the marks of texts, where the store keeps these in the order of the key: ``ComparedRows/marks``.
    ///
    /// - Parameters:
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: How many records to look at.
    ///   - leftOut: The rows of records that the source still has which are left out.
    ///   - withMarks: Whether anybody asks for marks.
    /// - Returns: The others.
    /// - Throws: ``StoreError``.
    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows, withMarks: Bool
    ) throws -> ComparedRows

    /// How many rows are there, those aside that are marked as deleted; nil where counting them is not worth it. Where
    /// ``comparedRows(after:limit:leavingOut:)`` met as many, none is without a base.
    ///
    /// - Throws: ``StoreError``.
    func rowCount() throws -> Int?

    /// The keys of rows that are there and of which the source never said anything, in the order of the key.
    ///
    /// - Parameters:
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: The most keys to give.
    /// - Returns: The keys, and the one to go on after; nil where there are no more.
    /// - Throws: ``StoreError``.
    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?)

    /// Settles what had to wait.
    ///
    /// Unique values may pass from row to row. A row that holds a value and does not give it up keeps it; of several records
    /// that want one value the smallest key gets it.
    ///
    /// - Parameters:
    ///   - run: The run's id, nil in a plan.
    ///   - reduce: Makes of a write the same without some fields, which keep what they hold or stay null; nil where
    ///     there is no such write.
    /// - Returns: Who did not get what.
    /// - Throws: ``StoreError``, and what `reduce` throws.
    func finish(
        run: Int64?, holding reduce: (RecordWrite, _ fields: [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome
}
