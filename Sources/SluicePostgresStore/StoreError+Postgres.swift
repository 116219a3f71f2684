internal import SluicePostgres
internal import SluiceStore

extension StoreError {
    /// The codes where a table or a column is gone or has become something else. See: postgresql.org/docs/current/errcodes-appendix.html
    private static let changedTables: Set<String> = ["42P01", "42703", "42809"]

    /// Says in a sentence what an error of PostgreSQL means for a store.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - place: How the store is called.
    ///   - holder: Who holds a lock, as a sentence; nil where that is not known.
    init(_ error: PostgresError, place: String, holder: String? = nil) {
        let reason = error.message
        let remedy = error.remedy ?? "Check what was changed in it by hand."
        switch error.code {
        case .lockNotAvailable:
            self.init(
                .locked,
                "The store `\(place)` is locked by another program. \(holder.map { "\($0) " } ?? "")Try again later.",
                isBusy: true)
        case _ where error.isRetriable && error.isRaised:
            self.init(
                .locked,
                "The function `\(error.routine ?? "")` of the database, which a trigger calls, says each time that others are in the way of what is written to the store `\(place)`: \(reason). Try again later; where it always says so, change the function or leave such records out with `filter`.",
                mayRepeat: true)
        case _ where error.isRetriable:
            self.init(
                .locked,
                "Others changed the same rows of the store `\(place)` at the same time, again and again: \(reason). Try again later.",
                mayRepeat: true)
        case .cancelled: self.init(.interrupted, "The work on `\(place)` was interrupted.")
        case _ where error.isOfRowSecurity:
            self.init(
                .unavailable,
                "The store `\(place)` does not let this role see all rows: \(reason). Rows that it does not see would count as deleted. Have a superuser run `ALTER ROLE … BYPASSRLS` for it, or connect as the owner of the table."
            )
        case _ where error.isOfFunction:
            self.init(.rejected, Self.refusedValue(reason, place))
        case .insufficientPrivilege:
            let owned = error.ownersStatement.map {
                "Have that owner run `\($0)` and run again, or connect as a role that is a member of the owner's."
            }
            self.init(
                .unavailable, "The store `\(place)` does not let this role do that: \(reason). \(owned ?? remedy)")
        case .readOnly:
            self.init(.unavailable, "The store `\(place)` takes no writes: \(reason). \(remedy)")
        case _ where error.isTimedOut:
            self.init(.unavailable, "The server ended the connection to the store `\(place)`: \(reason). \(remedy)")
        case _ where error.isConnectionLost:
            self.init(.unavailable, "The store `\(place)` cannot be reached: \(reason). \(remedy)")
        case .unique where reason.contains("_sluice_"):
            self.init(
                .damaged,
                "What was to be written contradicts what the store `\(place)` keeps: \(reason). `sluice store check` says what to mend; where it finds nothing wrong, the fault is in Sluice: report it with this message."
            )
        case _ where error.code.family == "23" || error.code.family == "22":
            self.init(.rejected, Self.refusedValue(reason, place))
        case .tooLarge:
            self.init(
                .rejected,
                "A value is too long for an index of the store `\(place)`: \(reason). Shorten it where it comes from, or leave the index out (`unique`, a key)."
            )
        case _ where error.code.rawValue == "53100":
            self.init(
                .full, "The disk of the store `\(place)` is full. Free some space and run again.")
        case _ where Self.changedTables.contains(error.code.rawValue) && error.routine != nil:
            self.init(
                .failed,
                "The function `\(error.routine ?? "")` of the database, which a trigger calls, fails as the store `\(place)` is written to: \(reason). Give the function the schema of what it names (`ALTER FUNCTION … SET search_path = …`), or mend it."
            )
        case _ where Self.changedTables.contains(error.code.rawValue):
            self.init(
                .failed,
                "The tables of the store `\(place)` are not as they are noted: \(reason). `sluice store check` says what was changed and what to do.",
                // Somebody may have dropped a column of their own since it was looked at.
                mayRepeat: true)
        default: self.init(.failed, "The store `\(place)` reported an error: \(error)")
        }
    }

    private static func refusedValue(_ reason: String, _ place: String) -> String {
        "A table of the store `\(place)` refuses a value: \(reason). Change that rule of the table, or leave such records out with `filter`."
    }

    /// Says that the server ended a statement that nobody here had cancelled.
    init(cutOff error: PostgresError, place: String) {
        self.init(
            .unavailable,
            "The server of the store `\(place)` ended a statement: \(error.message). Where `statement_timeout` is set for the role or the database, raise it with `ALTER ROLE … SET statement_timeout = '1h'`, and run again."
        )
    }
}

extension PostgresError {
    /// The statement, in one line, where only the owner of a table may run it.
    fileprivate var ownersStatement: String? {
        guard message.hasPrefix("must be owner"), let words = sql?.split(whereSeparator: \.isWhitespace),
            let first = words.first, ["CREATE", "ALTER", "DROP", "COMMENT"].contains(first),
            // A column that is there for a moment alone is one of many steps, which no owner takes by hand.
            !words.contains(where: { $0.contains("_sluice_") })
        else { return nil }
        return words.joined(separator: " ")
    }
}
