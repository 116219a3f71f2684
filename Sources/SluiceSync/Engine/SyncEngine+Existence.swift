internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// Records that are missing from a list are asked for between two attempts, while no transaction is open.
extension SyncEngine {
    /// Whether a run may have to ask for single records.
    var asksForRecords: Bool {
        streams.contains { stream in
            if case .request? = stream.deleteMissing.confirmation {
                stream.deleteMissing.mode != .ignore
            } else {
                false
            }
        }
    }

    /// Asks for what an attempt has found missing, and puts the answers beside what else it found out.
    ///
    /// - Parameters:
    ///   - access: The way to the source.
    ///   - needs: What the next attempt has to know, by stream.
    /// - Throws: What fetching throws.
    func askForMissing(_ access: SourceAccess, _ needs: inout [String: AttemptNeeds]) throws {
        guard case .http(let base) = pipeline.source.base else { return }
        let values = TemplateValues(startedAt: access.startedAt)
        for stream in streams {
            guard let records = needs[stream.name]?.missing,
                case .request(let path)? = stream.deleteMissing.confirmation,
                let entity = pipeline.entity(named: stream.entity)
            else { continue }
            var record = stream.filled(values, isURL: true)
            (record.method, record.body, record.path, record.format) = (.get, nil, path, .json)
            // Those of the stream are about its list.
            record.parameters = []
            let settings = PageRequestSettings(
                client: access.client, login: access.makeLogin(base: base, values: values), stream: record,
                base: base, rules: pipeline.source.responseRules, origin: try HTTPURL(base.revealed).origin,
                spools: SpoolPool())
            let asker = ExistenceChecker(
                settings: settings, cancellation: options.cancellation, onProgress: observer.progress)
            needs[stream.name]?.existence = try asker.existence(
                of: records, at: path, schema: RecordSchema(pipeline: pipeline, stream: stream, entity: entity))
            needs[stream.name]?.missing = nil
        }
    }
}
