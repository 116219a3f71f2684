internal import SluiceJSON
package import SluiceModel
internal import SluicePipeline
package import SluiceReport

/// How far a run has read, and what of it could not be stored: the next run begins there.
package struct CursorWatch {
    package let reading: CursorReading
    /// The position of the cursor's field.
    private let field: Int
    private let converter: ValueConverter
    /// What was seen so far.
    package private(set) var memory: Memory

    /// What was seen of a scan so far.
    package struct Memory: Equatable {
        package var latest: CursorPoint?
        /// The earliest record that was read and is not in the table.
        package var earliestLost: CursorPoint?
        package var lost = 0
        /// How many of them are in the table without the rest of a list.
        package var cut = 0
        /// Whether a record is not in the table of which not even the cursor is known.
        package var hasUnknown = false

        /// Makes a value of its parts.
        package init(
            latest: CursorPoint? = nil, earliestLost: CursorPoint? = nil, lost: Int = 0, cut: Int = 0,
            hasUnknown: Bool = false
        ) {
            self.latest = latest
            self.earliestLost = earliestLost
            self.lost = lost
            self.cut = cut
            self.hasUnknown = hasUnknown
        }
    }

    package init(_ reading: CursorReading, field: Int, memory: Memory = Memory()) {
        self.reading = reading
        self.memory = memory
        self.field = field
        converter = ValueConverter(reading.field)
    }

    /// Notes the records of a batch.
    package mutating func look(at batch: borrowing RecordBatch) {
        for record in 0..<batch.count { look(at: record, of: batch) }
    }

    /// Notes one record of a batch.
    package mutating func look(at record: Int, of batch: borrowing RecordBatch) {
        guard let point = batch.value(record: record, field: field).flatMap({ CursorPoint($0) }) else { return }
        reach(point)
    }

    /// Notes how far a record goes. One from the future hides nothing of the time until then, nor does it say what time it
    /// is at the source.
    private mutating func reach(_ point: CursorPoint) {
        if let now = reading.now, now < point { return }
        memory.latest = memory.latest.map { max($0, point) } ?? point
    }

    /// Notes a record that could not be decoded.
    package mutating func lose(_ failure: DecodeFailure) {
        memory.lost += 1
        guard let point = point(of: failure.record) else {
            memory.hasUnknown = true
            return
        }
        memory.earliestLost = memory.earliestLost.map { min($0, point) } ?? point
        reach(point)
    }

    /// Notes a record of a batch that was not read as a whole.
    package mutating func lose(_ record: Int, of batch: borrowing RecordBatch) {
        memory.lost += 1
        memory.cut += 1
        guard let point = batch.value(record: record, field: field).flatMap({ CursorPoint($0) }) else {
            memory.hasUnknown = true
            return
        }
        memory.earliestLost = memory.earliestLost.map { min($0, point) } ?? point
    }

    /// Notes records that were decoded and could not be written.
    package mutating func lose(decoded count: Int) {
        if count == 0 { return }
        memory.lost += count
        memory.hasUnknown = true
    }

    private func point(of record: [UInt8]) -> CursorPoint? {
        guard case .path(let path) = reading.field.origin,
            let value = (try? JSONDocument(tamed: record)).flatMap({ path.first(in: $0.root) }), !value.isNull
        else { return nil }
        return (try? converter.value(of: value).value).flatMap { CursorPoint($0) }
    }

    /// Where the next run begins.
    package struct Outcome {
        /// The cursor that is kept, nil where there is none.
        package var next: CursorPoint?
        /// Why it does not go as far as was read, nil where it does.
        package var reason: String?

        /// Makes a value of its parts.
        package init(next: CursorPoint? = nil, reason: String? = nil) {
            self.next = next
            self.reason = reason
        }
    }

    /// Decides where the next run begins.
    ///
    /// - Parameter isTruncated: Whether pages were left unread.
    /// - Returns: The cursor; it never passes a record that is not stored.
    package func outcome(isTruncated: Bool) -> Outcome {
        let kept = reading.kept
        guard reading.advances, let latest = memory.latest else { return Outcome(next: kept) }
        let reached = kept.map { max($0, latest) } ?? latest
        if kept == reached { return Outcome(next: kept) }
        if isTruncated && reading.rule.order != .ascending {
            return Outcome(next: kept, reason: "pages were not read")
        }
        let words =
            "\(memory.lost) \(memory.lost == 1 ? "record" : "records") could not be written"
            + (memory.cut == 0 ? "" : memory.cut == memory.lost ? " with the rest of a list" : " as a whole")
        if memory.hasUnknown { return Outcome(next: kept, reason: words) }
        guard let earliestLost = memory.earliestLost, earliestLost <= reached else { return Outcome(next: reached) }
        let before = earliestLost.previous
        return Outcome(next: kept.map { max($0, before) } ?? before, reason: words)
    }
}

extension CursorPoint {
    /// A point just before: sources may ask for what is later than the cursor, or for what is not earlier.
    fileprivate var previous: CursorPoint {
        switch self {
        case .count(let value): .count(value == .min ? value : value - 1)
        case .moment: advanced(bySeconds: -1)
        }
    }
}
