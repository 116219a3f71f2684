/// Which keys of `auth` or `notify` are not secret, down to the last of their sections.
struct PlainKeys {
    /// None of them.
    static let none = PlainKeys(names: [], sections: [:])

    /// Those of `auth`, whatever its type.
    static let authentication: PlainKeys = {
        var keys = VariantSpec.authentication.variants.reduce(into: PlainKeys.none) { $0.add($1.keys) }
        keys.names.insert("type")
        return keys
    }()

    /// Those of an entry of `notify`.
    static let notification: PlainKeys = {
        var keys = PlainKeys.none
        keys.add(SectionSpec.notification.keys)
        return keys
    }()

    private var names: Set<String>
    private var sections: [String: PlainKeys]

    /// Whether the value of a key may be shown.
    func isPlain(_ name: String) -> Bool { names.contains(name) }

    /// The keys within the value of a key.
    func within(_ name: String) -> PlainKeys { sections[name] ?? .none }

    private mutating func add(_ keys: [KeySpec]) {
        for key in keys where key.secrets != .always {
            if case .section(let section) = key.value {
                var inner = within(key.name)
                inner.add(section.keys)
                sections[key.name] = inner
            } else {
                names.insert(key.name)
            }
        }
    }
}
