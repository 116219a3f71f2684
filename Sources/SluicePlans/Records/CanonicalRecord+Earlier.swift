package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// What a source said of a field before that had its type, and its base says still.
extension CanonicalRecord {
    /// The sides of a record.
    ///
    /// What a source said before its field had its type is no news where it means by that what it says now, so that an edit
    /// stands. Where nobody edited it, it is the value of before, and the row takes what the source says now:
    ///
    ///     base "1 May" (a text)   local "soon"    remote 2026-05-01 (a date)   says the same: an edit, and no conflict
    ///     base "1 May" (a text)   local "1 May"   remote 2026-05-01 (a date)   the row takes the date, and so does the base
    ///
    /// - Parameters:
    ///   - entries: The base.
    ///   - local: The row; nil where there is none.
    ///   - remote: What the source says.
    /// - Returns: The sides; those of a row that is not there are empty.
    package func sides(
        of entries: [BaseEntry], beside local: [FieldValue]?, saying remote: [FieldSide]
    ) -> RecordSides {
        var all = RecordSides(base: sides(of: entries), local: local.map { sides(of: $0) } ?? [], remote: remote)
        for field in entries.indices {
            guard case .value(let said) = entries[field], isEarlier(said, field: field) else { continue }
            if local?[field] == said {
                let before = side(ofEarlier: said, field: field)
                (all.base[field], all.local[field]) = (before, before)
            } else if let meant = meaning(said, field).map({ side(of: $0, field: field) }) {
                // Where all say the same, the base says it in the new type from now on.
                let isSettled = local != nil && all.local[field] == meant && remote[field] == meant
                if !isSettled { all.base[field] = meant }
            }
        }
        return all
    }

    /// What a source said of a record before, to be compared with what it says now.
    package func sides(saidBefore base: BaseRow) -> [FieldSide] {
        sides(of: base.entries, beside: nil, saying: []).base
    }

    /// The side of a value of an earlier type, which no value of the field's type has, be it another spelling of one.
    package func side(ofEarlier value: FieldValue, field: Int) -> FieldSide {
        FieldSide(digest: CanonicalValue.invalid(digest(of: value, field: field)))
    }

    /// Whether a value is none as its source says it now, but one of the type that the field had before.
    package func isEarlier(_ said: FieldValue, field: Int) -> Bool {
        let field = schema.fields[field]
        if field.redaction != nil || field.isLink { return false }
        switch (field.type, said) {
        case (.string, .text), (.int, .integer), (.double, .real), (_, .null): return false
        case (.enumeration, _): return !field.canHold(said)
        case (_, .text(let text)): return !canonical.isPlain(text, type: field.type)
        default: return !canonical.isValid(said, type: field.type)
        }
    }
}
