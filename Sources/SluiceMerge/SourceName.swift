/// One source of a table: a stream of a pipeline, and the entity that its records are.
public struct SourceName: Sendable, Hashable {
    /// The pipeline's name.
    public var pipeline: String
    /// The stream's name.
    public var stream: String
    /// The entity's name.
    public var entity: String

    /// Makes a name.
    public init(pipeline: String, stream: String, entity: String) {
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
    }

    /// How the source is called where several are spoken of.
    public var path: String { "\(pipeline)/\(stream)" }
}

extension RecordSchema {
    /// The source that the schema is for.
    public var source: SourceName { SourceName(pipeline: pipeline, stream: stream, entity: entity) }
}

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

    /// The sources as ``SourceName/path``, the first of which goes before all others.
    public var paths: [String]

    /// Makes an order; without sources nothing is declared.
    public init(paths: [String] = []) { self.paths = paths }

    /// The place of a source, nil where it has none.
    public func place(of source: SourceName) -> Int? { paths.firstIndex(of: source.path) }

    /// How another source stands to one's own.
    public func rank(of other: SourceName, to own: SourceName) -> Rank {
        guard let other = place(of: other), let own = place(of: own), other != own else { return .undeclared }
        return other < own ? .above : .below
    }
}
