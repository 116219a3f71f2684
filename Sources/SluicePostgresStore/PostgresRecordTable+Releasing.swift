internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceStore

/// References that lead to rows which are deleted.
extension PostgresRecordTable {
    /// Writes records of different keys; where the table refuses one of them, none. A row that goes and that foreign keys of
    /// references which may be null do not let go takes these away first.
    ///
    /// - Parameters:
    ///   - writes: What is written.
    ///   - known: What was there before; nil to look.
    ///   - isNoted: Whether it is written down what that changed.
    /// - Returns: The refusal; nil where all are written.
    /// - Throws: ``StoreError``.
    func tryWriting(_ writes: [RecordWrite], since known: [RecordSnapshot]?, isNoted: Bool) throws -> Refusal? {
        let refusal = try tryOnce(writes, since: known, isNoted: isNoted) { try self.release(along: writes) }
        guard let refusal, refusal.isOfForeignKey, writes.count == 1, case .delete = writes[0].row else {
            return refusal
        }
        let isStillRefused =
            try tryOnce(writes, since: known, isNoted: isNoted) {
                let outcome = try self.release(along: writes)
                let further = try self.released { try $0.releaseRefusing([writes[0].key]) }
                guard further.hasWritten else { throw refusal }
                return outcome.adding(further)
            } != nil
        return isStillRefused ? refusal : nil
    }

    /// Takes references away of which the database would let go in silence with rows.
    ///
    /// - Parameter writes: What is written; what it deletes counts.
    /// - Returns: What became of references.
    /// - Throws: What the database throws, also where a table does not let go of them.
    private func release(along writes: [RecordWrite]) throws -> ReferenceOutcome {
        let deleted = letsGo ? writes.filter { if case .delete = $0.row { true } else { false } }.map(\.key) : []
        if deleted.isEmpty { return ReferenceOutcome() }
        return try released { try $0.release(deleted) }
    }

    private func released(_ body: (ReleasedReferences) throws -> ReferenceOutcome) throws -> ReferenceOutcome {
        let outcome = try database.untold {
            let references = try released ?? ReleasedReferences(to: schema, database: database, recorder: recorder)
            released = references
            return try body(references)
        }
        if outcome.hasWritten { pending.forget() }
        return outcome
    }
}

extension ReferenceOutcome {
    /// Both outcomes together.
    fileprivate func adding(_ other: ReferenceOutcome) -> ReferenceOutcome {
        var both = self
        both.add(other)
        return both
    }
}
