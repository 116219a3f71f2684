import SluiceMerge
import SluiceModel

/// Digests that stand for three different values, and the letters of the truth table for all sides.
enum Sides {
    static let a = FieldSide.value(0xA)
    static let b = FieldSide.value(0xB)
    static let c = FieldSide.value(0xC)

    /// Every base, every local value and every remote value that the truth table tells apart.
    static let bases: [FieldSide] = [.nothing, .null, a, b, c]
    static let locals: [FieldSide] = [.null, a, b, c]
    static let remotes: [FieldSide] = [.nothing, .null, a, b, c]

    /// A side by its sign: `∅` and `⊥` say nothing, `n` is null.
    static func named(_ sign: Substring) throws -> FieldSide {
        switch sign {
        case "∅", "⊥": .nothing
        case "n": .null
        case "a": a
        case "b": b
        case "c": c
        default: throw UnknownSign(sign: String(sign))
        }
    }

    struct UnknownSign: Error {
        let sign: String
    }
}

extension FieldDecision {
    /// What the store holds afterwards.
    func result(local: FieldSide, remote: FieldSide) -> FieldSide { takesRemote ? remote : local }

    /// What the base says afterwards.
    func base(before: FieldSide, remote: FieldSide) -> FieldSide { advancesBase ? remote : before }
}
