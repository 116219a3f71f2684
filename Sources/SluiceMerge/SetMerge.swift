/// The three-way merge of sets: what either side added is in, what either side took away is out.
package enum SetMerge {
    /// (local ∪ (remote ∖ base)) ∖ (base ∖ remote).
    ///
    /// Elements keep the order of the local side; what the remote side added comes behind them, in its order there. Each
    /// stands once, as it was written where it is met first.
    ///
    /// - Parameters:
    ///   - base: What the source said before, nothing where it never did.
    ///   - local: What the store holds.
    ///   - remote: What the source says now.
    ///   - addsOnly: Whether what the remote side took away stays.
    /// - Returns: The elements that stand.
    package static func merge<Element: Hashable>(
        base: [Element], local: [Element], remote: [Element], addsOnly: Bool = false
    ) -> [Element] {
        let before = Set(base)
        let removed = addsOnly ? [] : before.subtracting(remote)
        var met = removed
        return (local + remote.filter { !before.contains($0) }).filter { met.insert($0).inserted }
    }
}
