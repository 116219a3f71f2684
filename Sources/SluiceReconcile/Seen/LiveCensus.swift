package import SluiceModel
package import SluiceStore

/// The records that a source had before a run, counted beside the merge: so that this need not wait for it, and nobody has to
/// go through all of them once more to find those that are gone.
package struct LiveCensus: Sendable {
    /// The bytes of a store below which it is read faster than another connection is opened.
    package static let usualLeastBytes = 4 << 20
    private let counted: @Sendable () -> LiveKeys?
    private let end: @Sendable () -> Void
    /// The marks of the records' texts, which are read along; nil where nobody asks for them.
    package let marks: TextsBeside?

    /// Begins to count; nil where that is not worth it, where a store is not read beside a run, or where keys are no integers.
    ///
    /// - Parameters:
    ///   - schema: The schema of the records, as the run before left it.
    ///   - backend: The store, in which the run's transaction has begun and has changed no record yet.
    ///   - room: The room that keys may take; beyond it they are only counted.
    ///   - leastBytes: The bytes of a store for which it is worth it; with 0 the first marks are waited for.
    ///   - tally: Counts them with what else it reads of the store as it was when the transaction began; nil for nothing.
    ///   - withMarks: Whether somebody asks for the marks of their texts.
    package init?(
        of schema: RecordSchema, in backend: any StoreBackend, room: SpillableHashes.Room,
        leastBytes: Int = usualLeastBytes, by tally: LiveTally? = nil, withMarks: Bool = false
    ) {
        guard KeyWord.isInteger(schema), backend.traits.isReadBesideRuns, let bytes = backend.bytes, bytes >= leastBytes
        else { return nil }
        if let tally {
            marks = withMarks ? tally.marks : nil
            (counted, end) = ({ tally.keys(of: schema) }, { tally.marks.close() })
            return
        }
        let limit = room.bytes
        let marks = withMarks ? TextsBeside(isAwaited: leastBytes == 0) : nil
        self.marks = marks
        // Who would have to wait for the run gives up at once: it waits for this.
        let reading = SideReading<LiveKeys>(
            of: backend, busyMilliseconds: 0, name: "sluice.census", atEnd: { marks?.close() }
        ) { store in
            let table = try store.knownTable(
                pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity)
            guard let table, KeyWord.isInteger(table.schema), table.schema.table == schema.table else { return nil }
            return try Self.count(table, limit, marks)
        }
        counted = {
            marks?.close()
            return reading.value()
        }
        end = {
            marks?.close()
            reading.stop()
        }
    }

    /// Counts the records, and keeps their keys while these take little.
    private static func count(_ table: any RecordTable, _ limit: Int, _ marks: TextsBeside?) throws -> LiveKeys {
        var keys = LiveKeys()
        var last: RecordKey?
        var marks = marks
        repeat {
            if let taker = marks, let found = try table.markedKeys(after: last, limit: 2_048) {
                for key in found.listed { keys.insert(key) }
                if !taker.push(found.marks, areLast: found.last == nil) { marks = nil }
                keys.shrink(to: limit)
                last = found.last
                continue
            }
            last = try table.liveKeys(after: last, limit: 4_096) { word in
                keys.insert(Int64(bitPattern: word))
                return true
            }.last
            keys.shrink(to: limit)
        } while last != nil
        return keys
    }

    /// The records, once they are counted; nil where they could not be.
    package func keys() -> LiveKeys? { counted() }

    /// Gives up counting, before the run's transaction ends.
    package func stop() { end() }
}

/// The records that a source had before a run.
package struct LiveKeys: Sendable {
    /// How many they are.
    package private(set) var count = 0
    /// Their keys; nil where there was no room for them.
    private var integers: IntegerSet? = IntegerSet()

    /// Makes an empty set.
    package init() {}

    /// Adds a key, in whose place none was added before.
    package mutating func insert(_ key: Int64) {
        count += 1
        _ = integers?.insert(key)
    }

    /// Forgets the keys where they take more than some bytes.
    package mutating func shrink(to limit: Int) {
        if let integers, integers.isBetterHashed(limit: limit) { self.integers = nil }
    }

    /// Those that a scan did not see, in the order of the key; nil where they are not known, or where they are so many that a
    /// pass through the store is cheaper than a look at each.
    func unseen(_ seen: SeenKeys) -> [Int64]? {
        guard let integers, seen.runs == nil else { return nil }
        let most = max(64, count / 16)
        var unseen: [Int64] = []
        func take(_ key: Int64) { if unseen.count <= most { unseen.append(key) } }
        if let others = seen.integers {
            integers.forEach(besides: others, take)
        } else {
            integers.forEach { if !seen.contains(word: UInt64(bitPattern: $0)) { take($0) } }
        }
        return unseen.count > most ? nil : unseen.sorted()
    }
}
