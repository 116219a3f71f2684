internal import SluiceModel
internal import SluiceStore
internal import SluiceSystem

/// The keys of live records that a scan did not see.
///
/// They may be any number, so none is kept. Where the seen keys are in a file, the live ones are hashed into another;
/// both are compared shard by shard, and of what is missing only the hashes are held, as many as there is room for.
struct UnseenKeys {
    private static let chunk = 4096
    private let seen: SeenKeys
    private let table: any RecordTable
    private let room: SpillableHashes.Room
    private let cancellation: Cancellation
    private var files: (seen: HashRuns, live: HashRuns)?
    /// The keys where they are known, in the order of the key; those among them are left out of which the run learnt otherwise
    /// since.
    private let known: [Int64]?

    /// Prepares the comparison.
    ///
    /// - Parameters:
    ///   - seen: The keys that the scan read.
    ///   - table: The table of the records.
    ///   - room: What hashes may take.
    ///   - before: The live records before the run, where they are known.
    ///   - cancellation: Checked now and then.
    /// - Throws: What the store throws, and ``SyncError`` where the disk does not take the hashes.
    init(
        seen: SeenKeys, table: any RecordTable, room: SpillableHashes.Room, before: LiveKeys?,
        cancellation: Cancellation
    ) throws {
        known = before?.unseen(seen)
        self.seen = seen
        self.table = table
        self.room = room
        self.cancellation = cancellation
        guard let runs = seen.runs else { return }
        var live = SpillableHashes(room: room)
        try forEachChunk { keys in
            try live.makeRoom()
            for key in keys { live.insert(KeyHash.hash(key)) }
        }
        try live.spill()
        files = live.runs.map { (runs, $0) }
    }

    /// Calls a closure with the keys, some at a time, in the order of the key; where there is no room for all hashes at
    /// once, in several such orders, one for each range of hashes.
    ///
    /// - Throws: What the store and the closure throw.
    func forEachBatch(_ body: ([RecordKey]) throws -> Void) throws {
        func call(_ keys: [RecordKey]) throws { if !keys.isEmpty { try body(keys) } }
        if let known { return try forEachListed(known, call) }
        guard let files else {
            return try forEachChunk(unless: { seen.contains(word: $0) }, call)
        }
        var shards = 0..<HashSet64.shardCount
        while !shards.isEmpty {
            var gone = HashSet64()
            while let shard = shards.popFirst() {
                try cancellation.check()
                try files.live.forEach(ofShard: shard, missingIn: files.seen) { gone.insert($0) }
                if gone.allocatedBytes > room.bytes { break }
            }
            if gone.isEmpty { continue }
            try forEachChunk { keys in try call(keys.filter { gone.contains(KeyHash.hash($0)) }) }
        }
    }

    /// Calls a closure with those of some keys that are still listed.
    private func forEachListed(_ keys: [Int64], _ body: ([RecordKey]) throws -> Void) throws {
        var rest = keys[...]
        while !rest.isEmpty {
            try cancellation.check()
            let chunk = rest.prefix(Self.chunk).map { RecordKey([.integer($0)]) }
            rest = rest.dropFirst(Self.chunk)
            let bases = try table.baseRows(chunk)
            try body(zip(chunk, bases).filter { $1?.state.isListed == true }.map(\.0))
        }
    }

    private func forEachChunk(
        unless isLeftOut: (UInt64) -> Bool = { _ in false }, _ body: ([RecordKey]) throws -> Void
    ) throws {
        var last: RecordKey?
        repeat {
            try cancellation.check()
            let chunk = try table.liveKeys(after: last, limit: Self.chunk, unless: isLeftOut)
            last = chunk.last
            try body(chunk.keys)
        } while last != nil
    }
}
