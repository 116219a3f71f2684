internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// What a source said of a column of a record that the stream which asks does not fill, beside what the row holds.
struct SaidElsewhere {
    /// What it said.
    struct Said {
        let side: FieldSide
        /// Whether the row holds that.
        let isInRow: Bool
        let source: RecordMapping
        /// What the source said of the whole record.
        let base: BaseRow
        /// The run since which the source no longer has the field; nil where it has.
        let until: Int64?
    }

    /// The column, as the source calls it.
    let column: String
    /// What the row holds.
    let local: FieldSide
    /// Whether that is what it holds where nobody ever gave a value.
    let isUnsaid: Bool
    /// Whether the source no longer has the field.
    var isGivenUp = false
    /// What the source said; nil where that is nothing.
    var said: Said?
}

extension [SaidElsewhere] {
    /// Whether the row holds in a column what no source of it put there. All are about that column.
    ///
    /// - Parameter goes: Whether what the first of two sources gave keeps out what the second did.
    /// - Returns: Whether somebody else wrote it.
    func isEdited(goes: (SaidElsewhere.Said, SaidElsewhere.Said) -> Bool) -> Bool {
        // A column that nobody fills any more, and that holds nothing, has nothing to lose.
        if allSatisfy({ $0.isGivenUp && $0.isUnsaid }) { return false }
        let told = compactMap(\.said)
        if told.isEmpty { return !allSatisfy(\.isUnsaid) }
        let givers = told.filter { $0.until == nil }.map(\.base)
        let claims = told.filter { claim in claim.until.map { givers.leaveStanding(until: $0) } ?? true }
        let standing = FieldClaim.standing(claims.map(\.side)) { first, second in
            claims[first].until == nil && goes(claims[first], claims[second])
        }
        return !zip(claims, standing).contains { $0.isInRow && $1 }
    }
}

extension EditElsewhere {
    /// The edit of a column.
    ///
    /// - Parameter said: What its sources said; nil where there is none.
    init?(_ said: [SaidElsewhere]) {
        let digests = said.map { said in if case .value(let digest) = said.local { digest } else { FieldDigest.null } }
        // Sources may tell a value in types of their own.
        guard let column = said.first?.column, let digest = digests.min() else { return nil }
        self.init(column: column, mark: KeyHash.combine(FieldDigest.text(Array(column.lowercased().utf8)), digest))
    }
}
