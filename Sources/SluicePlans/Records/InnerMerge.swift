internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel

/// Merges what both sides changed within one value, as the field's `compare` says.
struct InnerMerge {
    /// Merges a value that both sides have and changed, each to something else.
    ///
    /// - Parameters:
    ///   - comparison: What the field's values are.
    ///   - base: What the source said before. A digest tells nothing of what was within.
    ///   - local: What the store holds.
    ///   - remote: What the source says now.
    ///   - addsOnly: Whether what the source took out of a set stays.
    /// - Returns: What the store holds afterwards; nil where somebody must decide.
    package func result(
        _ comparison: FieldComparison, base: BaseEntry, local: FieldValue, remote: FieldValue?, addsOnly: Bool = false
    ) -> FieldDecision.Result? {
        switch comparison {
        case .exact, .ignoringCase: return nil
        case .set: return sets(base, local, remote, addsOnly: addsOnly)
        case .json: return objects(base, local, remote)
        }
    }

    private func sets(
        _ base: BaseEntry, _ local: FieldValue, _ remote: FieldValue?, addsOnly: Bool
    ) -> FieldDecision.Result? {
        guard let before = base == .none ? [] : elements(base.value), let here = elements(local),
            let there = elements(remote)
        else { return nil }
        let merged = SetMerge.merge(base: before, local: here, remote: there, addsOnly: addsOnly)
        if Set(merged) == Set(here) { return .local }
        return .merged(
            .text([UInt8(ascii: "[")] + merged.map(\.text).joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
        )
    }

    private func elements(_ value: FieldValue?) -> [MergeItem]? {
        guard let array = json(value), array.kind == .array else { return nil }
        return array.elements.map { MergeItem($0) }
    }

    private func objects(_ base: BaseEntry, _ local: FieldValue, _ remote: FieldValue?) -> FieldDecision.Result? {
        let before = tree(base.value)
        guard before != nil || base == .none, let here = tree(local), let there = tree(remote) else { return nil }
        let merge = MemberMerge(base: before, local: here, remote: there)
        guard merge.divergences.isEmpty else { return nil }
        if merge.result == here { return .local }
        var text: [UInt8] = []
        merge.result.appendJSON(to: &text)
        return .merged(.text(text))
    }

    private func tree(_ value: FieldValue?) -> MergeTree? { json(value).map { MergeTree($0) } }

    private func json(_ value: FieldValue?) -> JSONValue? {
        guard case .text(let bytes)? = value else { return nil }
        return try? JSONDocument(bytes).root
    }
}
