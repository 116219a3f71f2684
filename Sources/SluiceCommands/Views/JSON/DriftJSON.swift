internal import SluiceDiscovery
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// What drifts, for programs.
enum DriftJSON {
    /// - Parameters:
    ///   - drifts: The pipelines.
    ///   - swift: What is said of Swift models, an object; nil where nobody asked for it.
    /// - Returns: The document.
    static func text(_ drifts: [PipelineDrift], swift: String? = nil) -> String {
        var object = JSONObject()
        object.add("format", "sluice.drift/1")
        object.add("pipelines", json: JSONObject.array(drifts.map { text($0) }))
        if let swift { object.add("swift", json: swift) }
        return object.text + "\n"
    }

    private static func text(_ drift: PipelineDrift) -> String {
        var object = JSONObject()
        object.add("pipeline", drift.pipeline)
        object.add("drifts", drift.isDrifting)
        object.add("has_store", drift.hasStore)
        object.add("streams", json: JSONObject.array(drift.streams.map(text)))
        object.add("columns", json: JSONObject.array(drift.columns.map(text)))
        object.add("misfits", json: JSONObject.array(drift.misfits.map(text)))
        return object.text
    }

    private static func text(_ stream: PipelineDrift.Stream) -> String {
        var object = JSONObject()
        object.add("stream", stream.name)
        object.add("entity", stream.entity)
        switch stream.reading {
        case .page(let records):
            object.add("read", "page")
            object.add("records", records)
        case .memory: object.add("read", "memory")
        case .unasked(let reason):
            object.add("read", "nothing")
            object.add("reason", reason)
        case .failure(let failure):
            object.add("read", "failed")
            object.add("reason", failure.message)
        }
        object.add("ignores_keys", stream.ignoresKeys)
        object.add("keys", json: JSONObject.array(stream.keys.map(text)))
        if !stream.missingFields.isEmpty {
            object.add("missing_fields", json: JSONObject.array(stream.missingFields.map(text)))
        }
        return object.text
    }

    private static func text(_ field: PipelineDrift.MissingField) -> String {
        var object = JSONObject()
        object.add("field", field.field)
        object.add("before", field.before)
        if let candidate = field.candidate { object.add("candidate", candidate) }
        return object.text
    }

    private static func text(_ key: PipelineDrift.Key) -> String {
        var object = JSONObject()
        object.add("path", key.path)
        if let records = key.records { object.add("records", records) }
        if let sample = key.sample { object.add("sample", DriftSample.cut(sample)) }
        object.add("remembered", key.isRemembered)
        return object.text
    }

    private static func text(_ column: ColumnDrift) -> String {
        var object = JSONObject()
        object.add("kind", column.kind.rawValue)
        object.add("table", column.table)
        if let name = column.column { object.add("column", name) }
        if let declared = column.declared { object.add("declared", declared) }
        if let field = column.field { object.add("field", field) }
        if let type = column.type { object.add("type", type.rawValue) }
        if let type = column.becomes { object.add("becomes", type) }
        if column.refused > 0 { object.add("refused", column.refused) }
        return object.text
    }

    private static func text(_ misfit: PipelineDrift.Misfit) -> String {
        var object = JSONObject()
        object.add("place", misfit.place.rawValue)
        object.add("stream", misfit.stream)
        object.add("entity", misfit.entity)
        object.add(misfit.place == .table ? "column" : "pointer", misfit.pointer)
        object.add("reason", misfit.reason)
        object.add("count", misfit.count)
        if let sample = misfit.sample { object.add("sample", DriftSample.cut(sample)) }
        return object.text
    }
}

/// A value that is shown of many.
enum DriftSample {
    private static let longest = 200

    /// The beginning of a value's JSON.
    static func cut(_ json: String) -> String {
        json.unicodeScalars.count <= longest ? json : String(json.unicodeScalars.prefix(longest)) + "…"
    }
}
