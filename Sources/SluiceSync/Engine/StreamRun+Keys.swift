internal import SluiceDecode
internal import SluiceDiagnostics
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

    /// Tells keys that no field takes and that no run before has met, also one that was gone meanwhile. The first run only
    /// remembers what there is: whoever wrote the pipeline has left it out.
    ///
    /// - Parameters:
    ///   - unmapped: The keys of this run that no field takes.
    ///   - areAll: Whether every record that there is was decoded: what none of them has is gone.
    /// - Returns: What people should know, nil where nothing is new.
    /// - Throws: `StoreError`.
    func newKeys(_ unmapped: UnmappedKeys, areAll: Bool) throws -> RunProblem? {
        guard stream.schemaContract.fields == .report, retry == nil else { return nil }
        let (ledger, pipeline) = (context.store.state, plan.schema.pipeline)
        let kept = try ledger.value(.unmappedKeys, pipeline: pipeline, stream: stream.name)
        // Of more keys than are listed nothing can be told.
        let (new, known) = (kept ?? KnownPaths([])).meeting(
            unmapped.paths, areAll: areAll && unmapped.count == unmapped.paths.count)
        if kept != known {
            try ledger.set(.unmappedKeys, to: known, pipeline: pipeline, stream: stream.name)
        }
        return kept == nil ? nil : UnmappedKeys(new).problem(stream: stream.name)
    }

    /// Tells fields that no record of a first reading gives, while the source sends keys that no field takes: a name may be
    /// mistyped, and its column would stay empty without a word. Where all keys are taken, the source may well send more later.
    ///
    /// - Parameter tree: What was merged.
    /// - Returns: What people should know; nil where nothing is to be told, and in all later readings.
    func fieldsNotGiven(_ tree: TreeMerger) -> RunProblem? {
        let keys = tree.main.report.unmapped.paths
        if retry != nil || keys.isEmpty { return nil }
        var missing = Self.missing(tree.main, plan, among: keys)
        for part in tree.parts.indices where tree.isChild(part) {
            guard let within = tree.tree?.parts[part].plan else { continue }
            missing += Self.missing(
                tree.parts[part], within,
                among: keys.map { key in key.split(separator: ".").last.map(String.init) ?? key })
        }
        // Another source of the table may be what gives a field.
        if !context.otherSources.isEmpty { missing.removeAll { $0.candidate == nil } }
        if missing.isEmpty { return nil }
        let words = missing.prefix(RunProblem.listedKeys).map { field in
            "`\(field.name)`" + (field.path == field.name ? "" : " from `\(field.path)`")
                + (field.candidate.map { ", where `\($0)` may be meant" } ?? "")
        }
        let more = missing.count > words.count ? "; and \(missing.count - words.count) more" : ""
        let place = checkpoint == nil ? "record" : "record of the first page"
        let one = missing.count == 1
        return RunProblem(
            code: "field_not_given", severity: .note,
            message:
                "No \(place) gives \(one ? "the field" : "\(missing.count) fields:") \(words.joined(separator: "; "))\(more). Check \(one ? "its" : "their") `from`; \(one ? "it stays" : "they stay") empty until the source sends \(one ? "it" : "them")."
        )
    }

    /// A field that no record gives.
    private struct MissingField {
        let name: String
        let path: String
        /// A key that may be meant.
        let candidate: String?
    }

    private static func missing(
        _ merger: StreamMerger, _ plan: DecodePlan, among keys: [String]
    ) -> [MissingField] {
        // A key is in every record, so that it is not given where no record was taken.
        if merger.fieldsNotGiven.contains(where: { plan.schema.keyFields.contains($0) }) { return [] }
        return merger.fieldsNotGiven.compactMap { index in
            guard let path = plan.fields[index].path, !plan.fields[index].isKey else { return nil }
            let place = plan.fields[index].pointer
            if merger.refusedPlaces.contains(where: { $0 == place || $0.hasPrefix(place + "/") }) { return nil }
            return MissingField(
                name: plan.fields[index].name, path: path, candidate: Suggestion.nearest(to: path, among: keys))
        }
    }
}
