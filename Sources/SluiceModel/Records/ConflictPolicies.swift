/// Which policy decides a conflict: the field's, then the entity's, then the pipeline's, and in the end a person.
package struct ConflictPolicies: Sendable, Hashable {
    /// What one of these places says.
    package struct Layer: Sendable, Hashable {
        /// The policy of all kinds without one of their own.
        package var fallback: ConflictPolicy?
        /// The policies of single kinds, such as `edit_edit`.
        package var byKind: [String: ConflictPolicy]

        /// Makes a layer.
        package init(fallback: ConflictPolicy? = nil, byKind: [String: ConflictPolicy] = [:]) {
            self.fallback = fallback
            self.byKind = byKind
        }
    }

    /// The places, the nearest first.
    package var layers: [Layer]

    /// Makes policies; without layers a person decides everything.
    package init(layers: [Layer] = []) { self.layers = layers }

    /// The policy of a kind of conflict.
    ///
    /// - Parameters:
    ///   - kind: Such as `edit_edit` or `edit_delete`.
    ///   - newest: Which side is newer; where that is unknown, `newest_wins` falls through to the next place.
    /// - Returns: The policy that decides, never `newest_wins` without a side that is newer.
    package func policy(for kind: String, newest: NewestSide) -> ConflictPolicy {
        for layer in layers {
            guard let policy = layer.byKind[kind] ?? layer.fallback else { continue }
            if policy != .newestWins || newest != .unknown { return policy }
        }
        return .manual
    }
}
