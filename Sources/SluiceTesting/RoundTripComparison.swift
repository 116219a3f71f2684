internal import FoundationEssentials
internal import Sluice

/// Compares a value that was saved with what was read of it, property by property.
enum RoundTripComparison {
    /// How two values compare.
    private enum Likeness {
        case same
        /// They differ by less than a store keeps.
        case close
        case different
        /// Their type cannot tell.
        case unknown
    }

    /// The properties that are not equal, as far as their types can tell, or that of the model.
    static func differences<M: PersistentModel>(_ saved: M, _ read: M) -> [String] {
        let properties = M.model.description.valueProperties
        let sides = zip(Mirror(reflecting: saved).children, Mirror(reflecting: read).children)
        let all = sides.compactMap { saved, read -> (name: String, likeness: Likeness)? in
            guard let name = saved.label, properties.contains(name) else { return nil }
            return (name, likeness(saved.value, read.value))
        }
        func names(_ likeness: Likeness) -> [String] { all.filter { $0.likeness == likeness }.map(\.name) }
        if !names(.different).isEmpty { return names(.different) }
        // An equatable model with a property that is not says itself what is the same.
        guard names(.close).isEmpty, let saved = saved as? any Equatable, !isEqual(saved, read) else { return [] }
        return names(.unknown)
    }

    private static func likeness(_ saved: Any, _ read: Any) -> Likeness {
        if let saved = saved as? Date, let read = read as? Date {
            return saved == read ? .same : abs(saved.timeIntervalSince(read)) < 1e-9 ? .close : .different
        }
        if let saved = saved as? any PersistentModel { return isSame(saved, read) ? .same : .different }
        guard let equatable = saved as? any Equatable else { return parts(of: saved, read) ?? .unknown }
        if isEqual(equatable, read) { return .same }
        return parts(of: saved, read) == .close ? .close : .different
    }

    /// How the parts of two values compare; nil where that says nothing of the values.
    private static func parts(of saved: Any, _ read: Any) -> Likeness? {
        let (left, right) = (Mirror(reflecting: saved), Mirror(reflecting: read))
        switch left.displayStyle {
        case .optional, .collection: break
        case .struct, .tuple, .enum: if !(saved is any Equatable) { return nil }
        default: return nil
        }
        if left.children.count != right.children.count { return .different }
        let all = zip(left.children, right.children).map { likeness($0.value, $1.value) }
        return [.different, .unknown, .close].first(where: all.contains) ?? .same
    }

    private static func isEqual<Value: Equatable>(_ saved: Value, _ read: Any) -> Bool { read as? Value == saved }

    private static func isSame<M: PersistentModel>(_ saved: M, _ read: Any) -> Bool {
        guard let read = read as? M else { return false }
        return differences(saved, read).isEmpty
    }
}
