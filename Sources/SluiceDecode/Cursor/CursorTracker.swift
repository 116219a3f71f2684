internal import SluiceDiagnostics
internal import SluiceJSON
package import SluiceModel
internal import SluicePipeline

/// How far a run has read, and what of it could not be stored: the next run begins there.
package struct CursorTracker {
    /// How far the clock of a source may be behind, in seconds.
    private static let clockSkew: Int64 = 300
    package let reading: CursorRange
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
        /// Where the first of those records stood that changed while the pages were read, and came once more.
        package var earliestMoved: CursorPoint?

        /// Makes a value of its parts.
        package init(
            latest: CursorPoint? = nil, earliestLost: CursorPoint? = nil, lost: Int = 0, cut: Int = 0,
            hasUnknown: Bool = false, earliestMoved: CursorPoint? = nil
        ) {
            self.latest = latest
            self.earliestLost = earliestLost
            self.lost = lost
            self.cut = cut
            self.hasUnknown = hasUnknown
            self.earliestMoved = earliestMoved
        }
    }

    package init(_ reading: CursorRange, field: Int, memory: Memory = Memory()) {
        self.reading = reading
        self.memory = memory
        self.field = field
        converter = ValueConverter(reading.field)
    }

    /// Notes the records of a batch.
    package mutating func observe(_ batch: borrowing RecordBatch) {
        for record in 0..<batch.count { observe(record, of: batch) }
    }

    /// Notes one record of a batch.
    package mutating func observe(_ record: Int, of batch: borrowing RecordBatch) {
        guard let point = point(of: record, in: batch) else { return }
        reach(point)
    }

    /// Notes how far a record goes. One from the future hides nothing of the time until then, nor does it say what time it
    /// is at the source.
    private mutating func reach(_ point: CursorPoint) {
        if let now = reading.now, now < point { return }
        memory.latest = memory.latest.map { max($0, point) } ?? point
    }

    /// Notes a record that came before in the scan. If it changed meanwhile, it moved from its place in the order of the
    /// cursor to the end, and all that stood behind it moved up, maybe from one page to another that was read.
    ///
    /// - Parameters:
    ///   - record: Its position in its batch.
    ///   - batch: The batch.
    ///   - earlier: What it had before; nil where that is not known.
    package mutating func meetAgain(_ record: Int, of batch: borrowing RecordBatch, since earlier: CursorPoint?) {
        guard reading.rule.order == .ascending, let earlier, let now = reading.now,
            let point = point(of: record, in: batch), earlier < point,
            // A source that always gives several versions of a record did not move it now. Clocks differ a little.
            now.advanced(bySeconds: -Self.clockSkew) <= point
        else { return }
        memory.earliestMoved = memory.earliestMoved.map { min($0, earlier) } ?? earlier
    }

    /// What a record of a batch has in the cursor's field.
    package func point(of record: Int, in batch: borrowing RecordBatch) -> CursorPoint? {
        batch.value(record: record, field: field).flatMap { CursorPoint($0) }
    }

    /// What a base says of the cursor's field.
    package func point(of entries: [BaseEntry]) -> CursorPoint? { entries[field].value.flatMap { CursorPoint($0) } }

    /// Notes a record that is not stored.
    ///
    /// - Parameter record: The record as it was read.
    package mutating func reject(_ record: [UInt8]) {
        memory.lost += 1
        guard let point = point(of: record) else {
            memory.hasUnknown = true
            return
        }
        memory.earliestLost = memory.earliestLost.map { min($0, point) } ?? point
        reach(point)
    }

    /// Records a record of a batch that was not read as a whole.
    package mutating func recordIncomplete(_ record: Int, of batch: borrowing RecordBatch) {
        memory.lost += 1
        memory.cut += 1
        guard let point = point(of: record, in: batch) else {
            memory.hasUnknown = true
            return
        }
        memory.earliestLost = memory.earliestLost.map { min($0, point) } ?? point
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
    /// - Parameters:
    ///   - isTruncated: Whether pages were left unread.
    ///   - isCounted: Whether a record that moved may have moved others past the reader.
    /// - Returns: The cursor; it never passes a record that is not stored.
    package func outcome(isTruncated: Bool, isCounted: Bool = false) -> Outcome {
        let kept = reading.kept
        let words =
            "\(Plural.of(memory.lost, "record")) could not be written"
            + (memory.cut == 0 ? "" : memory.cut == memory.lost ? " with the rest of a list" : " as a whole")
        if let earlierStart { return Outcome(next: earlierStart.cursor, reason: words) }
        guard reading.advances, let latest = memory.latest else { return Outcome(next: kept) }
        let reached = kept.map { max($0, latest) } ?? latest
        if kept == reached { return Outcome(next: kept) }
        if isTruncated && reading.rule.order != .ascending {
            return Outcome(next: kept, reason: "pages were not read")
        }
        if memory.hasUnknown { return Outcome(next: kept, reason: words) }
        func before(_ point: CursorPoint, _ reason: String) -> Outcome {
            Outcome(next: kept.map { max($0, point.previous) } ?? point.previous, reason: reason)
        }
        let lost = memory.earliestLost.flatMap { $0 <= reached ? $0 : nil }
        if isCounted, let moved = memory.earliestMoved, moved <= lost ?? moved {
            return before(
                moved,
                "a record changed while pages were read by counting, which may have moved others to a page that was read"
            )
        }
        return lost.map { before($0, words) } ?? Outcome(next: reached)
    }

    /// Where the next run has to begin, since this one began earlier than a run as usual would (`--full`, `--from`) and did
    /// not store a record from there.
    private var earlierStart: EarlierStart? {
        guard memory.lost > 0, reading.kept != nil, let usual = reading.usualStart else { return nil }
        if let start = reading.start, start >= usual { return nil }
        guard let first = memory.hasUnknown ? reading.start : memory.earliestLost else {
            return memory.hasUnknown ? .beginning : nil
        }
        return first < usual ? .point(first.previous) : nil
    }

    private enum EarlierStart {
        case beginning
        case point(CursorPoint)

        /// The cursor that is kept then.
        var cursor: CursorPoint? {
            switch self {
            case .beginning: nil
            case .point(let point): point
            }
        }
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
