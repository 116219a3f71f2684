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
    /// - Parameters:
    ///   - unmapped: The keys of this run that no field takes.
    ///   - areAll: Whether every record that there is was decoded: what none of them has is remembered no longer.
    /// - Returns: What people should know, nil where nothing is new.
    /// - Throws: `StoreError`.
    func newKeys(_ unmapped: UnmappedKeys, areAll: Bool) throws -> RunProblem? {
        guard stream.schemaContract.fields == .report, retry == nil else { return nil }
        let (ledger, pipeline) = (context.store.state, plan.schema.pipeline)
        let kept = try ledger.value(.unmappedKeys, pipeline: pipeline, stream: stream.name)?.paths
        let known = Set(kept ?? [])
        let new = unmapped.paths.filter { !known.contains($0) }
        let met = Set(unmapped.paths)
        // Of more keys than are listed nothing can be told.
        let left = (kept ?? []).filter { !areAll || met.contains($0) || unmapped.count > unmapped.paths.count }
        if kept != left + new {
            try ledger.set(.unmappedKeys, to: KnownPaths(left + new), pipeline: pipeline, stream: stream.name)
        }
        return kept == nil ? nil : UnmappedKeys(new).problem(stream: stream.name)
    }
}
