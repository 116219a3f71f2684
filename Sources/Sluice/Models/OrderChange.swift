/// What becomes of a list of keys, each of which stands in it once.
enum OrderChange<Key: Hashable & Sendable>: Hashable, Sendable {
    /// A key comes to a place, or moves there; a place behind the last is the last.
    case insert(Key, at: Int)
    /// A key comes to the end, or moves there.
    case append(Key)
    /// A key goes.
    case remove(Key)
    /// The list has these keys and no others.
    case assign([Key])

    /// Changes a list.
    func apply(to keys: inout [Key]) {
        switch self {
        case .append(let key):
            keys.removeAll { $0 == key }
            keys.append(key)
        case .insert(let key, let index):
            keys.removeAll { $0 == key }
            keys.insert(key, at: min(index, keys.count))
        case .remove(let key): keys.removeAll { $0 == key }
        case .assign(let all):
            var seen: Set<Key> = []
            keys = all.filter { seen.insert($0).inserted }
        }
    }

    /// The same of other keys.
    func map<Other>(_ body: (Key) throws -> Other) rethrows -> OrderChange<Other> {
        switch self {
        case .append(let key): .append(try body(key))
        case .insert(let key, let index): .insert(try body(key), at: index)
        case .remove(let key): .remove(try body(key))
        case .assign(let keys): .assign(try keys.map(body))
        }
    }
}
