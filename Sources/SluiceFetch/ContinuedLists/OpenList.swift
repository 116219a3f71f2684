package import SluiceDecode

/// A list of which its record does not show all.
package struct OpenList: Sendable {
    /// The page of the record, from 0.
    package let page: Int
    /// The position of the record on it.
    package let position: Int
    /// The position of the record within the stream.
    package let ordinal: Int
    /// The record, as requests and messages speak of it.
    package let partition: Partition
    /// Where the rest begins; nil for its first page.
    package let start: PageToken?

    /// The position of the record that a partition is: the last of its values, which no variable names.
    package static func ordinal(of partition: Partition) -> Int { partition.values.last.flatMap { Int($0) } ?? -1 }
}
