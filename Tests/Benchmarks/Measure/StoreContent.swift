/// What a store's table holds: the number of rows, and a checksum that does not depend on their order.
struct StoreContent: Equatable, CustomStringConvertible {
    let count: Int
    let checksum: String

    /// Has the floor's program read a store.
    ///
    /// - Throws: ``BenchError`` where the store has no such table.
    init(of store: String, by floor: Program, log: String) throws(BenchError) {
        _ = try ChildProcess.run([floor.path, "check", store], output: log)
        let words = try TextFile.read(log).split { $0.isWhitespace }.map(String.init)
        guard words.count == 2, let count = Int(words[0]) else {
            throw BenchError(message: "\(floor.path) check \(store): unexpected output")
        }
        (self.count, checksum) = (count, words[1])
    }

    var description: String { "\(count) (\(checksum))" }
}
