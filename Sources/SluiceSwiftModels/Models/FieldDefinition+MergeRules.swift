internal import SluiceModel
internal import SluicePipeline
internal import SluiceSwift

extension FieldDefinition {
    /// How the field is merged, where that is not the usual way.
    var mergeRules: MergeRules {
        var rules: MergeRules = [
            .owner: owner.rawValue, .compare: comparison.rawValue, .onNull: onNull.rawValue,
        ]
        rules[.onConflict] = onConflict?.rawValue
        rules[.keepBase] = keepsBase?.rawValue
        // A default stands in for an absent key, where nothing else is said.
        let usual: MissingRule = defaultJSON == nil ? .keep : .default
        if onMissing != usual { rules[.onMissing] = onMissing.rawValue }
        return rules.filter { $0.value != $0.key.usual }
    }
}

extension MergeRule {
    /// Those that a reference to one record may have.
    static let ofReferences: Set<MergeRule> = [.owner, .onConflict, .onMissing, .onNull]
}
