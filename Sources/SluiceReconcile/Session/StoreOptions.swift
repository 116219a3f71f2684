package import SluiceReport
package import SluiceStore
package import SluiceSystem

/// The store that a run works on, and how long to wait for it.
package struct StoreOptions: Sendable {
    /// What opens the store.
    package let backend: any StoreBackend
    /// Whether the work is kept.
    package var command: RunReport.Command
    /// How long to wait for a store or pipeline that is in use.
    package var waitSeconds: Double = 0
    /// How long to wait for another program's lock on the store, which is rarely held for long.
    package var busyMilliseconds = 5_000
    /// What stops the work.
    package var cancellation: Cancellation

    /// Makes options with the defaults.
    package init(backend: any StoreBackend, command: RunReport.Command, cancellation: Cancellation) {
        self.backend = backend
        self.command = command
        self.cancellation = cancellation
    }
}
