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
    /// What a program made of a list that it read: the difference, so that what others did to it meanwhile stays.
    case merge(from: [Key], to: [Key])

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
        case .merge(let before, let after): Self.merge(before, after, into: &keys)
        }
    }

    /// The keys that it brings or moves by name; a whole list says of none of its keys that it is new.
    var brought: [Key] {
        switch self {
        case .insert(let key, _), .append(let key): return [key]
        case .remove, .assign: return []
        case .merge(let before, let after):
            let had = Set(before)
            return after.filter { !had.contains($0) }
        }
    }

    /// Takes out what was taken out, brings what came, and takes over the order where that was changed.
    private static func merge(_ before: [Key], _ all: [Key], into keys: inout [Key]) {
        var seen: Set<Key> = []
        let after = all.filter { seen.insert($0).inserted }
        let (had, wanted) = (Set(before), seen)
        let isMoved = before.filter(wanted.contains) != after.filter(had.contains)
        let held = Set(keys)
        if isMoved {
            // What others took out meanwhile stays out, and what they brought stands where it stood.
            let others = keys
            keys = after.filter { held.contains($0) || !had.contains($0) }
            Self.insert(others.filter { !had.contains($0) }, asIn: others, into: &keys)
        } else {
            keys.removeAll { had.contains($0) && !wanted.contains($0) }
            Self.insert(after.filter { !had.contains($0) }, asIn: after, into: &keys)
        }
    }

    /// Inserts keys before what follows them in another list; at the end where nothing does.
    private static func insert(_ new: [Key], asIn order: [Key], into keys: inout [Key]) {
        for key in new where !keys.contains(key) {
            let next = order.drop { $0 != key }.dropFirst().first(where: keys.contains)
            keys.insert(key, at: next.flatMap { keys.firstIndex(of: $0) } ?? keys.count)
        }
    }

    /// The same of other keys.
    func map<Other>(_ body: (Key) throws -> Other) rethrows -> OrderChange<Other> {
        switch self {
        case .append(let key): .append(try body(key))
        case .insert(let key, let index): .insert(try body(key), at: index)
        case .remove(let key): .remove(try body(key))
        case .assign(let keys): .assign(try keys.map(body))
        case .merge(let before, let after): .merge(from: try before.map(body), to: try after.map(body))
        }
    }
}
