internal import SluiceModel
package import SluiceStore

/// Compares the texts of records, which come in the order of their keys, with the marks that are read beside the run.
///
/// What is read so is what the store held before the transaction: it says nothing of records that the run itself has changed, as one
/// whose key comes again, or that stands within another one.
package struct TextsInOrder {
    /// What is known of a text.
    package enum Finding: Equatable {
        /// It is as it was.
        case known
        /// It is another one, or the record is not settled.
        case other
        /// Its mark is not there: the store has to be asked.
        case untold
    }

    private var source: TextsBeside?
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
    /// What was found to stand within records lately.
    private var recent = RecentHashes()

    /// Compares with the marks that come from somewhere.
    ///
    /// - Parameter source: Where they come from, of records whose key is one integer; nil to know of none.
    package init(_ source: TextsBeside?) { self.source = source }

    /// Compares the text of the record behind those before; after ``Finding/untold`` no other record of its batch is asked for.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - hash: The hash of its text.
    /// - Returns: What is known of it.
    package mutating func find(_ key: Int64, hash: UInt64) -> Finding {
        guard let source else { return .untold }
        if !hasBegun {
            guard let first = source.next(waits: source.isAwaited) else { return .untold }
            (hasBegun, hasEnded) = (true, first == nil)
            if let first { marks = first }
        }
        if let last, key <= last { return giveUp() }
        last = key
        guard advance(to: key) else {
            lateCount += 1
            return source.isPrompt || lateCount >= Self.mostLate ? giveUp() : .untold
        }
        let isKnown = position < marks.keys.count && marks.keys[position] == key && marks.hashes[position] == hash
        return isKnown ? .known : .other
    }

    /// Takes what stands within the record that was found last, but for embedded objects of which the same was found in a record
    /// lately: who learns of these has learned what a further record says of them.
    ///
    /// - Parameters:
    ///   - record: The position of the record in its batch.
    ///   - partCount: The number of parts that objects may be of.
    ///   - within: Grows by it.
    /// - Returns: Whether there was anything.
    package mutating func takeNews(of record: Int, partCount: Int, into within: inout TextsWithin) -> Bool {
        let news = marks.within.bytes(of: position) { mention in
            guard case .embedded(let part, let key, let content) = mention, part < partCount else { return true }
            let hash = KeyHash.combine(KeyHash.combine(key, content), UInt64(truncatingIfNeeded: part))
            return recent.insert(hash)
        }
        if news.isEmpty { return false }
        within.add(news, of: record)
        return true
    }

    /// Ends a batch.
    ///
    /// - Parameter isCompared: Whether all of its records could be compared.
    package mutating func endBatch(isCompared: Bool) { if isCompared { lateCount = 0 } }

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

    private mutating func giveUp() -> Finding {
        source?.close()
        source = nil
        marks = TextMarks()
        return .untold
    }
}
