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

    /// Begins to count at once, or in a store where one connection may wait for the other once ``tablesAreReady(haveChanged:)``
    /// says that it need not.
    package init(of pipeline: String, _ options: StoreOptions) {
        (self.pipeline, self.options) = (pipeline, options)
        if options.backend.traits.isReadBesideRuns { begin() }
    }

    /// Begins to count where that is still to be done and the plan changes no table: else it would wait for whoever reads the
    /// table, and lock it for all.
    ///
    /// - Parameter haveChanged: Whether the plan has changed a table.
    package func tablesAreReady(haveChanged: Bool) {
        if reading == nil && !haveChanged { begin() }
    }

    private func begin() {
        let pipeline = pipeline
        reading = SideReading(
            of: options.backend, busyMilliseconds: options.busyMilliseconds, name: "sluice.edits"
        ) { store in
            try EditReader(store: store).counts(pipelines: [pipeline], entity: nil)
        }
    }

    /// What was counted, once that is done; nil where it could not be counted so. The plan must have been rolled back.
    package func counts() -> EditCounts? { reading?.value() }

    /// Gives up counting.
    package func stop() { reading?.stop() }
}
