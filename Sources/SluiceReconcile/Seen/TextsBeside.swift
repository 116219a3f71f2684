package import SluiceModel
package import SluiceStore
internal import SluiceSystem

/// The marks of the texts of a source's records as they were when the run's transaction began, on their way from who reads the store
/// beside the run anyway to who merges.
///
/// Whoever waits for the reader closes it first: the reader may be waiting for room.
package final class TextsBeside: Sendable {
    private enum Element {
        case marks(TextMarks)
        /// There are no more.
        case end
    }

    /// Some thousand records each.
    private let queue = BoundedQueue<Element>(capacity: 4)

    /// Whether the reader does little else, so that it is soon done with what is not there yet.
    fileprivate let isPrompt: Bool

    /// Makes one that nobody writes to yet.
    ///
    /// - Parameter isPrompt: Whether its reader does little else: else nobody waits for it.
    package init(isPrompt: Bool = true) { self.isPrompt = isPrompt }

    /// Hands over the marks of the records behind those before, waiting for room.
    ///
    /// - Parameters:
    ///   - marks: The marks.
    ///   - areLast: Whether there are no more.
    /// - Returns: Whether anybody takes them.
    @discardableResult
    package func push(_ marks: TextMarks, areLast: Bool) -> Bool {
        let isTaken = queue.push(.marks(marks))
        return areLast ? isTaken && queue.push(.end) : isTaken
    }

    /// Has nobody take marks from here on, and nobody wait for any.
    package func close() { queue.close() }

    /// The next marks.
    ///
    /// - Parameter waits: Whether to wait for them.
    /// - Returns: The marks, `nil` within where there are no more; nil where they are not there, or nobody reads any more.
    fileprivate func next(waits: Bool) -> TextMarks?? {
        switch waits ? queue.pop() : queue.popNow() {
        case .marks(let marks): .some(marks)
        case .end: .some(nil)
        case nil: nil
        }
    }
}

/// Compares the texts of records, which come in the order of their keys, with the marks that are read beside the run.
///
/// What is read so is what the store held before the transaction: it says nothing of records that the run itself has changed, as one
/// whose key comes again, or that stands within another one.
package struct TextsInOrder {
    private var source: TextsBeside?
    private let field: Int
    private var marks = TextMarks()
    private var position = 0
    /// Whether any marks came, after which more follow soon.
    private var hasBegun = false
    private var hasEnded = false
    /// The key that was looked up last.
    private var last: Int64?
    /// How many batches in a row came before their marks.
    private var lateCount = 0
    /// With so many the reader is left behind, which need not go on to read marks then.
    private static let mostLate = 16

    /// Compares with the marks that come from somewhere.
    ///
    /// - Parameters:
    ///   - source: Where they come from; nil to know of none.
    ///   - schema: The schema of the records, whose key is one integer.
    package init(_ source: TextsBeside?, of schema: RecordSchema) {
        self.source = source
        field = schema.keyFields.first ?? 0
    }

    /// Finds the records whose texts are as they were.
    ///
    /// - Parameters:
    ///   - batch: The keys of records and the hashes of their texts.
    ///   - lookup: Empty, then what was found.
    /// - Returns: Whether all of them were looked up; where not, the store has to be asked.
    package mutating func lookUp(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) -> Bool {
        guard source != nil else { return false }
        if !hasBegun {
            guard let first = source?.next(waits: false) else { return false }
            (hasBegun, hasEnded) = (true, first == nil)
            if let first { marks = first }
        }
        for record in 0..<batch.count {
            let key = batch.cells[record &* batch.fieldCount &+ field].payload
            if let last, key <= last { return giveUp() }
            last = key
            guard advance(to: key) else {
                lateCount += 1
                return source?.isPrompt != false || lateCount >= Self.mostLate ? giveUp() : false
            }
            let hash = batch.textFingerprints.hashes[record]
            guard position < marks.keys.count, marks.keys[position] == key, marks.hashes[position] == hash else {
                lookup.others.append(record)
                continue
            }
            lookup.within.add(marks.within, position, of: record)
        }
        lateCount = 0
        return true
    }

    /// Goes to the first mark whose key is not before another one; false where marks do not come any more, or not yet.
    private mutating func advance(to key: Int64) -> Bool {
        while true {
            while position < marks.keys.count {
                if marks.keys[position] >= key { return true }
                position &+= 1
            }
            if hasEnded { return true }
            guard let source, let next = source.next(waits: source.isPrompt) else { return false }
            position = 0
            if let next { marks = next } else { (marks, hasEnded) = (TextMarks(), true) }
        }
    }

    private mutating func giveUp() -> Bool {
        source?.close()
        source = nil
        marks = TextMarks()
        return false
    }
}
