internal import SluiceSQLite
internal import SluiceStore

/// What runs do to the quarantine is written down as the entry's status; what it says of the record is news, and stays.
extension SQLiteQuarantineLedger {
    func status(_ id: Int64) throws(SQLiteError) -> String? {
        let statement = try connection.prepare("SELECT status FROM _sluice_quarantine WHERE id = ?1")
        statement.bind(id, at: 1)
        return try statement.step() ? statement.string(0) : nil
    }

    /// Writes down what happened to an entry.
    func note(_ id: Int64, before: String?) throws {
        guard recorder.isRecording, let entry = try entry(id: id), entry.status.rawValue != before else { return }
        let action = before == nil ? "opened" : entry.isOpen ? "reopened" : "closed"
        try recorder.note(
            RecordedEntry(
                id: 0, run: 0, subject: .quarantine, entry: id,
                mapping: entry.mapping,
                key: entry.key, field: nil, kind: entry.reason, action: action, old: before,
                new: entry.status.rawValue))
    }

    func takeBack(_ change: RecordedEntry) throws -> Bool {
        try translated {
            // An entry keeps its number: what was put there is let go rather than forgotten.
            let old = change.old ?? QuarantineStatus.closed.rawValue
            let now = try status(change.entry)
            if now == old { return true }
            guard now == change.new, try !hasSuccessor(change.entry, status: old) else { return false }
            try connection.run(
                "UPDATE _sluice_quarantine SET status = ?2 WHERE id = ?1", [.integer(change.entry), SQLiteValue(old)])
            try note(change.entry, before: now)
            return true
        }
    }

    /// Whether the same record is in quarantine for the same reason under another number by now.
    private func hasSuccessor(_ id: Int64, status: String) throws(SQLiteError) -> Bool {
        guard status == QuarantineStatus.open.rawValue else { return false }
        return try connection.integer(
            """
            SELECT count(*) FROM _sluice_quarantine AS other JOIN _sluice_quarantine AS own ON own.id = ?1
            WHERE other.status = 'open' AND other.pipeline = own.pipeline AND other.stream = own.stream
            AND other.entity = own.entity AND coalesce(other.key, other.record_hash) = coalesce(own.key, own.record_hash) AND other.reason = own.reason
            """, [.integer(id)]) != 0
    }
}
