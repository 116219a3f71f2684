import CSluiceSQLite

/// The loop that one writes by hand over SQLite, without checks, for a table of one's own.
enum HandLoop {
    /// A row, as `BenchIssue` has it.
    struct Issue {
        let id: Int
        let number: Int
        let title: String
        let state: String
        let locked: Bool
        let comments: Int
        let userId: Int
        let milestoneId: Int?
        let createdAt: String
        let updatedAt: String
        let closedAt: String?
        let body: String?
    }

    struct Failed: Error {}

    /// Reads all rows.
    static func fetch(_ path: String) throws -> [Issue] {
        var database: OpaquePointer?
        defer { unsafe sqlite3_close(database) }
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        let columns =
            "id, number, title, state, locked, comments, user_id, milestone_id, created_at, updated_at, closed_at, body"
        guard unsafe sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            unsafe sqlite3_prepare_v2(database, "SELECT \(columns) FROM issues ORDER BY id", -1, &statement, nil)
                == SQLITE_OK
        else { throw Failed() }
        var rows: [Issue] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                unsafe Issue(
                    id: integer(statement, 0), number: integer(statement, 1), title: text(statement, 2) ?? "",
                    state: text(statement, 3) ?? "", locked: integer(statement, 4) != 0,
                    comments: integer(statement, 5), userId: integer(statement, 6),
                    milestoneId: sqlite3_column_type(statement, 7) == SQLITE_NULL ? nil : integer(statement, 7),
                    createdAt: text(statement, 8) ?? "", updatedAt: text(statement, 9) ?? "",
                    closedAt: text(statement, 10), body: text(statement, 11)))
        }
        return rows
    }

    @unsafe
    private static func integer(_ statement: OpaquePointer?, _ column: Int32) -> Int {
        Int(unsafe sqlite3_column_int64(statement, column))
    }

    @unsafe
    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
        unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) }
    }
}
