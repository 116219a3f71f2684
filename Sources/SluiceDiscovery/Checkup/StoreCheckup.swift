internal import SluiceSQLiteStore
internal import SluiceStore

/// Looks at a store: whether runs can write to it, and whether its file is in order. Nothing of it is changed.
package enum StoreCheckup {
    /// Checks a store.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: How messages call it.
    /// - Returns: What was found.
    package static func finding(path: String, name: String) -> CheckupFinding {
        let subject = "store"
        let place = StorePlace(path)
        do {
            try place.check(for: .writing)
            guard let store = try place.storeToRead(busyMilliseconds: 1_000) else {
                let state = place.exists ? "holds no store yet" : "does not exist yet"
                return CheckupFinding(subject, .good, "The \(name) \(state); the first run makes it.")
            }
            let faults = try store.faults()
            guard let first = faults.first else {
                return CheckupFinding(subject, .good, "The \(name) can be written, and its file is in order.")
            }
            let more = faults.count > 1 ? " There are more." : ""
            return CheckupFinding(
                subject, .bad,
                "The file of the \(name) is damaged: \(first).\(more) Stop all runs, and go back to a backup; `sqlite3 FILE .recover` saves what can be read."
            )
        } catch let error as StoreError {
            return CheckupFinding(subject, error.code == .locked ? .doubtful : .bad, error.message)
        } catch {
            return CheckupFinding(subject, .bad, "The \(name) cannot be read: \(error)")
        }
    }
}
