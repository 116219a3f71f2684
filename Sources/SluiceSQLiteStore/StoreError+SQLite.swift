internal import SluiceDiagnostics
package import SluiceSQLite
internal import SluiceStore

extension StoreError {
    /// What SQLite says where a table or a column is gone or has become something else.
    private static let changedTables = [
        "no such table: ", "no such column: ", "has no column named ", "because it is a view", "may not be altered",
    ]

    /// The view or trigger that a renaming cannot pass, with whatever table it has to do, as the beginning of a sentence:
    /// `error in trigger seen after rename: no such column: new.n`. See: sqlite.org/lang_altertable.html
    private static func obstacle(in reason: String) -> String? {
        for kind in ["trigger", "view"] where reason.hasPrefix("error in \(kind) ") {
            let rest = reason.dropFirst("error in \(kind) ".count)
            guard let end = rest.firstRange(of: ": ") else { return nil }
            let words = rest[..<end.lowerBound]
            let name = words.firstRange(of: " after ").map { words[..<$0.lowerBound] } ?? words
            return "The \(kind) `\(name)`"
        }
        return nil
    }

    /// Says in a sentence what an error of SQLite means for a store.
    package init(_ error: SQLiteError, path: String) {
        let reason = error.message + (error.systemReason.map { " (\($0))" } ?? "")
        switch error.code.primary {
        case .busy, .locked:
            self.init(
                .locked, "The store `\(path)` is locked by another program. Try again later.", isBusy: true)
        case .readOnly:
            self.init(
                .unavailable,
                "The store `\(path)` cannot be written: \(reason). Check the permissions of the file and its folder.")
        case .cannotOpen:
            self.init(
                .unavailable,
                "The store `\(path)` cannot be opened: \(reason). Check that its folder exists and that you may write there."
            )
        case .notADatabase:
            self.init(
                .damaged, "The file `\(path)` is not an SQLite database. Name another file with `--store sqlite:FILE`.")
        case .corrupt:
            self.init(
                .damaged,
                "The store `\(path)` is damaged: \(reason). Restore a copy of it, or save what can be read with `sqlite3 \(ShellWord.quoted(path)) .recover`."
            )
        case .constraint where reason.contains("UNIQUE") && reason.contains("_sluice_"):
            self.init(
                .damaged,
                "What was to be written contradicts what the store `\(path)` keeps: \(reason). `sluice store check --store \(ShellWord.quoted("sqlite:" + path))` says what to mend; where it finds nothing wrong, the fault is in Sluice: report it with this message."
            )
        case .constraint:
            self.init(
                .rejected,
                "A table of the store `\(path)` refuses a value: \(reason). Change that rule of the table, or leave such records out with `filter`."
            )
        case .full:
            self.init(.full, "The disk of `\(path)` is full. Free some space and run again.")
        case .ioError:
            self.init(
                .failed,
                "The store `\(path)` cannot be read or written: \(reason). Check the disk's space and health, and `ulimit -f`."
            )
        case .error where Self.obstacle(in: reason) != nil:
            self.init(
                .mismatch,
                "\(Self.obstacle(in: reason) ?? "") stands in the way of a change of tables in the store `\(path)`: \(reason). Drop it, run again, and make it again as the tables are then."
            )
        case .error where Self.changedTables.contains(where: reason.contains):
            self.init(
                .failed,
                "The tables of the store `\(path)` are not as they are noted: \(reason). `sluice store check --store \(ShellWord.quoted("sqlite:" + path))` says what was changed and what to do."
            )
        case .interrupted:
            self.init(.interrupted, "The work on `\(path)` was interrupted.")
        default:
            self.init(
                .failed,
                "The store `\(path)` reported an error: \(error). Check what was changed in it by hand."
            )
        }
    }
}
