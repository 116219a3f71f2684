/// What the store remembers of a record.
package enum BaseState: Int, Sendable, CaseIterable {
    /// The source had it when it was last seen.
    case live = 0
    /// The source has it no longer.
    case remoteTombstone = 1
    /// A person deleted it, and that was settled.
    case localTombstone = 2
    /// The source itself said that the record is deleted.
    case statedTombstone = 3
    /// Another source said that the record is deleted, while this one listed it.
    case overruled = 4

    /// Whether the record is one that the source has, as far as it was not deleted here.
    package var isLive: Bool { self == .live || self == .localTombstone }

    /// Whether the source no longer has the record, or said so.
    package var isGone: Bool { self == .remoteTombstone || self == .statedTombstone }

    /// Whether the source spoke of the record when it was last seen, so that a scan can miss it.
    package var isListed: Bool { self != .remoteTombstone }
}
