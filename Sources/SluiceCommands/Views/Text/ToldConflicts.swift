/// The conflicts that a run opened or brought up to date: how many there are, and the first of their numbers.
struct ToldConflicts {
    /// The most numbers that are kept.
    static let mostNumbers = 5
    /// The first numbers.
    private(set) var numbers: [Int64] = []
    /// How many conflicts there are.
    private(set) var count = 0

    /// Counts a conflict.
    ///
    /// - Parameter number: Its number.
    mutating func add(_ number: Int64) {
        count += 1
        if numbers.count < Self.mostNumbers { numbers.append(number) }
    }
}
