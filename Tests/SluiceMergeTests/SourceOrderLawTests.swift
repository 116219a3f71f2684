import SluiceMerge
import SluiceModel
import TestSupport
import Testing

/// Several sources of one field, read again and again in any order.
@Suite("Laws of the order of sources")
struct SourceOrderLawTests {
    /// What a store holds of one field of one record.
    private struct Field {
        var local: FieldSide?
        var bases: [FieldSide]
        var isLive: [Bool]

        init(sources: Int) {
            bases = Array(repeating: .nothing, count: sources)
            isLive = Array(repeating: false, count: sources)
        }

        /// Merges what a source says; sources are numbered in their order.
        mutating func read(_ source: Int, _ remote: FieldSide) -> FieldDecision.Settlement {
            isLive[source] = true
            guard let held = local else {
                local = remote
                bases[source] = remote
                return .notNeeded
            }
            let claims = bases.indices.filter { $0 != source && bases[$0] != .nothing }.map { other in
                FieldClaim(
                    source: other, side: bases[other], isLive: isLive[other], rank: other < source ? .above : .below)
            }
            let sides = RecordSides(base: [bases[source]], local: [held], remote: [remote])
            let decision = RecordMerge(
                sides, schema: RecordMergeTests.schema([.shared]), claims: claims.isEmpty ? [] : [claims]
            ).decisions[0]
            if decision.takesRemote { local = remote }
            if decision.advancesBase { bases[source] = remote }
            return decision.settlement
        }
    }

    private static let values: [FieldSide] = [.null, Sides.a, Sides.b, Sides.c]

    @Test("After every source was read, the first one's value stands", arguments: 1...200)
    func order(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...4, using: &chance)
        var field = Field(sources: count)
        for _ in 0..<6 {
            let says = (0..<count).map { _ in Self.values.randomElement(using: &chance) ?? .null }
            for source in (0..<count).shuffled(using: &chance) {
                #expect(field.read(source, says[source]) != .open, "seed \(seed)")
            }
            #expect(field.local == says[0], "seed \(seed)")
            #expect(field.bases == says, "seed \(seed)")
        }
    }

    @Test("Where the first one loses the record, the next one's value stands once it was read", arguments: 1...200)
    func handOver(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...4, using: &chance)
        var field = Field(sources: count)
        for _ in 0..<6 {
            var says = (0..<count).map { _ in Self.values.randomElement(using: &chance) }
            let survivor = Int.random(in: 0..<count, using: &chance)
            for source in 0..<count where source != survivor && Bool.random(using: &chance) { says[source] = .none }
            if says[survivor] == nil { says[survivor] = .null }
            // What is lost is noticed at the end of a source's scan; who lost nothing is read once more then.
            for _ in 0..<2 {
                for source in (0..<count).shuffled(using: &chance) {
                    if let value = says[source] {
                        #expect(field.read(source, value) != .open, "seed \(seed)")
                    } else {
                        field.isLive[source] = false
                    }
                }
            }
            let first = says.compactMap { $0 }.first
            #expect(field.local == first, "seed \(seed)")
        }
    }
}
