package import SluiceModel

/// What becomes of a record as a run's change of it is taken back.
///
/// It is a merge like any other: base is what the run wrote, local what the store holds now, remote what was before.
/// What was touched since stays as it is.
package enum UndoMerge {
    /// What is done to the row.
    package enum Row: Sendable, Hashable {
        /// It is as before already.
        case nothing
        /// The changed fields are set back one by one.
        case mergeFields
        /// The row that the run wrote is deleted.
        case delete
        /// The row that the run deleted comes back.
        case restore
        /// It was touched since: it stays, and so does its base.
        case left(RowKind)
    }

    /// Decides about a row.
    ///
    /// - Parameters:
    ///   - wasThere: Whether there was a row before the run.
    ///   - wasLeft: Whether there was one after it.
    ///   - now: What the store holds; edited where it is neither the row that the run left nor, if the run left none, the
    ///     one that was before.
    /// - Returns: What is done.
    package static func row(wasThere: Bool, wasLeft: Bool, now: LocalRow) -> Row {
        switch (wasThere, wasLeft, now) {
        case (true, true, .present): .mergeFields
        case (true, true, .absent): .left(.deleteEdit)
        case (false, true, .present(isEdited: false)): .delete
        case (false, true, .present(isEdited: true)): .left(.editDelete)
        case (false, true, .absent), (false, false, _): .nothing
        case (true, false, .absent): .restore
        case (true, false, .present(isEdited: false)): .nothing
        case (true, false, .present(isEdited: true)): .left(.adopt)
        }
    }

    /// Decides about a field that a run changed.
    ///
    /// - Parameters:
    ///   - wrote: What the run wrote.
    ///   - now: What the store holds.
    ///   - before: What it held before the run.
    /// - Returns: A decision in which the remote side is what was before; an open one means that the field is left.
    package static func field(wrote: FieldSide, now: FieldSide, before: FieldSide) -> FieldDecision {
        FieldMerge.decide(base: wrote, local: now, remote: before)
    }

    /// What is done to the base.
    package enum Base: Sendable, Equatable {
        case keep
        case remove
        case restore(BaseImage)
    }

    /// Decides about a record's base, entry by entry where a later run moved it on or a field is left.
    ///
    /// - Parameters:
    ///   - before: The base before the run, nil where there was none.
    ///   - after: The base that the run left.
    ///   - now: The base as it is.
    ///   - left: The slots of fields that are left: value and base of a field go together.
    ///   - run: The number of the run that takes back, nil in a plan.
    /// - Returns: What is done.
    package static func base(
        before: BaseImage?, after: BaseImage?, now: BaseImage?, left: Set<Int>, run: Int64?
    ) -> Base {
        guard let now else { return after == nil ? before.map { .restore($0) } ?? .keep : .keep }
        guard let after else { return .keep }
        if left.isEmpty && now.saysTheSame(as: after) {
            guard var before else { return .remove }
            // A hash that was voided since must stay void, so that the record is looked at again.
            if now.rowHash != after.rowHash || now.rowHash == BaseImage.voidHash { before.rowHash = BaseImage.voidHash }
            return before == now ? .keep : .restore(before)
        }
        var merged = now
        for slot in 0..<max(after.slots.count, now.slots.count) where !left.contains(slot) {
            let old = before?.entry(slot) ?? .none
            guard now.entry(slot) == after.entry(slot), old != now.entry(slot) else { continue }
            while merged.slots.count <= slot { merged.slots.append(.none) }
            merged.slots[slot] = old
        }
        if let before, now.state == after.state { merged.state = before.state }
        if merged == now { return .keep }
        merged.rowHash = BaseImage.voidHash
        merged.lastRun = run
        return .restore(merged)
    }
}
