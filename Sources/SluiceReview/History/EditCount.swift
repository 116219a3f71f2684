package import SluiceReconcile
package import SluiceReport
internal import SluiceStore

/// Counts what people edited beside the work of a plan, on a thread and a connection of its own.
///
/// What a plan writes is rolled back and seen by nobody else, so it makes no difference when its rows are counted.
package struct EditCount: Sendable {
    private let reading: SideReading<EditCounts>

    /// Begins to count.
    package init(of pipeline: String, _ options: StoreOptions) {
        reading = SideReading(
            of: options.backend, busyMilliseconds: options.busyMilliseconds, name: "sluice.edits"
        ) { store in
            try EditReader(store: store).counts(pipelines: [pipeline], entity: nil)
        }
    }

    /// What was counted, once that is done; nil where it could not be counted so.
    package func counts() -> EditCounts? { reading.value() }

    /// Gives up counting.
    package func stop() { reading.stop() }
}
