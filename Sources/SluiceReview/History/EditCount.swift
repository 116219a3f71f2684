internal import SluiceModel
package import SluiceReconcile
package import SluiceReport
internal import SluiceStore

/// Counts what people edited beside the work of a plan, on a thread and a connection of its own.
///
/// What a plan writes is rolled back and seen by nobody else, so it makes no difference when its rows are counted.
package final class EditCount {
    private let pipeline: String
    private let options: StoreOptions
    private var reading: SideReading<EditCounts>?
    /// Takes marks of the reading, which may wait for that.
    private var tally: LiveTally?

    /// Makes a count that begins once the plan's transaction has.
    package init(of pipeline: String, _ options: StoreOptions) { (self.pipeline, self.options) = (pipeline, options) }

    /// Begins to count where that is still to be done, unless one connection may have to wait for the other: then it begins
    /// once ``tablesAreReady(haveChanged:)`` says that it need not.
    ///
    /// - Parameter tally: Is told of the records that are met; nil for nothing.
    /// - Returns: Whether it began, so that it reads the store as it was when the transaction began.
    package func transactionHasBegun(_ tally: LiveTally?) -> Bool {
        guard reading == nil, options.backend.traits.isReadBesideRuns else { return false }
        begin(tally)
        return true
    }

    /// Begins to count where that is still to be done and the plan changes no table: else it would wait for whoever reads the
    /// table, and lock it for all.
    ///
    /// - Parameter haveChanged: Whether the plan has changed a table.
    package func tablesAreReady(haveChanged: Bool) {
        if reading == nil && !haveChanged { begin(nil) }
    }

    private func begin(_ tally: LiveTally?) {
        let pipeline = pipeline
        self.tally = tally
        reading = SideReading(
            of: options.backend, busyMilliseconds: options.busyMilliseconds, name: "sluice.edits",
            atEnd: { tally?.end() }
        ) { store in
            try EditReader(store: store, tally: tally).counts(pipelines: [pipeline], entity: nil)
        }
    }

    /// What was counted, once that is done; nil where it could not be counted so. The plan must have been rolled back.
    package func counts() -> EditCounts? {
        tally?.marks.close()
        return reading?.value()
    }

    /// Gives up counting.
    package func stop() {
        tally?.marks.close()
        reading?.stop()
    }
}
