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
        let known = try context.store.state.value(
            .unmappedKeys, pipeline: plan.schema.pipeline, stream: stream.name)
        return UnmappedKeys(known?.paths ?? [])
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
        let kept = try ledger.value(.unmappedKeys, pipeline: pipeline, stream: stream.name)?.paths
        let known = Set(kept ?? [])
        let new = unmapped.paths.filter { !known.contains($0) }
        if kept == nil || !new.isEmpty {
            try ledger.set(
                .unmappedKeys, to: KnownPaths((kept ?? []) + new), pipeline: pipeline, stream: stream.name)
        }
        return kept == nil ? nil : UnmappedKeys(new).problem(stream: stream.name)
    }
}
