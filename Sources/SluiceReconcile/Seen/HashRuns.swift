internal import SluiceModel
internal import SluiceReport
internal import SluiceSystem

/// Hashes in a temporary file without a name, as runs that are sorted each.
///
/// They are read one shard of all runs after the other, so memory holds a 256th of them at a time, and the file is
/// never read at random.
package struct HashRuns {
    private static let width = MemoryLayout<UInt64>.stride
    private let file: ByteFile
    /// For each run where the hashes of each shard begin, and where the last ones end.
    private var runs: [[Int]] = []

    /// Makes the file.
    ///
    /// - Parameter folder: Where it takes its room, `$TMPDIR` or `/tmp` where nil.
    /// - Throws: `SystemError`.
    init(in folder: String?) throws { file = try ByteFile(temporaryIn: folder) }

    /// Writes a set as a run.
    mutating func append(_ set: consuming HashSet64) throws {
        var end = runs.last?.last ?? 0
        var starts = [end]
        for shard in 0..<HashSet64.shardCount {
            let hashes = set.takeShard(shard)
            try unsafe hashes.withUnsafeBytes { try unsafe file.write($0, at: end) }
            end += hashes.count * Self.width
            starts.append(end)
        }
        runs.append(starts)
    }

    /// The hashes of a shard in their order, each as often as there are runs with it.
    func hashes(ofShard shard: Int) throws -> [UInt64] {
        var lists = try runs.map { try read($0[shard]..<$0[shard + 1]) }
        while lists.count > 1 {
            lists = stride(from: 0, to: lists.count, by: 2).map { first in
                first + 1 < lists.count ? Self.merged(lists[first], lists[first + 1]) : lists[first]
            }
        }
        return lists.first ?? []
    }

    /// Whether a hash is in some run: it is looked for in each, so that this is for the few that cannot wait.
    func contains(_ hash: UInt64) throws -> Bool {
        let shard = Int(truncatingIfNeeded: hash >> 56)
        for run in runs {
            var (start, end) = (run[shard] / Self.width, run[shard + 1] / Self.width)
            while start < end {
                let middle = start + (end - start) / 2
                guard let found = try read(middle * Self.width..<(middle + 1) * Self.width).first else { break }
                if found == hash { return true }
                if found < hash { start = middle + 1 } else { end = middle }
            }
        }
        return false
    }

    /// Calls a closure with each hash that is in several runs.
    func forEachRepeated(_ body: (UInt64) throws -> Void) throws {
        for shard in 0..<HashSet64.shardCount {
            var (last, wasTold): (UInt64?, Bool) = (nil, false)
            for hash in try hashes(ofShard: shard) {
                if hash != last {
                    (last, wasTold) = (hash, false)
                } else if !wasTold {
                    try body(hash)
                    wasTold = true
                }
            }
        }
    }

    /// Calls a closure with each hash of a shard that other runs do not have.
    func forEach(ofShard shard: Int, missingIn others: HashRuns, _ body: (UInt64) -> Void) throws {
        let others = try others.hashes(ofShard: shard)
        var position = 0
        for hash in try hashes(ofShard: shard) {
            while position < others.count && others[position] < hash { position += 1 }
            if position == others.count || others[position] != hash { body(hash) }
        }
    }

    private func read(_ range: Range<Int>) throws -> [UInt64] {
        try unsafe Array(unsafeUninitializedCapacity: range.count / Self.width) { hashes, count in
            let bytes = UnsafeMutableRawBufferPointer(hashes)
            var done = 0
            while done < range.count {
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done..<range.count])
                let read = try unsafe file.read(into: part, at: range.lowerBound + done)
                // Nobody else can shorten a file without a name; and what is missing here would be deleted.
                if read == 0 { throw SyncError(.fileFailed, "A temporary file in `\(file.path)` was shortened.") }
                done += read
            }
            count = range.count / Self.width
        }
    }

    private static func merged(_ first: [UInt64], _ second: [UInt64]) -> [UInt64] {
        var merged: [UInt64] = []
        merged.reserveCapacity(first.count + second.count)
        var position = 0
        for hash in first {
            while position < second.count && second[position] < hash {
                merged.append(second[position])
                position += 1
            }
            merged.append(hash)
        }
        merged.append(contentsOf: second[position...])
        return merged
    }
}
