internal import SluiceDecode
internal import SluiceFetch
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore

extension TreeMerger {
    /// Takes up what is known of the pages before.
    mutating func goOn(_ checkpoint: ScanCheckpoint, of stream: StreamDefinition) {
        main.liveMet = checkpoint.state.liveMet
        main.lostKeys = checkpoint.state.lostKeys
        main.readBefore = checkpoint.readBefore
        main.keysSeenInQuarantine = checkpoint.quarantined
        main.duplicateRule = stream.onDuplicate
        main.expectsRepeats = stream.incremental != nil
        main.counted = checkpoint.counted.first
        for (index, counted) in checkpoint.counted.dropFirst().enumerated() where parts.indices.contains(index) {
            parts[index].counted = counted
        }
        if !checkpoint.embedded.isEmpty { met = checkpoint.embedded }
        for index in parts.indices { parts[index].keysSeenInQuarantine = checkpoint.quarantined }
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
            sum.newlyQuarantined = StreamReport.sum(sum.newlyQuarantined, latest.newlyQuarantined)
            sum.conflictRows.formUnion(latest.conflictRows)
            sum.rewritten += latest.rewritten
            return sum
        }
    }
}

extension ScanCheckpoint {
    /// The scan with the page that was merged.
    func after(
        _ tree: borrowing TreeMerger, _ merger: borrowing StreamMerger, _ tracker: KeyTracker, liveBefore: Int,
        report: StreamReport, cursor: CursorTracker?
    ) -> ScanCheckpoint {
        var checkpoint = self
        checkpoint.report = report
        checkpoint.words = tracker.words
        checkpoint.embedded = tree.met
        checkpoint.newlyCounted = tree.outcomes
        checkpoint.newlyQuarantined = tree.keysSeenInQuarantine.subtracting(quarantined).sorted()
        checkpoint.state.pages += 1
        checkpoint.state.liveBefore = liveBefore
        checkpoint.state.liveMet = merger.liveMet
        checkpoint.state.lostKeys = merger.lostKeys
        checkpoint.state.read = readBefore + report.read
        checkpoint.state.unmapped = report.unmapped.paths
        checkpoint.state.memory = cursor?.memory ?? checkpoint.state.memory
        return checkpoint
    }
}
