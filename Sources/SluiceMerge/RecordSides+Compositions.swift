package import SluiceModel

extension RecordSides {
    /// The same, where a source that says null of all parts that have to have a value says it of the others as well: what is not there
    /// has no part.
    ///
    /// - Parameter compositions: The compositions.
    /// - Returns: The sides.
    package func clearing(_ compositions: [RecordComposition]) -> RecordSides {
        var sides = self
        for composition in compositions where composition.required.allSatisfy({ remote[$0] == .null }) {
            for field in composition.fields where remote[field] == .nothing { sides.remote[field] = .null }
        }
        return sides
    }

    /// The sides in which the parts of a composition that one side has and the other one set to null are one thing to decide: taken
    /// one by one, some parts could be those of the one side and some of the other, which is half a value.
    ///
    /// Where both have one, or neither has, each part is merged by itself. So is a part that both say alike.
    ///
    /// - Parameters:
    ///   - compositions: The compositions.
    ///   - claims: What other sources say of each field; they say it of the whole then.
    /// - Returns: The sides.
    func united(by compositions: [RecordComposition], _ claims: inout [[FieldClaim]]) -> RecordSides {
        var sides = self
        if compositions.isEmpty { return sides }
        let others = claims
        for composition in compositions {
            let fields = composition.fields
            let isHere = fields.contains { local[$0].isValue }
            let comes = fields.contains { remote[$0].isValue }
            let goes = !comes && composition.required.contains { remote[$0] == .null }
            guard isHere ? goes : comes else { continue }
            // What both say alike, or the source says nothing of, decides nothing: it is settled by itself, and with it in the sum
            // the next run would weigh another one.
            let asked = fields.filter { local[$0] != remote[$0] && remote[$0] != .nothing }
            let whole = (
                base: Self.value(asked.map { base[$0] }), local: Self.value(asked.map { local[$0] }),
                remote: Self.value(asked.map { remote[$0] })
            )
            for field in asked {
                sides.base[field] = whole.base
                sides.local[field] = whole.local
                sides.remote[field] = whole.remote
                if !claims.isEmpty { claims[field] = Self.united(others, asked, at: field) }
            }
        }
        return sides
    }

    /// What other sources say of a field, as said of all parts of a value.
    private static func united(_ claims: [[FieldClaim]], _ fields: [Int], at field: Int) -> [FieldClaim] {
        claims[field].map { claim in
            var claim = claim
            let source = claim.source
            claim.side = value(fields.map { part in claims[part].first { $0.source == source }?.side ?? .nothing })
            return claim
        }
    }

    /// All parts as one: what is not said of a part is no value of it.
    private static func value(_ parts: [FieldSide]) -> FieldSide {
        if parts.allSatisfy({ $0 == .nothing }) { return .nothing }
        if !parts.contains(where: \.isValue) { return .null }
        let digest = parts.reduce(0 as UInt64) { hash, part in
            if case .value(let digest) = part { return KeyHash.combine(hash, digest) }
            return KeyHash.combine(hash, FieldDigest.null)
        }
        return .value(digest)
    }
}
