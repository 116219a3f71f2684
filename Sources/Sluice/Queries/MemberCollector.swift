internal import SluiceSQLite

/// Numbers of keys, from 0 in the order in which these come.
struct KeyNumbers {
    /// The keys by their numbers.
    private(set) var keys: [[BoxedValue]] = []
    private var integers: [Int64: Int] = [:]
    private var others: [[BoxedValue]: Int] = [:]

    /// Makes room for so many keys at once.
    init(capacity: Int = 0) {
        keys.reserveCapacity(capacity)
        integers.reserveCapacity(capacity)
    }

    /// The number of a key, a new one where it has none.
    mutating func number(of key: [BoxedValue]) -> Int {
        if let known = known(key) { return known }
        let number = keys.count
        keys.append(key)
        if key.count == 1, case .integer(let integer) = key[0] {
            integers[integer] = number
        } else {
            others[key] = number
        }
        return number
    }

    /// The number of a key; nil where it has none.
    func known(_ key: [BoxedValue]) -> Int? {
        if key.count == 1, case .integer(let integer) = key[0] { return integers[integer] }
        return others[key]
    }

    /// The number of a key that is a whole number; nil where it has none.
    func known(_ key: Int64) -> Int? { integers[key] }

    /// The number of the key that some columns hold; nil where it has none.
    func known(_ columns: some Collection<Int>, of statement: Statement) -> Int? {
        if columns.count == 1, let column = columns.first, let integer = statement.heldInteger(column) {
            return integers[integer]
        }
        return known(Self.key(columns, of: statement))
    }

    /// The key that some columns hold.
    static func key(_ columns: some Collection<Int>, of statement: Statement) -> [BoxedValue] {
        columns.map { StoredColumn(statement: statement, index: $0).value }
    }
}

/// Puts rows of members, each with the key of its owner, together as lists. A record that several have is read once.
struct MemberCollector<Target: PersistentModel> {
    /// The columns of a member's key.
    let keyColumns: [Int]
    let owners: KeyNumbers
    private var numbers = KeyNumbers()
    private var members: [Target] = []
    private var pairs: [(owner: Int, member: Int)] = []
    /// The owner of the last row, by the one number that its key is: rows of one often come one after the other.
    private var last: (key: Int64, owner: Int)?

    init(keyColumns: [Int], owners: KeyNumbers) { (self.keyColumns, self.owners) = (keyColumns, owners) }

    /// Takes a row.
    ///
    /// - Parameters:
    ///   - statement: The row.
    ///   - columns: The columns of the owner's key.
    ///   - value: Makes a value of it.
    /// - Throws: What that throws.
    mutating func take(_ statement: Statement, _ columns: Range<Int>, _ value: () throws -> Target) throws {
        guard let owner = owner(statement, columns) else { return }
        if let known = numbers.known(keyColumns, of: statement) {
            pairs.append((owner, known))
            return
        }
        members.append(try value())
        pairs.append((owner, numbers.number(of: KeyNumbers.key(keyColumns, of: statement))))
    }

    private mutating func owner(_ statement: Statement, _ columns: Range<Int>) -> Int? {
        guard columns.count == 1, let key = statement.heldInteger(columns.lowerBound) else {
            return owners.known(columns, of: statement)
        }
        if let last, last.key == key { return last.owner }
        guard let owner = owners.known(key) else { return nil }
        last = (key, owner)
        return owner
    }

    /// The list of each owner, by its number.
    ///
    /// - Parameter isSorting: Whether the keys, which are whole numbers, say the order; else that of the rows counts.
    /// - Returns: The lists.
    func lists(sorting isSorting: Bool) -> [[Target]] {
        var lists = Array(repeating: [Target](), count: owners.keys.count)
        var counts = Array(repeating: 0, count: lists.count)
        for pair in pairs { counts[pair.owner] += 1 }
        for (owner, count) in counts.enumerated() { lists[owner].reserveCapacity(count) }
        for pair in isSorting ? sortedPairs : pairs { lists[pair.owner].append(members[pair.member]) }
        return lists
    }

    /// The pairs in the order of the members' keys.
    private var sortedPairs: [(owner: Int, member: Int)] {
        let keys = numbers.keys.map { key in if case .integer(let number)? = key.first { number } else { Int64.min } }
        // The place behind the last pair of each member, once those of all before it are counted.
        var ends = Array(repeating: 0, count: members.count)
        for pair in pairs { ends[pair.member] += 1 }
        var end = 0
        for member in members.indices.sorted(by: { keys[$0] < keys[$1] }) {
            end += ends[member]
            ends[member] = end
        }
        var sorted = pairs
        for pair in pairs.reversed() {
            ends[pair.member] -= 1
            sorted[ends[pair.member]] = pair
        }
        return sorted
    }
}
