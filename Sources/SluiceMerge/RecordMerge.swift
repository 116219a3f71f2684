package import SluiceModel

/// The three sides of a record, field by field, as digests in canonical form.
package struct RecordSides: Sendable {
    /// What the source said last time that was settled.
    package var base: [FieldSide]
    /// What the store holds.
    package var local: [FieldSide]
    /// What the source says now.
    package var remote: [FieldSide]

    /// Makes the sides; each has one entry per field of the schema.
    package init(base: [FieldSide], local: [FieldSide], remote: [FieldSide]) {
        self.base = base
        self.local = local
        self.remote = remote
    }

    /// The same, where a value that the source did not say itself, a default, gives way to one that stands here already:
    /// nobody at the source disagrees with it.
    ///
    /// - Parameter rule: To what the remote value of a field gives way.
    /// - Returns: The sides.
    package func givingWay(_ rule: (Int) -> Yielding) -> RecordSides {
        var sides = self
        for field in remote.indices {
            let yielding = rule(field)
            if yielding == .no || base[field] == .nothing && local[field] == .null { continue }
            let isChanged = local[field] != base[field] && local[field] != remote[field]
            if isChanged || yielding == .toAnyValue { sides.remote[field] = .nothing }
        }
        return sides
    }

    /// To what a value gives way that stands in for what a source does not say.
    package enum Yielding: Sendable {
        /// To nothing: the source alone has a say.
        case no
        /// To what people changed.
        case toChanges
        /// To each value that is there.
        case toAnyValue
    }

    /// The same, as if nobody had changed anything here: a value that is more than one record is taken as a whole.
    package var taken: RecordSides {
        var sides = self
        for field in base.indices where local[field] != remote[field] { sides.base[field] = local[field] }
        return sides
    }
}

/// What becomes of the fields of one record.
package struct RecordMerge: Sendable {
    /// One decision per field of the schema.
    package let decisions: [FieldDecision]
    /// For each field the policy that settled its conflict, nil where none did.
    package let policies: [ConflictPolicy?]

    /// Merges a record that both the store and the source have.
    ///
    /// - Parameters:
    ///   - sides: What base, local and remote say.
    ///   - schema: The fields, their owners and the policies.
    ///   - newest: Which side was changed last, as far as both say so.
    ///   - claims: What other sources of the table say of each field; empty where there are none, or where
    ///     ``needsClaims`` is false without them.
    ///   - within: Merges the changes within a value, by the field's position, where both sides have one and its
    ///     ``FieldComparison/mergesWithin``; nil where they do not go together.
    package init(
        _ sides: RecordSides, schema: RecordSchema, newest: NewestSide = .unknown, claims: [[FieldClaim]] = [],
        within: (Int) -> FieldDecision.Result? = { _ in nil }
    ) {
        var claims = claims
        // What others say of a part they say of the whole, where that is one thing to decide.
        let sides = sides.united(by: schema.references).united(by: schema.compositions, &claims)
        // Each field is named by its position: a copy of its description costs more than the decision.
        let fields = schema.fields
        decisions = fields.indices.map { index in
            let (base, local, remote) = (sides.base[index], sides.local[index], sides.remote[index])
            var open = FieldMerge.decide(base: base, local: local, remote: remote, owner: fields[index].owner)
            if !claims.isEmpty {
                open = FieldMerge.weigh(
                    open, base: base, local: local, remote: remote, owner: fields[index].owner, claims: claims[index])
            }
            if fields[index].addsOnly, open.takesRemote, local != .null, let result = within(index) {
                return FieldDecision(merged: result)
            }
            // No policy speaks for one source against another.
            guard open.settlement == .open, open.fieldClass != .disagreement else { return open }
            if fields[index].comparison.mergesWithin, open.fieldClass == .editEdit || open.fieldClass == .addAdd,
                let result = within(index)
            {
                return FieldDecision(merged: result)
            }
            let policies = fields[index].policies ?? schema.policies
            let policy = policies.policy(for: open.fieldClass.rawValue, newest: newest)
            let settled = FieldMerge.settle(open.fieldClass, policy: policy, newest: newest)
            guard settled.takesRemote, !claims.isEmpty else { return settled }
            return FieldMerge.gainsaid(remote, by: claims[index]) ?? settled
        }
        policies = decisions.enumerated().map { index, decision in
            guard decision.settlement == .byPolicy else { return nil }
            return (fields[index].policies ?? schema.policies).policy(
                for: decision.fieldClass.rawValue, newest: newest)
        }
    }

    /// Whether what other sources say can make a difference.
    package var needsClaims: Bool { decisions.contains(where: FieldMerge.needsClaims) }

    /// The positions of the fields whose remote or merged value is written.
    package var written: [Int] { decisions.indices.filter { decisions[$0].writes } }

    /// The positions of the fields whose base becomes the remote value.
    package var advanced: [Int] { decisions.indices.filter { decisions[$0].advancesBase } }

    /// The positions of the fields that a person must decide.
    package var open: [Int] { decisions.indices.filter { decisions[$0].settlement == .open } }

    /// Whether the source's change was not taken because the local value stands.
    package var keptLocal: Bool {
        decisions.contains { $0.fieldClass == .keptLocal || ($0.isSettled && !$0.takesRemote) }
    }

    /// Whether a local value differs from the base, in fields that people may edit.
    ///
    /// What no source ever gave counts as null, and what another source gave is no edit, see
    /// ``FieldClaim/isEdit(_:of:unsaid:beside:)``.
    package static func isEdited(
        base: [FieldSide], local: [FieldSide], schema: RecordSchema, claims: [[FieldClaim]] = []
    ) -> Bool {
        schema.fields.indices.contains { index in
            schema.fields[index].owner != .remote
                && FieldClaim.isEdit(
                    local[index], of: base[index], unsaid: schema.fields[index].unsaid,
                    beside: claims.isEmpty ? [] : claims[index])
        }
    }

    /// Whether the source says something else than last time; an absent key says nothing.
    package static func isChanged(base: [FieldSide], remote: [FieldSide]) -> Bool {
        base.indices.contains { remote[$0] != .nothing && remote[$0] != base[$0] }
    }
}
