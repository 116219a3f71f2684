import SluiceMerge
import TestSupport
import Testing

@Suite("Merging sets")
struct SetMergeTests {
    @Test(arguments: [
        ("both add", "a", "ab", "ac", "abc"), ("both take away", "abc", "bc", "ab", "b"),
        ("one adds, one takes away", "ab", "abc", "b", "bc"), ("the same on both sides", "a", "ab", "ab", "ab"),
        ("the local order stands, additions come behind", "ab", "bax", "zaby", "baxzy"),
        ("each stands once", "a", "aab", "acca", "abc"), ("nothing was known", "", "ab", "bc", "abc"),
        ("taken away here and still there", "ab", "a", "abc", "ac"), ("all is gone", "ab", "a", "", ""),
    ])
    func goesAsItSays(_ name: String, _ base: String, _ local: String, _ remote: String, _ result: String) {
        #expect(SetMerge.merge(base: Array(base), local: Array(local), remote: Array(remote)) == Array(result))
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func additionsAndRemovalsOfBothSidesSurvive(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func some() -> [Int] { (0..<12).filter { _ in Bool.random(using: &random) }.shuffled(using: &random) }
        let (base, local, remote) = (some(), some(), some())
        let merged = SetMerge.merge(base: base, local: local, remote: remote)
        #expect(Set(merged).count == merged.count, "seed \(seed)")
        #expect(Set(merged) == Set(SetMerge.merge(base: base, local: remote, remote: local)), "seed \(seed)")
        for side in [local, remote] {
            #expect(Set(side).subtracting(base).isSubset(of: merged), "seed \(seed)")
            #expect(Set(base).subtracting(side).isDisjoint(with: merged), "seed \(seed)")
        }
        #expect(Set(SetMerge.merge(base: base, local: base, remote: remote)) == Set(remote), "seed \(seed)")
        #expect(SetMerge.merge(base: base, local: local, remote: base) == local, "seed \(seed)")
        #expect(SetMerge.merge(base: remote, local: merged, remote: remote) == merged, "seed \(seed)")
    }
}
