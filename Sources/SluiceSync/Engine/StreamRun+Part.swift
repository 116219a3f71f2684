internal import SluiceDecode
internal import SluiceFetch
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore

extension TreeMerger {
    /// Takes up what is known of the pages before.
    mutating func goOn(_ part: ScanPart, of stream: StreamDefinition) {
        main.liveMet = part.state.liveMet
        main.lostKeys = part.state.lostKeys
        main.readBefore = part.readBefore
        main.keysSeenInQuarantine = part.quarantined
        main.duplicateRule = stream.onDuplicate
        main.expectsRepeats = stream.incremental != nil
        if !part.embedded.isEmpty { met = part.embedded }
        for index in parts.indices { parts[index].keysSeenInQuarantine = part.quarantined }
    }
}

extension StreamReport.Part {
    /// The counts of earlier pages and of the latest one.
    package static func sum(_ earlier: [StreamReport.Part], _ latest: [StreamReport.Part]) -> [StreamReport.Part] {
        if earlier.isEmpty { return latest }
        return zip(earlier, latest).map { earlier, latest in
            var sum = earlier
            sum.summary.add(latest.summary)
            sum.newConflicts += latest.newConflicts
            sum.conflictRows.formUnion(latest.conflictRows)
            sum.rewritten += latest.rewritten
            return sum
        }
    }
}

extension ScanPart {
    /// The scan with the page that was merged.
    func after(
        _ tree: borrowing TreeMerger, _ merger: borrowing StreamMerger, _ watch: KeyWatch, liveBefore: Int,
        report: StreamReport, cursor: CursorWatch?
    ) -> ScanPart {
        var part = self
        part.report = report
        part.words = watch.words
        part.embedded = tree.met
        let quarantinedNow = tree.parts.reduce(merger.keysSeenInQuarantine) { $0.union($1.keysSeenInQuarantine) }
        part.newlyQuarantined = quarantinedNow.subtracting(quarantined).sorted()
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
