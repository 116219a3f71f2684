import SluiceMerge
import SluiceModel
import SluiceReport
import SluiceStore

/// Writes down what a run tells its observer.
final class Recorder: RunObserver {
    private(set) var changes: [String] = []
    /// How many changes of each sort were told.
    private(set) var counts: [RecordChange.Action: Int] = [:]
    private(set) var conflicts: [ConflictEntry] = []
    private(set) var quarantine: [QuarantineEntry] = []
    private(set) var restarts = 0
    private(set) var merged = 0
    /// Called with each progress, on the thread of the run.
    var onProgress: (RunProgress) -> Void = { _ in }

    var wantsChanges: Bool { true }

    func changed(_ change: RecordChange, schema: RecordSchema) {
        // What a record loses is no outcome of it, and what is written once more counts once.
        let isCounted = change.kind != .unlink && (!change.isAgain || change.action == .delete)
        if change.deletion != .report && change.deletion != .suspected && isCounted {
            counts[change.action, default: 0] += 1
        }
        let fields = change.fields.map { field in
            let type = schema.fields[field.index].type
            func text(_ value: FieldValue?) -> String { value.map { FieldJSON.text($0, type: type) } ?? "-" }
            let sides = [field.base, field.local, field.remote, field.result].map(text).joined(separator: " ")
            return "\(schema.fields[field.index].name):\(field.fieldClass.rawValue)(\(sides))"
        }
        let key = FieldJSON.object(key: change.key, schema: schema)
        changes.append(([change.action.rawValue, change.kind.rawValue, key] + fields).joined(separator: " "))
    }

    func skippedChange(of schema: RecordSchema) { changes.append("skipped") }
    func conflict(_ entry: ConflictEntry) { conflicts.append(entry) }
    func quarantined(_ entry: QuarantineEntry) { quarantine.append(entry) }

    func restart() {
        (changes, conflicts, quarantine) = ([], [], [])
        counts = [:]
        restarts += 1
    }

    func progress(_ progress: RunProgress) { onProgress(progress) }

    /// What a plan and its run must agree on: all but the numbers that only a run gives.
    var told: [String] {
        changes
            + conflicts.map {
                "\($0.key) \($0.field ?? "*") \($0.kind) \($0.status) \($0.local ?? "") \($0.remote ?? "") \($0.seen)"
            }
            + quarantine.map { "\($0.key ?? "") \($0.reason) \($0.pointer) \($0.value ?? "") \($0.message)" }
    }
}
