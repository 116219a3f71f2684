import SluiceModel
import SluiceStore
import Testing

extension Workshop {
    /// The rows of all tables of people, in whatever order columns stand.
    func ownRows() throws -> [String] {
        try database.tables().filter { !$0.hasPrefix("_sluice") }.flatMap { table in
            let columns = try database.columns(of: table).sorted()
            let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            return try database.rows("SELECT \(list) FROM \"\(table)\"").map { row in
                "\(table) " + zip(columns, row).map { "\($0)=\(Self.text($1))" }.joined(separator: " ")
            }
        }.sorted()
    }

    /// Checks that rows which are read beside their bases are the rows that are read by their keys.
    func checkRowsBesideBases() throws {
        let store = try open(.reading)
        for mapping in try store.mappings(pipeline: nil, entity: nil) {
            guard
                let table = try store.knownTable(
                    pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            else { continue }
            var last: RecordKey?
            repeat {
                var hasher = RowHasher(table.schema)
                let found = try table.comparedRows(after: last, limit: 2, leavingOut: .none)
                let others = try table.comparedRows(after: last, limit: 2, leavingOut: .same(hasher))
                for row in found.rows {
                    #expect(try row.values == table.localRow(row.key), "\(mapping.entity) \(row.key)")
                    let isSame = row.values.map { hasher.hash(of: $0) == row.base.rowHash } ?? false
                    let isOther = !isSame || row.base.state != .live
                    #expect(others.rows.contains { $0.key == row.key } == isOther, "\(mapping.entity) \(row.key)")
                }
                #expect(others.last == found.last && others.rowCount == found.rowCount)
                last = found.last
            } while last != nil
        }
    }
}
