/// A list of which its record does not show all.
struct OpenList: Sendable {
    /// The page of the record, from 0.
    let page: Int
    /// The position of the record on it.
    let position: Int
    /// The position of the record within the stream.
    let ordinal: Int
    /// The record, as requests and messages speak of it.
    let partition: Partition
    /// Where the rest begins; nil for its first page.
    let start: PageToken?

    /// The position of the record that a partition is: the last of its values, which no variable names.
    static func ordinal(of partition: Partition) -> Int { partition.values.last.flatMap { Int($0) } ?? -1 }
}
