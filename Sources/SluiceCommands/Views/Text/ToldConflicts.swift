internal import SluiceModel
internal import SluiceStore

/// The conflicts that a run opened or brought up to date: how many there are, and the first of their numbers.
struct ToldConflicts {
    /// The most numbers that are kept.
    static let mostNumbers = 5
    /// The first numbers.
    private(set) var numbers: [Int64] = []
    /// How many conflicts there are.
    private(set) var count = 0
    /// How many records they are about: those of one record are told together.
    private(set) var records = 0
    private var last: (mapping: RecordMapping, key: String)?

    /// Counts a conflict.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - number: Its number.
    mutating func add(_ entry: ConflictEntry, number: Int64) {
        count += 1
        if last.map({ $0 != (entry.mapping, entry.key) }) ?? true { records += 1 }
        last = (entry.mapping, entry.key)
        if numbers.count < Self.mostNumbers { numbers.append(number) }
    }
}
