/// What a run knows of a record that is stored: whether it is at its source as it is here.
package enum RecordStanding: Int, Sendable, Comparable {
    /// The run read it, or read where it would stand if it were there.
    case read
    /// It may stand elsewhere by now, in what could not be read.
    case doubted
    /// Where it stands could not be read.
    case unread

    package static func < (left: RecordStanding, right: RecordStanding) -> Bool { left.rawValue < right.rawValue }
}
