extension ConfigNode {
    /// The value without the keys that are unknown, so that nothing but that is said of them.
    func pruned(to spec: ValueSpec) -> ConfigNode {
        var result = self
        switch (spec, content) {
        case (.section(let section), .mapping(let members)):
            result.content = .mapping(members.compactMap { $0.pruned(to: section) })
        case (.variants(let variants), .mapping(let members)):
            guard let type = member("type")?.string, let section = variants.section(of: type) else { return self }
            result.content = .mapping(members.compactMap { $0.pruned(to: section) })
        case (.mapping(_, let values, _), .mapping(let members)):
            result.content = .mapping(
                members.map { ConfigMember(name: $0.name, mark: $0.mark, value: $0.value.pruned(to: values)) })
        case (.list(let element, _), .sequence(let elements)):
            result.content = .sequence(elements.map { $0.pruned(to: element) })
        case (.anyOf(let forms), _):
            return ValueSpec.form(of: self, among: forms).map { pruned(to: $0) } ?? self
        default: break
        }
        return result
    }
}

extension ConfigMember {
    fileprivate func pruned(to section: SectionSpec) -> ConfigMember? {
        section.key(name).map { ConfigMember(name: name, mark: mark, value: value.pruned(to: $0.value)) }
    }
}
