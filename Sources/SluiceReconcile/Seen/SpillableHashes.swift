internal import SluiceModel
internal import SluiceReport
internal import SluiceSystem

/// Hashes in memory, as many as may be, and the others in a temporary file.
package struct SpillableHashes {
    /// The room that hashes may take.
    package struct Room: Sendable {
        /// The most memory of one set, beyond which it goes to a file.
        package var bytes = 32 << 20
        /// Where the file takes its room, `$TMPDIR` or `/tmp` where nil.
        package var folder: String?

        /// Makes a value of its parts.
        package init(bytes: Int = 32 << 20, folder: String? = nil) {
            self.bytes = bytes
            self.folder = folder
        }
    }

    private let room: Room
    private var latest = HashSet64()
    /// What went to the file, nil as long as nothing did.
    package private(set) var runs: HashRuns?

    /// Makes an empty set.
    package init(room: Room) { self.room = room }

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new, as far as those in memory tell.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Bool { latest.insert(hash) }

    /// Whether a hash was added; of those in memory alone, so it is for sets that never went to a file.
    package func contains(_ hash: UInt64) -> Bool { latest.contains(hash) }

    /// Whether a hash was added, be it in memory or in the file.
    ///
    /// - Throws: What reading the file throws.
    func containsAnywhere(_ hash: UInt64) throws -> Bool { try latest.contains(hash) || runs?.contains(hash) == true }

    /// Whether there is none.
    var isEmpty: Bool { runs == nil && latest.isEmpty }

    /// Calls a closure with each hash, be it in memory or in the file; with one that is in several places more than once.
    ///
    /// - Throws: What reading the file and the closure throw.
    func forEach(_ body: (UInt64) throws -> Void) throws {
        var latest = latest
        for shard in 0..<HashSet64.shardCount {
            for hash in latest.takeShard(shard) { try body(hash) }
            for hash in try runs?.hashes(ofShard: shard) ?? [] { try body(hash) }
        }
    }

    /// Makes room in memory where it is used up: to be called now and then.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes.
    mutating func makeRoom() throws { if latest.allocatedBytes > room.bytes { try spill() } }

    /// Writes the rest of a set that went to a file in part.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes.
    package mutating func finish() throws { if runs != nil && !latest.isEmpty { try spill() } }

    /// Writes what is in memory.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes.
    package mutating func spill() throws {
        let full = latest
        latest = HashSet64()
        do {
            var runs = try self.runs ?? HashRuns(in: room.folder)
            try runs.append(full)
            self.runs = runs
        } catch let error as SystemError {
            throw SyncError(
                .fileFailed,
                "The keys do not fit into memory, and the program \(error.description). Free some space there (eight bytes for each record), or set TMPDIR to another folder."
            )
        }
    }
}
