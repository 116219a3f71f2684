internal import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStore

/// Which records in quarantine are meant.
struct QuarantineQuery: Sendable {
    var pipeline: String?
    var entity: String?
    var stream: String?
    var reason: String?
    var includesClosed = false

    init(_ fields: [FormField]) {
        func value(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
        (pipeline, entity, stream, reason) = (value("pipeline"), value("entity"), value("stream"), value("reason"))
        includesClosed = ["1", "true"].contains(value("closed"))
    }

    var fields: [FormField] {
        [("pipeline", pipeline), ("entity", entity), ("stream", stream), ("reason", reason)]
            .compactMap { name, value in value.map { FormField(name, $0) } }
            + (includesClosed ? [FormField("closed", "1")] : [])
    }

    /// The entries that are meant, pipeline by pipeline.
    func entries(_ site: WebSite) throws -> [FoundRecord] {
        let all = site.control.status().pipelines
        let meant = try pipeline.map { [try site.pipeline($0)] } ?? all
        func isSame(_ wanted: String?, _ own: String) -> Bool { wanted.map { $0 == own } ?? true }
        return try meant.flatMap { served in
            try site.stores.read(served) { store in
                try store.quarantine.list(includingClosed: includesClosed).filter {
                    $0.pipeline == served.name && isSame(entity, $0.entity) && isSame(stream, $0.stream)
                        && isSame(reason, $0.reason)
                }.map { FoundRecord(pipeline: served, entry: $0) }
            } ?? []
        }
    }

    /// One entry.
    ///
    /// - Throws: ``Refusal`` where there is none.
    static func entry(_ text: String, _ site: WebSite) throws -> FoundRecord {
        let reference = try EntryReference(text, site.control.status(), noun: "record in quarantine")
        let served = try site.pipeline(reference.pipeline)
        let found = try site.stores.read(served) { try $0.quarantine.entry(id: reference.number) } ?? nil
        guard let entry = found, entry.pipeline == served.name else {
            throw Refusal.notFound(
                "The pipeline `\(served.name)` has no record \(reference.number) in quarantine.")
        }
        return FoundRecord(pipeline: served, entry: entry)
    }
}

/// A record in quarantine and where it is.
struct FoundRecord: Sendable {
    let pipeline: ServedPipeline
    let entry: QuarantineEntry
    var reference: EntryReference { EntryReference(pipeline.name, entry.id ?? 0) }
}
