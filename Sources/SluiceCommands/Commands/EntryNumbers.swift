/// The numbers by which a person names conflicts or records in quarantine.
enum EntryNumbers {
    /// Reads words of the command line.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - noun: What the numbers name, as in `conflict`.
    /// - Returns: Each number once.
    /// - Throws: ``Failure`` for a word that is no number.
    static func read(_ words: [String], noun: String) throws -> [Int64] {
        var numbers: [Int64] = []
        var known: Set<Int64> = []
        for word in words {
            guard let number = OptionSpec.count(word) else {
                throw Failure(.usage, "The ID of a \(noun) is a number; `\(word)` is not.")
            }
            if known.insert(Int64(number)).inserted { numbers.append(Int64(number)) }
        }
        return numbers
    }
}
