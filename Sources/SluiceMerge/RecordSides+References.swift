internal import SluiceModel

extension RecordSides {
    /// The sides in which all fields of one reference say the same: a key of several values is one value, so that it
    /// is never mixed of two sides.
    func united(by references: [RecordReference]) -> RecordSides {
        var sides = self
        for reference in references where reference.fields.count > 1 {
            for side in [\RecordSides.base, \.local, \.remote] {
                let whole = Self.whole(reference.fields.map { self[keyPath: side][$0] })
                for field in reference.fields { sides[keyPath: side][field] = whole }
            }
        }
        return sides
    }

    private static func whole(_ parts: [FieldSide]) -> FieldSide {
        if parts.contains(.nothing) { return .nothing }
        if parts.allSatisfy({ $0 == .null }) { return .null }
        let digest = parts.reduce(0 as UInt64) { hash, part in
            if case .value(let digest) = part { return KeyHash.combine(hash, digest) }
            return KeyHash.combine(hash, FieldDigest.null)
        }
        return .value(digest)
    }
}
