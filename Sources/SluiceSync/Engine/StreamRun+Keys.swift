internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// Keys that the source has begun to send.
extension StreamRun {
    /// The keys that earlier runs have met.
    ///
    /// - Throws: `StoreError`.
    func knownKeys() throws -> UnmappedKeys {
        let text = try context.store.state.value(
            .unmappedKeys, pipeline: plan.schema.pipeline, stream: stream.name)
        return UnmappedKeys((text ?? "").split(separator: "\n").map(String.init))
    }

    /// Tells keys that no field takes and that no run before has met. The first run only remembers what there is:
    /// whoever wrote the pipeline has left it out.
    ///
    /// - Parameter unmapped: The keys of this run that no field takes.
    /// - Returns: What people should know, nil where nothing is new.
    /// - Throws: `StoreError`.
    func newKeys(_ unmapped: UnmappedKeys) throws -> RunProblem? {
        guard stream.schemaContract.fields == .report, retry == nil else { return nil }
        let (ledger, pipeline) = (context.store.state, plan.schema.pipeline)
        let text = try ledger.value(.unmappedKeys, pipeline: pipeline, stream: stream.name)
        let known = Set((text ?? "").split(separator: "\n").map(String.init))
        let new = unmapped.paths.filter { !known.contains($0) }
        if text == nil || !new.isEmpty {
            let all = ((text ?? "").split(separator: "\n").map(String.init) + new).joined(separator: "\n")
            try ledger.remember(.unmappedKeys, all, pipeline: pipeline, stream: stream.name)
        }
        return text == nil ? nil : UnmappedKeys(new).problem(stream: stream.name)
    }
}
