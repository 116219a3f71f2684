/// The three sides of a record, field by field, as digests in canonical form.
public struct RecordSides: Sendable {
    /// What the source said last time that was settled.
    public var base: [FieldSide]
    /// What the store holds.
    public var local: [FieldSide]
    /// What the source says now.
    public var remote: [FieldSide]

    /// Makes the sides; each has one entry per field of the schema.
    public init(base: [FieldSide], local: [FieldSide], remote: [FieldSide]) {
        self.base = base
        self.local = local
        self.remote = remote
    }
}

/// What becomes of the fields of one record.
public struct RecordMerge: Sendable {
    /// One decision per field of the schema.
    public let decisions: [FieldDecision]
    /// For each field the policy that settled its conflict, nil where none did.
    public let policies: [ConflictPolicy?]

    /// Merges a record that both the store and the source have.
    ///
    /// - Parameters:
    ///   - sides: What base, local and remote say.
    ///   - schema: The fields, their owners and the policies.
    ///   - newest: Which side was changed last, as far as both say so.
    ///   - within: Merges the changes within a value, by the field's position, where both sides have one and its
    ///     ``FieldComparison/mergesWithin``; nil where they do not go together.
    public init(
        _ sides: RecordSides, schema: RecordSchema, newest: NewestSide = .unknown,
        within: (Int) -> FieldDecision.Result? = { _ in nil }
    ) {
        decisions = schema.fields.indices.map { index in
            let field = schema.fields[index]
            let (base, local, remote) = (sides.base[index], sides.local[index], sides.remote[index])
            let open = FieldMerge.decide(base: base, local: local, remote: remote, owner: field.owner)
            guard open.settlement == .open else { return open }
            if field.comparison.mergesWithin, open.fieldClass == .editEdit || open.fieldClass == .addAdd,
                let result = within(index)
            {
                return FieldDecision(merged: result)
            }
            let policies = field.policies ?? schema.policies
            let policy = policies.policy(for: open.fieldClass.rawValue, newest: newest)
            if policy == .manual { return open }
            return FieldMerge.decide(
                base: base, local: local, remote: remote, owner: field.owner, policy: policy, newest: newest)
        }
        policies = zip(decisions, schema.fields).map { decision, field in
            guard decision.settlement == .byPolicy else { return nil }
            return (field.policies ?? schema.policies).policy(for: decision.fieldClass.rawValue, newest: newest)
        }
    }

    /// The positions of the fields whose remote or merged value is written.
    public var written: [Int] { decisions.indices.filter { decisions[$0].writes } }

    /// The positions of the fields whose base becomes the remote value.
    public var advanced: [Int] { decisions.indices.filter { decisions[$0].advancesBase } }

    /// The positions of the fields that a person must decide.
    public var open: [Int] { decisions.indices.filter { decisions[$0].settlement == .open } }

    /// Whether the source's change was not taken because the local value stands.
    public var keptLocal: Bool {
        decisions.contains {
            $0.fieldClass == .keptLocal || ($0.settlement == .byPolicy && !$0.takesRemote)
        }
    }

    /// Whether a local value differs from the base, in fields that people may edit.
    ///
    /// A base that this source never gave counts as null.
    public static func isEdited(base: [FieldSide], local: [FieldSide], schema: RecordSchema) -> Bool {
        schema.fields.indices.contains { index in
            let known = base[index] == .nothing ? .null : base[index]
            return schema.fields[index].owner != .remote && local[index] != known
        }
    }

    /// Whether the source says something else than last time; an absent key says nothing.
    public static func isChanged(base: [FieldSide], remote: [FieldSide]) -> Bool {
        base.indices.contains { remote[$0] != .nothing && remote[$0] != base[$0] }
    }
}
