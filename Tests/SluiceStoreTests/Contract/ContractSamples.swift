import SluiceModel
import SluiceStore

extension RecordMapping {
    /// The source of ``RecordSchema/items(unique:)``.
    static let items = RecordMapping(pipeline: "test", stream: "items", entity: "Item")
}

extension ConflictEntry {
    /// An open conflict over an item.
    static func sample(field: String? = "name", key: String = #"{"id":1}"#, run: Int64 = 1) -> ConflictEntry {
        ConflictEntry(
            pipeline: "test", stream: "items", entity: "Item", key: key, field: field, kind: "edit_edit", base: nil,
            local: "\"l\"", remote: "\"r\"", policy: "manual", status: .open, firstRun: run, lastRun: run)
    }
}

extension QuarantineEntry {
    /// An item that could not be taken.
    static func sample(
        key: String? = #"{"id":1}"#, hash: Int64 = 5, reason: String = "type_mismatch", record: String = "{}",
        run: Int64 = 1
    ) -> QuarantineEntry {
        QuarantineEntry(
            pipeline: "test", stream: "items", entity: "Item", key: key, recordHash: hash, reason: reason,
            pointer: "/x", value: "\"v\"", message: "m", record: Array(record.utf8), firstRun: run, lastRun: run)
    }
}

extension RunEntry {
    /// A run that succeeded.
    static func sample(_ id: Int64, pipeline: String = "test", command: String = "run") -> RunEntry {
        RunEntry(
            id: id, pipeline: pipeline, command: command, status: "succeeded", startedAt: "2026-01-02T03:04:05Z")
    }
}
