internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// What services have read together of streams with `spread`, where a store has it: it waits under the name of its pipeline
/// until a run of that name is committed.
struct SharedPartitions {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    private func isThere() throws -> Bool {
        for name in ["shares", "partitions", "partition_pages", "claims"]
        where try database.object("_sluice_" + name) != .table {
            return false
        }
        return true
    }

    /// Removes all of a pipeline that has another name from now on, and whose runs look for it under that one.
    func remove(of pipeline: String) throws {
        guard try isThere() else { return }
        let (name, shares) = ([FieldValue(pipeline)], database.ledger("shares"))
        for table in ["partitions", "partition_pages"] {
            try database.run(
                "DELETE FROM \(database.ledger(table)) WHERE share IN (SELECT id FROM \(shares) WHERE pipeline = ?1)",
                name)
        }
        try database.run("DELETE FROM \(shares) WHERE pipeline = ?1", name)
    }

    /// Pages that wait and that no run reads on at this moment: whether one ever will, the store cannot know.
    func findings() throws -> [StoreFinding] {
        guard try isThere() else { return [] }
        let waiting = try database.rows(
            """
            SELECT s.pipeline, s.stream, count(*) FROM \(database.ledger("shares")) AS s
            JOIN \(database.ledger("partition_pages")) AS p ON p.share = s.id
            WHERE s.run IS NULL
            AND NOT EXISTS (SELECT 1 FROM \(database.ledger("claims")) AS c WHERE c.pipeline = s.pipeline)
            GROUP BY s.pipeline, s.stream ORDER BY s.pipeline, s.stream
            """)
        return waiting.map { row in
            let (pipeline, stream) = (row[0].string ?? "", row[1].string ?? "")
            let count = Int(clamping: row[2].number ?? 0)
            return StoreFinding(
                .runs, .note, table: "_sluice_partition_pages", count: count,
                message:
                    "\(Plural.of(count, "page")) of `\(pipeline)/\(stream)` that services read together \(Plural.word(count, "waits", "wait")) for a run.",
                remedy:
                    "The next run of `\(pipeline)` that is committed merges or removes \(Plural.word(count, "it", "them")). If no pipeline is called so any more, delete its rows of `_sluice_shares`, and those of `_sluice_partitions` and `_sluice_partition_pages` with the same `share`."
            )
        }
    }
}
