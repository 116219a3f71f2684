package import SluiceModel

/// A record that could not be taken.
package struct QuarantineEntry: Codable, Sendable, Equatable {
    /// The number by which a person names it; nil before it is written.
    package var id: Int64?
    /// The pipeline's name.
    package var pipeline: String
    /// The stream's name.
    package var stream: String
    /// The entity's name.
    package var entity: String
    /// The record's key as a JSON object, nil where it could not be read.
    package var key: String?
    /// A hash of the record's JSON.
    package var recordHash: Int64
    /// Why it was refused, in snake_case.
    package var reason: String
    /// The JSON pointer of the offending value within the record.
    package var pointer: String
    /// The offending value as JSON text, nil where there is none.
    package var value: String?
    /// What is wrong and what to do, as sentences.
    package var message: String
    /// The record as it was read.
    package var record: [UInt8]
    /// The run that wrote it first.
    package var firstRun: Int64?
    /// The run that changed it last.
    package var lastRun: Int64?
    /// How far it has come.
    package var status: QuarantineStatus

    /// What the reason of an entry begins with that keeps a value of a column which took another type; the field's name
    /// follows. It stays until its field has a value again: it comes back, people or a decision give another one, or give it up;
    /// or until its row is gone.
    package static let typeChange = "type_changed:"

    /// The field whose value of before it keeps; nil for a record that could not be taken.
    package var changedField: String? { Self.changedField(of: reason) }

    /// The field whose value of before an entry of a reason keeps; nil for a record that could not be taken.
    package static func changedField(of reason: String) -> String? {
        guard reason.hasPrefix(typeChange) else { return nil }
        let rest = reason.dropFirst(typeChange.count)
        return rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    }

    /// Whether it still waits to be mended.
    package var isOpen: Bool { status == .open }

    /// Makes an open entry.
    package init(
        id: Int64? = nil, pipeline: String, stream: String, entity: String, key: String?, recordHash: Int64,
        reason: String, pointer: String, value: String?, message: String, record: [UInt8], firstRun: Int64? = nil,
        lastRun: Int64? = nil, status: QuarantineStatus = .open
    ) {
        self.id = id
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
        self.key = key
        self.recordHash = recordHash
        self.reason = reason
        self.pointer = pointer
        self.value = value
        self.message = message
        self.record = record
        self.firstRun = firstRun
        self.lastRun = lastRun
        self.status = status
    }
}

/// How far a record in quarantine has come.
package enum QuarantineStatus: String, Codable, Sendable, CaseIterable {
    /// Waits to be mended.
    case open
    /// The record was taken, or the source no longer has it.
    case closed
    /// A person gave it up; where the source sends it again as it was, that is a new entry.
    case dropped
}

/// Which open entries of a pipeline are meant.
package struct QuarantineSelection: Sendable, Equatable {
    /// The numbers of the entries, nil for all.
    package var ids: Set<Int64>?
    /// The reason they were refused for, nil for any.
    package var reason: String?

    /// Makes a selection.
    package init(ids: Set<Int64>? = nil, reason: String? = nil) {
        self.ids = ids
        self.reason = reason
    }
}

/// The records that could not be taken.
package protocol QuarantineLedger: AnyObject {
    /// Adds entries or, where the same is open already, leaves it or brings it up to date. The same is one of the same
    /// source, record and reason; a record without a key is told by its hash. An entry that has a number is that open entry,
    /// whatever it is refused for now, unless another one says the same: then that one is left as it was.
    ///
    /// - Parameter entries: The entries, which are written together.
    /// - Returns: The id of each.
    /// - Throws: `StoreError`.
    func put(_ entries: [QuarantineEntry]) throws -> [Int64]
    /// The ids and keys of a stream's open entries, but those of values that a change of a type left.
    func openKeys(of source: RecordMapping) throws -> [(id: Int64, key: String?)]
    /// The keys of a stream's open entries, but those that are about whole records for one of some reasons, and those of
    /// values that a change of a type left.
    func openKeys(of source: RecordMapping, besides reasons: Set<String>) throws -> [String]
    /// How many records have an open entry, those of each of some streams.
    func openRecords(ofStreams streams: Set<String>, pipeline: String) throws -> Int
    /// How many values of columns that took another type wait, of some streams of a pipeline.
    func openTypeChanges(ofStreams streams: Set<String>, pipeline: String) throws -> Int
    /// The numbers of a pipeline's open entries by their streams, those that were written longest ago first.
    func open(_ selection: QuarantineSelection, pipeline: String) throws -> [String: [Int64]]
    /// Closes entries: their records were taken, or the source no longer has them.
    func close(_ ids: [Int64], run: Int64?) throws
    /// Closes an entry because a person gave the record up.
    func drop(id: Int64, run: Int64) throws
    /// Entries by id, the open ones alone or all.
    func list(includingClosed: Bool) throws -> [QuarantineEntry]
    /// One entry.
    func entry(id: Int64) throws -> QuarantineEntry?
    /// All entries of one record, open and closed, by id.
    func entries(of mapping: RecordMapping, key: String) throws -> [QuarantineEntry]
    /// The open entries of some records, by their keys.
    func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [QuarantineEntry]]
    /// The open entries that a run brought up to date and did not make: what they said before is kept nowhere.
    func entries(renewedBy run: Int64) throws -> [QuarantineEntry]
    /// Takes back that a run put a record into quarantine or let it go, where nothing happened to it since. A value that a
    /// change of a type put there stays until it is back in its row.
    ///
    /// - Returns: Whether it is as before now.
    func revert(_ change: RecordedEntry) throws -> Bool
}

extension QuarantineEntry {
    /// What fills the record's table.
    package var mapping: RecordMapping { RecordMapping(pipeline: pipeline, stream: stream, entity: entity) }
}

extension QuarantineLedger {
    /// Adds one entry, as several are added together.
    ///
    /// - Returns: Its id.
    package func put(_ entry: QuarantineEntry) throws -> Int64 { try put([entry]).first ?? 0 }
}
