import Testing

extension Workshop {
    /// What no run may leave otherwise than one with `--full`: rows, what the sources said of them, references that wait,
    /// conflicts and quarantine.
    func kept() throws -> [String] {
        let compared = ["_sluice_pending", "_sluice_conflicts"]
        let managed = try managed().filter { name, _ in
            !name.hasPrefix("_sluice_") || name.hasPrefix("_sluice_base_") || compared.contains(name)
        }
        let quarantine = try rows(
            "SELECT stream, entity, coalesce(key, record_hash), reason, status FROM _sluice_quarantine ORDER BY 1, 2, 3, 4, 5"
        )
        return managed.sorted { $0.key < $1.key }.flatMap { name, rows in rows.sorted().map { "\(name): \($0)" } }
            + quarantine.map { "quarantine: \($0)" }
    }

    /// Has tables refuse rows whose `t` stands in the table `refused`, as people's own triggers do.
    ///
    /// - Parameter tables: The tables.
    /// - Throws: What the database throws.
    func refuse(in tables: [String]) throws {
        try sql("CREATE TABLE refused (t TEXT PRIMARY KEY)")
        for table in tables {
            for event in ["INSERT", "UPDATE OF t"] {
                try sql(
                    """
                    CREATE TRIGGER "refuse \(table) \(event)" BEFORE \(event) ON "\(table)"
                    WHEN NEW.t IN (SELECT t FROM refused) BEGIN SELECT RAISE(ABORT, 'not now'); END
                    """)
            }
        }
    }
}
