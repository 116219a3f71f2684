package import SluiceModel

/// Records that a source lists no longer, with what another source of the same run says of them: found out by one attempt at
/// merging a unit, and known to the next from its start.
package struct RecordsElsewhere: Equatable, Sendable {
    /// The records of each source by themselves, or within others.
    package typealias Records = [RecordMapping: Set<RecordKey>]

    /// Those that a source behind it lists now.
    package var moved: Records = [:]
    /// Those that another one lists without being able to give them.
    package var kept: Records = [:]
    /// Those that another one states are deleted, where the source's own limits stood against deleting them.
    package var stated: Records = [:]

    /// Those that all others which had them lost as well, where the source's own limits stood against passing them on.
    package var lost: Records = [:]

    /// None.
    package init() {}

    /// Adds others.
    package mutating func formUnion(_ others: RecordsElsewhere) {
        for list in Self.lists { self[keyPath: list].merge(others[keyPath: list]) { $0.union($1) } }
    }

    /// Those of one source.
    package subscript(_ source: RecordMapping) -> RecordsElsewhere {
        var own = RecordsElsewhere()
        for list in Self.lists { own[keyPath: list][source] = self[keyPath: list][source] }
        return own
    }

    /// The sources that have some.
    package var sources: Set<RecordMapping> {
        Self.lists.reduce(into: []) { $0.formUnion(self[keyPath: $1].keys) }
    }

    private static var lists: [WritableKeyPath<RecordsElsewhere, Records>] { [\.moved, \.kept, \.stated, \.lost] }
}
