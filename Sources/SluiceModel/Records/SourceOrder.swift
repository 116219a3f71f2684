/// Which of several sources of a table goes before which.
package struct SourceOrder: Sendable, Hashable {
    /// How another source stands to one's own.
    package enum Rank: Sendable, Hashable, CaseIterable {
        /// It goes before.
        case above
        /// It comes after.
        case below
        /// Nobody said.
        case undeclared
    }

    /// The sources as ``RecordMapping/path``, the first of which goes before all others.
    package var paths: [String]

    /// The sources that give a record only as a part of another one, the first of which goes before all others. What
    /// they say comes after what a source of its own says.
    package var embedded: [RecordMapping]

    /// Makes an order; without sources nothing is declared.
    package init(paths: [String] = [], embedded: [RecordMapping] = []) {
        self.paths = paths
        self.embedded = embedded
    }

    /// The place of a source, nil where it has none.
    package func place(of source: RecordMapping) -> Int? { paths.firstIndex(of: source.path) }

    /// How another source stands to one's own.
    package func rank(of other: RecordMapping, to own: RecordMapping) -> Rank {
        if let other = place(of: other), let own = place(of: own), other != own { return other < own ? .above : .below }
        switch (embedded.firstIndex(of: other), embedded.firstIndex(of: own)) {
        case (nil, nil): return .undeclared
        case (nil, _): return .above
        case (_, nil): return .below
        case (let other?, let own?): return other < own ? .above : .below
        }
    }
}
