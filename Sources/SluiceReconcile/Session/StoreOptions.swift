package import SluiceReport
package import SluiceSchedule
package import SluiceStore
package import SluiceSystem

/// The store that a run works on, and how long to wait for it.
package struct StoreOptions: Sendable {
    /// What opens the store.
    package private(set) var backend: any StoreBackend
    /// The claim by which the work is kept, where a worker of the store's pool has it done; nil where it needs none.
    package private(set) var ticket: PoolTicket?
    /// Whether the work is kept.
    package var command: RunReport.Command
    /// Who has the work done, where that is kept with it; else nil.
    package var who: String?
    /// How long to wait for a store or pipeline that is in use.
    package var waitSeconds: Double = 0
    /// How long to wait for another program's lock on the store, which is rarely held for long.
    package var busyMilliseconds = 5_000
    /// What stops the work.
    package var cancellation: Cancellation { didSet { backend = backend.stoppable(by: cancellation) } }

    /// Makes options with the defaults.
    package init(backend: any StoreBackend, command: RunReport.Command, cancellation: Cancellation) {
        self.backend = backend.stoppable(by: cancellation)
        self.command = command
        self.cancellation = cancellation
    }

    /// Has the work kept by a claim, and not without it.
    package mutating func hold(_ ticket: PoolTicket) {
        (backend, self.ticket) = (backend.holding(ticket), ticket)
    }
}
