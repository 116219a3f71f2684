internal import SluicePipeline
internal import SluiceStore

/// A stream that is merged page by page.
extension StreamRun {
    /// The live base rows before the scan.
    func countLive() throws -> Int {
        if let part, part.state.pages > 0 { return part.state.liveBefore }
        return stream.deleteMissing.mode == .ignore ? 0 : try context.table.liveCount()
    }
}

extension StreamMerger {
    /// Takes up what is known of the pages before.
    mutating func goOn(_ part: ScanPart, rule: StreamDefinition.DuplicateRule) {
        liveMet = part.state.liveMet
        lostKeys = part.state.lostKeys
        readBefore = part.readBefore
        keysSeenInQuarantine = part.quarantined
        duplicateRule = rule
    }
}

extension ScanPart {
    /// The scan with the page that was merged.
    func after(
        _ merger: borrowing StreamMerger, _ watch: KeyWatch, liveBefore: Int, report: StreamReport, cursor: CursorWatch?
    ) -> ScanPart {
        var part = self
        part.report = report
        part.words = watch.words
        part.newlyQuarantined = merger.keysSeenInQuarantine.subtracting(quarantined).sorted()
        part.state.pages += 1
        part.state.liveBefore = liveBefore
        part.state.liveMet = merger.liveMet
        part.state.lostKeys = merger.lostKeys
        part.state.read = readBefore + report.read
        part.state.unmapped = report.unmapped.paths
        part.state.memory = cursor?.memory ?? part.state.memory
        return part
    }
}
