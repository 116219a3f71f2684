internal import SluiceReconcile

extension StoreOptions {
    /// Has a run wait for others, for its pipeline as for locks of the store, as long as a command line says.
    mutating func wait(as arguments: ParsedArguments) {
        waitSeconds = arguments.waitSeconds
        busyMilliseconds = arguments.busyMilliseconds
    }
}
