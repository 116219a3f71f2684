internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport

/// What the scan of a stream proves.
extension StreamRun {
    /// What the scan proves of the records that it did not see.
    ///
    /// - Parameter lostKeys: The records whose keys could not be read; each of them may be any that was not seen.
    /// - Returns: The coverage of all pages, with what is known of their records.
    func coverage(lostKeys: Int) -> Coverage {
        var coverage = extent(lostKeys: lostKeys)
        // A record that changed since the run began lies behind the end of what was asked for.
        if stream.incremental?.asksForEnd == true { coverage.suspect() }
        if isUnconfirmed(coverage) {
            coverage = coverage.and(.partial("a record can slip past while counted pages are read"))
        }
        if coverage.isComplete { return coverage }
        if lostKeys == 0, let scope = partitionScope { return coverage.narrowed(to: scope) }
        return partitionReason.map { Coverage.partial($0).and(coverage) } ?? coverage
    }

    /// The records for which the stream asks at most; nil where it asks for all.
    var cursorSpan: CursorSpan? {
        get throws {
            guard let rule = stream.incremental, let field = entity.fields.first(where: { $0.name == rule.field }),
                let position = plan.schema.fields.firstIndex(where: { $0.name == rule.field })
            else { return nil }
            // A scan that goes on asks up to where it did at first.
            return try CursorSpan(
                rule, field: field, at: position, startedAt: checkpoint?.state.startedAt ?? context.time)
        }
    }

    /// What the scan read, whatever becomes of the records that it did not see.
    ///
    /// - Parameter lostKeys: The records whose keys could not be read.
    /// - Returns: The coverage of all pages, complete where all that was asked for was read.
    func extent(lostKeys: Int) -> Coverage {
        var coverage = pages.coverage
        // A page that leads nowhere is no circle: records moved onto it while the pages were read, and others may have moved
        // past what was read.
        if lastPageRepeats { coverage.suspect() }
        if lostKeys == 0 { return coverage }
        return coverage.and(
            .partial("\(Plural.of(lostKeys, "record has", "records have")) no readable identifier"))
    }

    /// Whether a record may have slipped past and nothing confirms that it is gone, since nobody asks what is gone.
    func isUnconfirmed(_ extent: Coverage) -> Bool {
        extent.isCounted && stream.paginator.rule.isCounted && stream.deleteMissing.mode == .ignore
    }

    /// Why nothing counts as gone; nil where something does, and where nobody expects it: what an incremental run did not
    /// ask for was never expected.
    func incompleteScan(_ coverage: Coverage) -> RunProblem? {
        guard case .partial(let reason) = coverage.proof, endsStream,
            stream.deleteMissing.mode != .ignore,
            pages.partitions != nil || pages.warning?.explainsIncompleteness != true
        else { return nil }
        return RunProblem(
            code: "incomplete_scan", severity: .warning,
            message: "Nothing of `\(stream.name)` counts as gone: \(reason).")
    }
}
