internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluicePipeline

/// Warns of references that take the keys of objects and leave the rest of them behind, where nothing else fills what they lead to:
///
///     refs: Band, from: "support[*].id"      the bands in the record are never stored
///     refs: Band, from: "support[*]"         they are records of `Band`
struct UnfilledTargetChecker {
    /// The entities as the file has them.
    let members: [ConfigMember]
    let entities: [EntityDefinition]
    /// The entities that streams, their `nested` lists or `children` fill.
    let filled: Set<String>
    let reporter: Reporter

    func check() {
        for target in entities where !filled.contains(target.name) {
            let references = entities.flatMap { owner in
                owner.references.filter { $0.target == target.name }.map { (owner: owner.name, reference: $0) }
            }
            // An object that one of them takes whole fills it, and `upsert: false` says that another program does.
            guard references.allSatisfy({ $0.reference.upsert == nil && isOfKeys($0.reference, target) }) else {
                continue
            }
            for (owner, reference) in references { warn(of: reference, owner) }
        }
    }

    /// Whether a reference selects the key within objects, and not the objects.
    private func isOfKeys(_ reference: ReferenceDefinition, _ target: EntityDefinition) -> Bool {
        guard target.keyFields.count == 1, case .path(let key)? = target.keyFields.first?.origin else { return false }
        let count = key.steps.count
        return reference.path.steps.count > count && Array(reference.path.steps.suffix(count)) == key.steps
            && reference.path.steps.dropLast(count).contains { if case .name = $0 { true } else { false } }
    }

    private func warn(of reference: ReferenceDefinition, _ owner: String) {
        let field = members.first { $0.name == owner }?.value.member("fields")?.member(reference.name)
        guard let place = field?.member("from") else { return }
        reporter.report(
            .unfilledTarget,
            "Nothing fills `\(reference.target)`: of the objects that `\(owner).\(reference.name)` leads to, `\(reference.path.text)` takes the key alone.",
            at: place.start,
            help:
                "Let `from` end with the objects, which are records of `\(reference.target)` then, or add a stream for it. Where others fill it, set `upsert: false`."
        )
    }
}
