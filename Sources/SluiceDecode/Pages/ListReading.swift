/// How far a list within a record was read.
package enum ListReading: Sendable {
    /// To its end, so that what is not in it is gone.
    case whole
    /// To its end, by counting: what is not in it may have been shifted past the reader.
    case counted
    /// Not to its end, so that nothing is known of what is not in it.
    case partial
}

/// How far the lists within the records of a page were read. Shared, so that no record counts references to it.
package final class ListReadings: Sendable {
    private let readings: [Int: [Int: ListReading]]
    /// The records whose rests the next run has to ask for, by their positions within the stream.
    package let failed: Set<Int>

    /// - Parameters:
    ///   - readings: Those of lists that were continued, or had to be: by the position of the record within the stream, then
    ///     by that of the list among those of `nested`.
    ///   - failed: The records whose rests could not be read.
    package init(_ readings: [Int: [Int: ListReading]], failed: Set<Int> = []) {
        (self.readings, self.failed) = (readings, failed)
    }

    /// How far a list of the record at a position was read.
    package func reading(of list: Int?, _ ordinal: Int) -> ListReading {
        list.flatMap { readings[ordinal]?[$0] } ?? .whole
    }

    /// Whether a list of the record at a position was continued, or had to be, so that it is known how far it was read.
    func isKnown(of list: Int?, _ ordinal: Int) -> Bool { list.flatMap { readings[ordinal]?[$0] } != nil }

    /// Whether all lists are whole.
    package var areWhole: Bool {
        failed.isEmpty && readings.values.allSatisfy { $0.values.allSatisfy { $0 == .whole } }
    }

    /// These and those of other lists.
    package func merging(_ other: ListReadings) -> ListReadings {
        ListReadings(
            readings.merging(other.readings) { $0.merging($1) { $1 } }, failed: failed.union(other.failed))
    }
}
