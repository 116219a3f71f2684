import SluiceDecode
import SluiceModel
import TestSupport
import Testing

/// What scans prove of the records that they did not see.
@Suite("Coverage")
struct CoverageTests {
    private static func scope(read: [UInt64], unread: [UInt64], strays: Bool = false) -> Coverage.Scope {
        Coverage.Scope(
            fields: [0], read: Set(read.map { [.value($0)] }), unread: Set(unread.map { [.value($0)] }),
            takesStrays: strays)
    }

    private static func scoped(read: [UInt64], unread: [UInt64], strays: Bool = false) -> Coverage {
        Coverage.unended.narrowed(to: scope(read: read, unread: unread, strays: strays))
    }

    private static let counted = Coverage(.whole, isCounted: true)

    private static let table: [(Coverage, Coverage, Coverage.Proof)] = [
        (.whole, .whole, .whole),
        (.whole, counted, .counted),
        (.whole, .filtered, .filtered),
        (.whole, .unended, .partial("its pages were not all read")),
        (.whole, .partial("a"), .partial("a")),
        (.partial("a"), .partial("b"), .partial("a")),
        (.unended, .partial("b"), .partial("b")),
        (.filtered, .partial("a"), .filtered),
        (counted, .partial("a"), .partial("a")),
        (counted, .filtered, .filtered),
        (scoped(read: [1], unread: [2]), .whole, .scoped),
        (scoped(read: [1], unread: [2]), counted, .scoped),
        (scoped(read: [1], unread: [2]), .partial("a"), .partial("a")),
        (scoped(read: [1], unread: [2]), scoped(read: [2], unread: [1]), .scoped),
    ]

    @Test("Two parts prove what the weaker one does", arguments: table.indices)
    func combined(_ index: Int) {
        let (first, second, proof) = Self.table[index]
        #expect(first.and(second).proof == proof)
        let other = second.and(first).proof
        if case .partial = proof {
            guard case .partial = other else { return #expect(Bool(false), "\(other)") }
        } else {
            #expect(other == proof)
        }
    }

    @Test("A scope covers its partitions, and strays where their list is whole")
    func scopes() {
        func covers(_ coverage: Coverage, _ side: FieldSide) -> Bool { coverage.covers { _ in side } }
        let scope = Self.scoped(read: [1], unread: [2])
        #expect(covers(scope, .value(1)) && !covers(scope, .value(2)) && !covers(scope, .value(3)))
        let strays = Self.scoped(read: [1], unread: [2], strays: true)
        #expect(covers(strays, .value(1)) && !covers(strays, .value(2)) && covers(strays, .value(3)))
        #expect(!covers(strays, .nothing) && !covers(strays, .null), "its partition is not known")
        let both = scope.and(Self.scoped(read: [3], unread: [], strays: true))
        #expect(covers(both, .value(1)) && !covers(both, .value(2)) && !covers(both, .value(3)))
        #expect(covers(.whole, .nothing) && !covers(.filtered, .value(1)) && !covers(.unended, .value(1)))
        #expect(Coverage.whole.narrowed(to: Self.scope(read: [], unread: [1])) == .whole)
    }

    @Test("A scan is whole once its last page was read, unless something was missing")
    func series() {
        var coverage = Coverage.unended
        coverage.end(isCounted: true)
        #expect(coverage.proof == .counted && coverage.isComplete)
        coverage = .unended
        coverage.markIncomplete("a page was left", leavesPages: true)
        coverage.markIncomplete("a part came")
        coverage.end(isCounted: false)
        #expect(coverage.proof == .partial("a part came") && coverage.leavesPages)
        coverage = .filtered
        coverage.markIncomplete("a page was left", leavesPages: true)
        #expect(coverage.proof == .filtered && coverage.leavesPages && coverage.reason == "a page was left")
    }

    private func random(_ random: inout SeededGenerator) -> Coverage {
        func values() -> [UInt64] { (0..<5).filter { _ in random.chance(40) } }
        let extent: Coverage.Extent =
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: .whole
            case 2: .partial(Coverage.Gap(leavesPages: random.chance(20)))
            case 3: .partial(Coverage.Gap(reason: random.pick(["a", "b", "c"]), leavesPages: random.chance(50)))
            default:
                .scoped([Self.scope(read: values(), unread: values(), strays: random.chance(50))])
            }
        return Coverage(extent, isCounted: random.chance(30), isFiltered: random.chance(20))
    }

    /// What a coverage says, apart from the reason that it gives.
    private func said(_ coverage: Coverage) -> [Bool] {
        let covered = (0..<6).map { value in coverage.covers { _ in .value(value) } }
        return covered
            + [
                coverage.isComplete, coverage.provesAbsences, coverage.proof == .whole, !coverage.isCounted,
                !coverage.isFiltered, !coverage.leavesPages,
            ]
    }

    @Test(
        "Combining is associative and idempotent, and proves no more than either part",
        arguments: 0..<400 as Range<UInt64>)
    func laws(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (a, b, c) = (random(&generator), random(&generator), random(&generator))
        #expect(a.and(b).and(c) == a.and(b.and(c)), "associative")
        #expect(a.and(a) == a, "idempotent")
        #expect(a.and(.whole) == a && Coverage.whole.and(a) == a, "neutral")
        #expect(said(a.and(b)) == said(b.and(a)), "commutative but for the reason that is told")
        for (index, isSaid) in said(a.and(b)).enumerated() where isSaid {
            #expect(said(a)[index] && said(b)[index], "\(index) of \(a) and \(b)")
        }
        if case .partial(let gap) = a.extent, gap.reason != nil { #expect(a.and(b).reason == a.reason) }
    }
}
