internal import SluiceHTTPServer
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore

/// Which conflicts are meant.
struct ConflictQuery: Sendable, Equatable {
    var pipeline: String?
    var entity: String?
    var field: String?
    var kind: String?
    var search: String?
    var includesClosed = false

    init(_ fields: [FormField]) {
        func value(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
        (pipeline, entity, field) = (value("pipeline"), value("entity"), value("field"))
        (kind, search) = (value("kind"), value("q"))
        includesClosed = ["1", "true"].contains(value("closed"))
    }

    func matches(_ entry: ConflictEntry) -> Bool {
        func isSame(_ wanted: String?, _ own: String?) -> Bool { wanted.map { $0 == own } ?? true }
        guard isSame(entity, entry.entity), isSame(field, entry.field), isSame(kind, entry.kind) else { return false }
        guard let search else { return true }
        let text = [entry.entity, entry.key, entry.field, entry.base, entry.local, entry.remote].compactMap { $0 }
            .joined(separator: "\n").lowercased()
        return search.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }

    /// The fields of a query that say the same.
    var fields: [FormField] {
        [("pipeline", pipeline), ("entity", entity), ("field", field), ("kind", kind), ("q", search)]
            .compactMap { name, value in value.map { FormField(name, $0) } }
            + (includesClosed ? [FormField("closed", "1")] : [])
    }

    /// The conflicts that are meant, pipeline by pipeline.
    func entries(_ site: WebSite) throws -> [FoundConflict] {
        let all = site.control.status().pipelines
        let meant = try pipeline.map { [try site.pipeline($0)] } ?? all
        return try meant.flatMap { served in
            try site.stores.read(served) { store in
                try store.conflicts.list(includingClosed: includesClosed)
                    .filter { $0.pipeline == served.name && matches($0) }
                    .map { FoundConflict(pipeline: served, entry: $0) }
            } ?? []
        }
    }

    /// One conflict.
    ///
    /// - Throws: ``Refusal`` where there is none.
    static func entry(_ text: String, _ site: WebSite) throws -> FoundConflict {
        let reference = try EntryReference(text, site.control.status(), noun: "conflict")
        let served = try site.pipeline(reference.pipeline)
        let found = try site.stores.read(served) { store in
            try ConflictBases(store: store).explained([store.conflicts.entry(id: reference.number)].compactMap { $0 })
        }
        guard let entry = found?.first, entry.pipeline == served.name else {
            throw Refusal.notFound("The pipeline `\(served.name)` has no conflict \(reference.number).")
        }
        return FoundConflict(pipeline: served, entry: entry)
    }
}

/// A conflict and where it is.
struct FoundConflict: Sendable {
    let pipeline: ServedPipeline
    let entry: ConflictEntry
    /// Whether a decision can write what the source says: a side of a type that the field had before may be no value of it.
    var offersRemote = true
    /// The same of what it said before.
    var offersBase = true
    /// The local values that wait in the quarantine, while their columns are null.
    var waiting: [WaitingValue] = []
    /// What the source said while it was open, the oldest first.
    var said: [SaidValue] = []
    var reference: EntryReference { EntryReference(pipeline.name, entry.id ?? 0) }
}
