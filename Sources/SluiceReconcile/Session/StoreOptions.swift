package import SluiceReport
package import SluiceStores
package import SluiceSystem

/// The store that a run works on, and how long to wait for it.
package struct StoreOptions: Sendable {
    /// Where the store is.
    package var address: StoreAddress
    /// Whether the work is kept.
    package var command: RunReport.Command
    /// How long to wait for a store or pipeline that is in use.
    package var waitSeconds: Double = 0
    /// How long to wait for another program's lock on the store, which is rarely held for long.
    package var busyMilliseconds = 5_000
    /// What stops the work.
    package var cancellation: Cancellation

    /// What opens the store.
    package var backend: any StoreBackend { address.backend }

    /// Makes options with the defaults.
    package init(address: StoreAddress, command: RunReport.Command, cancellation: Cancellation) {
        self.address = address
        self.command = command
        self.cancellation = cancellation
    }
}
