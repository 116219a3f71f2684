/// The words in which people wrote what belongs to a column, where the database says it in others since the column got another type:
/// of `beds > 0` it makes `beds > 0::double precision`, and with the type back `beds::double precision > 0::double precision`.
///
/// They are noted as long as the database says what it made of them.
package struct PartWords {
    static let kind = "words"

    private let registry: EntityRegistry
    private let table: String

    /// Looks into what is noted of a table.
    package init(_ database: any SQLDatabase, of table: String) {
        registry = EntityRegistry(database: database)
        self.table = table
    }

    private func name(_ part: String) -> String { "\(table)/\(part)" }

    /// A part in the words in which it was written, unless somebody has changed it since.
    ///
    /// - Parameter part: The part as the database says it.
    /// - Returns: The part that is to be made.
    /// - Throws: What the database throws.
    package func original(of part: ColumnPart) throws -> ColumnPart {
        guard let name = part.name, let entry = try registry.entry(Self.kind, self.name(name)),
            let words = EntityRegistry.lists(entry).first, words.count == 2, words[1] == part.statement
        else { return part }
        var part = part
        part.statement = words[0]
        return part
    }

    /// Records the words of parts that were made.
    ///
    /// - Parameters:
    ///   - made: The parts as they were made.
    ///   - said: The same as the database says them now.
    /// - Throws: What the database throws.
    package func record(_ made: [ColumnPart], said: [ColumnPart]) throws {
        for part in made {
            guard let name = part.name else { continue }
            if let now = said.first(where: { $0.name == name })?.statement, now != part.statement {
                try registry.put(Self.kind, self.name(name), EntityRegistry.value([[part.statement, now]]))
            } else {
                try registry.remove(Self.kind, self.name(name))
            }
        }
    }
}
