extension KeySpec {
    /// Whether the key may be used where some features are there.
    package func isAvailable(in keys: AvailableKeys) -> Bool {
        (feature.map(keys.contains) ?? true) && !(retiredBy.map(keys.contains) ?? false)
    }
}

extension SectionSpec {
    /// The section without what needs features that are not there.
    func available(in keys: AvailableKeys) -> SectionSpec {
        SectionSpec(
            title: title, documentation: documentation, keys: self.keys.available(in: keys), elsewhere: keysElsewhere)
    }
}

extension [KeySpec] {
    fileprivate func available(in keys: AvailableKeys) -> [KeySpec] {
        filter { $0.isAvailable(in: keys) }.map { $0.with(value: $0.value.available(in: keys)) }
    }
}

extension ValueSpec {
    fileprivate func available(in keys: AvailableKeys) -> ValueSpec {
        switch self {
        case .choice(let choice):
            return .choice(choice.keeping { choice.features[$0].map(keys.contains) ?? true })
        case .list(let element, let minimumCount):
            return .list(element.available(in: keys), minimumCount: minimumCount)
        case .mapping(let names, let values, let minimumCount):
            return .mapping(keys: names, values: values.available(in: keys), minimumCount: minimumCount)
        case .section(let section): return .section(section.available(in: keys))
        case .variants(let spec):
            let variants = spec.variants.filter { $0.feature.map(keys.contains) ?? true }.map { variant in
                VariantSpec.Variant(variant.name, keys: variant.keys.available(in: keys), variant.documentation)
            }
            let names = variants.map(\.name)
            return .variants(
                VariantSpec(
                    title: spec.title, variants: variants, synonyms: spec.synonyms.filter { names.contains($0.value) },
                    elsewhere: spec.keysElsewhere))
        case .anyOf(let forms): return .anyOf(forms.map { $0.available(in: keys) })
        case .boolean, .integer, .duration, .size, .rowLimit, .status, .string, .text, .scalar, .json: return self
        }
    }
}
