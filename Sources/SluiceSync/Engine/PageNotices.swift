internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Holds back what is told of a page until the page is kept.
final class PageNotices: RunObserver {
    private enum Notice {
        case changed(RecordChange, RecordSchema)
        case skipped(Int, RecordSchema)
        case kept(RecordChange, RecordSchema)
        case conflict(ConflictEntry)
        case quarantined(QuarantineEntry)
    }

    private let observer: any RunObserver
    private var notices: [Notice] = []

    init(_ observer: any RunObserver) { self.observer = observer }

    func opened(_ schema: RecordSchema, isNew: Bool) { observer.opened(schema, isNew: isNew) }

    func listens(to schema: RecordSchema) -> Bool { observer.listens(to: schema) }

    var wantsChanges: Bool { observer.wantsChanges }

    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        observer.wants(key(), of: schema)
    }

    func changed(_ change: RecordChange, schema: RecordSchema) { notices.append(.changed(change, schema)) }

    func skippedChange(of schema: RecordSchema) {
        // There may be one for each record.
        guard case .skipped(let count, let last)? = notices.last, last.source == schema.source else {
            return notices.append(.skipped(1, schema))
        }
        notices[notices.count - 1] = .skipped(count + 1, schema)
    }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        notices.append(.kept(change(), schema))
    }

    func conflict(_ entry: ConflictEntry) { notices.append(.conflict(entry)) }

    func quarantined(_ entry: QuarantineEntry) { notices.append(.quarantined(entry)) }

    func restart() { notices = [] }

    func progress(_ progress: RunProgress) { observer.progress(progress) }

    /// Tells what was held back.
    func flush() {
        for notice in notices {
            switch notice {
            case .changed(let change, let schema):
                if observer.wants(change.key, of: schema) {
                    observer.changed(change, schema: schema)
                } else {
                    observer.skippedChange(of: schema)
                }
            case .skipped(let count, let schema): for _ in 0..<count { observer.skippedChange(of: schema) }
            case .kept(let change, let schema): observer.kept(change, schema: schema)
            case .conflict(let entry): observer.conflict(entry)
            case .quarantined(let entry): observer.quarantined(entry)
            }
        }
        notices = []
    }
}
