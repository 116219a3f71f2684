import TestSupport
import Testing

@testable import SluiceModel
@testable import SluiceReconcile
@testable import SluiceReport

/// Sets of hashes, held against `Set<UInt64>`.
@Suite("Seen hashes")
struct HashSetTests {
    /// How the hashes of a test lie.
    enum Spread: String, CaseIterable, Sendable {
        case even, oneShard, oneEntry, neighbours, ends

        func hash(_ random: inout SeededGenerator) -> UInt64 {
            let bits = random.next()
            return switch self {
            case .even: bits
            case .oneShard: 0xAB << 56 | bits >> 8
            case .oneEntry: 0x1234 << 48 | bits >> 16
            case .neighbours: 0xFFFF_FFFF + bits % 20_000
            case .ends: bits % 2 == 0 ? bits % 512 : UInt64.max - bits % 512
            }
        }
    }

    @Test("Where the same are asked for again", arguments: Spread.allCases, [1, 2] as [UInt64])
    func recent(_ spread: Spread, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var set = RecentHashSet()
        var model: Set<UInt64> = []
        var few: [UInt64] = [0]
        for step in 0..<20_000 {
            // Most are among a few, which come and go.
            if step % 7 == 0 { few = few.suffix(40) + [spread.hash(&random)] }
            let hash = random.chance(20) ? spread.hash(&random) : random.pick(few)
            let isRight =
                random.chance(50)
                ? set.contains(hash) == model.contains(hash) : set.insert(hash) == model.insert(hash).inserted
            guard isRight else {
                Issue.record("\(spread), seed \(seed), step \(step): \(hash)")
                return
            }
        }
    }

    @Test("In memory", arguments: Spread.allCases, [1, 2] as [UInt64])
    func memory(_ spread: Spread, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var set = HashSet64()
        var model: Set<UInt64> = []
        for _ in 0..<20_000 {
            // A third are hashes that came before.
            let hash = random.chance(33) ? model.first ?? 0 : spread.hash(&random)
            let isNew = set.insert(hash)
            guard isNew == model.insert(hash).inserted else {
                Issue.record("\(spread), seed \(seed): \(hash) is \(isNew ? "new" : "old")")
                return
            }
        }
        for hash in model where !set.contains(hash) { Issue.record("\(spread), seed \(seed): \(hash) is lost") }
        for _ in 0..<20_000 {
            let hash = spread.hash(&random) ^ (random.chance(50) ? 1 : 0)
            guard set.contains(hash) != model.contains(hash) else { continue }
            Issue.record("\(spread), seed \(seed): \(hash) is \(model.contains(hash) ? "lost" : "made up")")
        }
        #expect((0..<HashSet64.shardCount).flatMap { set.takeShard($0) } == model.sorted(), "\(spread), seed \(seed)")
        #expect(set.isEmpty)
    }

    @Test("Partly in a file", arguments: Spread.allCases, [4, 5] as [UInt64])
    func file(_ spread: Spread, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let room = SpillableHashes.Room(bytes: 40 << 10, folder: folder.path)
        let (seen, twice, told) = try fill(room, 20_000) {
            random.chance(10) ? spread.hash(&random) % 100 : spread.hash(&random)
        }
        let runs = try #require(seen.runs)
        #expect(OpenFiles.modes(in: folder.path) == [0o600])
        var repeated = told
        var count = 0
        try runs.forEachRepeated {
            repeated.insert($0)
            count += 1
        }
        #expect(repeated == twice.twice, "\(spread), seed \(seed)")
        #expect(count <= twice.twice.count, "a hash is told more than once")

        // Of what is there now about half was seen.
        let present = Set((0..<5000).map { _ in spread.hash(&random) }).union(
            twice.all.shuffled(using: &random).prefix(5000))
        var rest = Array(present)
        let (live, _, _) = try fill(room, rest.count) { rest.removeLast() }
        var missing: Set<UInt64> = []
        for shard in 0..<HashSet64.shardCount {
            try live.runs?.forEach(ofShard: shard, missingIn: runs) { missing.insert($0) }
        }
        #expect(missing == present.subtracting(twice.all), "\(spread), seed \(seed)")
    }

    private func fill(
        _ room: SpillableHashes.Room, _ count: Int, _ next: () -> UInt64
    ) throws -> (SpillableHashes, (all: Set<UInt64>, twice: Set<UInt64>), told: Set<UInt64>) {
        var hashes = SpillableHashes(room: room)
        var model: (all: Set<UInt64>, twice: Set<UInt64>) = ([], [])
        var told: Set<UInt64> = []
        for index in 0..<count {
            if index % 100 == 0 { try hashes.makeRoom() }
            let hash = next()
            if !hashes.insert(hash) { told.insert(hash) }
            if !model.all.insert(hash).inserted { model.twice.insert(hash) }
        }
        try hashes.spill()
        return (hashes, model, told)
    }

    @Test("Eight bytes a hash, without steps")
    func accounting() {
        var random = SeededGenerator(seed: 7)
        var set = HashSet64()
        var last = 0
        for count in 1...600_000 {
            set.insert(random.next())
            guard count % 50_000 == 0 else { continue }
            let bytes = set.allocatedBytes
            #expect(bytes <= count * 8 + 300 << 10, "\(count) hashes take \(bytes) bytes")
            if count >= 500_000 { #expect(Double(bytes) / Double(count) <= 8.5) }
            if last > 0 { #expect(bytes - last < 50_000 * 8 + bytes / 8, "a step at \(count)") }
            last = bytes
        }
    }

    @Test("A folder that is not there")
    func folder() {
        var hashes = SpillableHashes(room: SpillableHashes.Room(bytes: 0, folder: "/nowhere"))
        hashes.insert(1)
        let error = #expect(throws: SyncError.self) { try hashes.makeRoom() }
        #expect(error?.code == .fileFailed)
        #expect(error?.message.contains("cannot create a temporary file in `/nowhere`") == true)
        #expect(error?.message.contains("TMPDIR") == true)
    }
}
