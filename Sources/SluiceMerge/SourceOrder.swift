/// Which of several sources of a table goes before which.
public struct SourceOrder: Sendable, Hashable {
    /// How another source stands to one's own.
    public enum Rank: Sendable, Hashable, CaseIterable {
        /// It goes before.
        case above
        /// It comes after.
        case below
        /// Nobody said.
        case undeclared
    }

    /// The sources as ``RecordMapping/path``, the first of which goes before all others.
    public var paths: [String]

    /// Makes an order; without sources nothing is declared.
    public init(paths: [String] = []) { self.paths = paths }

    /// The place of a source, nil where it has none.
    public func place(of source: RecordMapping) -> Int? { paths.firstIndex(of: source.path) }

    /// How another source stands to one's own.
    public func rank(of other: RecordMapping, to own: RecordMapping) -> Rank {
        guard let other = place(of: other), let own = place(of: own), other != own else { return .undeclared }
        return other < own ? .above : .below
    }
}
