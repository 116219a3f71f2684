internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// What was planned for conflicts is kept and told.
extension StreamMerger {
    /// The open conflicts of a record whose base says that there are some.
    package func openConflicts(_ key: RecordKey, _ base: BaseRow?) throws -> [ConflictEntry] {
        if base?.isOpen != true { return [] }
        return try context.store.conflicts.open(of: schema.source, key: FieldJSON.object(key: key, schema: schema))
    }

    /// Opens a conflict or brings it up to date, and tells it where it is news.
    package mutating func remember(_ entry: ConflictEntry, over known: ConflictEntry?) throws {
        take([try writer.conflicts.remember(entry, over: known)].compactMap { $0 })
    }

    /// Closes a conflict, and tells that.
    package mutating func close(
        _ entry: ConflictEntry, as status: ConflictStatus, since end: ConflictEnd? = nil
    ) throws {
        take([try writer.conflicts.close(entry, as: status, since: end)])
    }

    /// Counts and tells conflicts that were written.
    mutating func take(_ notices: [ConflictWriter.Notice]) {
        for notice in notices {
            if notice.isNews { report.newConflicts += 1 }
            tell(notice.entry)
        }
    }
}
