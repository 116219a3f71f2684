/// The statements that the server has prepared for a connection, by their text and the types of their values.
struct PreparedNames {
    /// How many are kept. A run over a dozen tables uses fewer.
    static let capacity = 256

    struct Key: Hashable {
        let sql: String
        let types: [PostgresType]
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private var known: [Key: Entry] = [:]
    private var clock: UInt64 = 0
    private var made = 0
    /// Names that are no longer used and that the server still has.
    private(set) var stale: [String] = []

    var count: Int { known.count }

    /// The name of a statement that is prepared.
    mutating func name(of key: Key) -> String? {
        guard known[key] != nil else { return nil }
        clock += 1
        known[key]?.lastUse = clock
        return known[key]?.name
    }

    /// A name that was never used.
    mutating func makeName() -> String {
        made += 1
        return "sluice_\(made)"
    }

    /// Notes that a statement was prepared. Where there are too many, the one that was not used for longest goes.
    mutating func add(_ key: Key, name: String) {
        if let former = known[key] { stale.append(former.name) }
        if known.count >= Self.capacity, let oldest = known.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            known[oldest.key] = nil
            stale.append(oldest.value.name)
        }
        clock += 1
        known[key] = Entry(name: name, lastUse: clock)
    }

    /// Notes that the server has forgotten a name.
    mutating func remove(stale name: String) { stale.removeAll { $0 == name } }

    /// Forgets all.
    mutating func removeAll() {
        known = [:]
        stale = []
    }
}
