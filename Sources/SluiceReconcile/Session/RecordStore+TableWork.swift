package import SluiceReport
package import SluiceStore
package import SluiceSystem

extension RecordStore {
    /// Has work on whole tables tell how far it has come, and end where the run is to end.
    ///
    /// - Parameters:
    ///   - observer: Is told.
    ///   - cancellation: The request to end.
    package func reportTableWork(to observer: any RunObserver, until cancellation: Cancellation) {
        tableWork = TableWorkObserver(check: { try cancellation.check() }) { observer.progress(RunProgress($0)) }
    }
}
