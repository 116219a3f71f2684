package import SluiceStore

/// Looks at a store: whether runs can write to it, and whether it is in order. Nothing of it is changed.
package enum StoreCheckup {
    /// Checks a store.
    ///
    /// - Parameters:
    ///   - backend: What opens it.
    ///   - name: How messages call it.
    /// - Returns: What was found.
    package static func finding(_ backend: any StoreBackend, name: String) -> CheckupFinding {
        let subject = "store"
        let isFile = backend.traits.file != nil
        let subjectInOrder = isFile ? "its file is" : "its tables are"
        do {
            try backend.check(for: .writing)
            guard let opened = try backend.openToRead(busyMilliseconds: 1_000) else {
                let state = backend.exists ? "holds no store yet" : "does not exist yet"
                return CheckupFinding(subject, .good, "The \(name) \(state); the first run makes it.")
            }
            let findings = try opened.integrityFindings()
            // Rows that people deleted without those that refer to them stop no run.
            let faults = findings.filter { $0.check != .foreignKeys }
            guard let first = faults.first ?? findings.first else {
                return CheckupFinding(subject, .good, "The \(name) can be written, and \(subjectInOrder) in order.")
            }
            let words = [
                faults.isEmpty ? "The \(name) can be written, and runs work." : "The \(name) is not in order.",
                first.message, first.remedy, findings.count > 1 ? "`sluice store check` lists the rest." : nil,
            ]
            return CheckupFinding(
                subject, faults.isEmpty ? .doubtful : .bad, words.compactMap(\.self).joined(separator: " "))
        } catch let error as StoreError {
            return CheckupFinding(subject, error.code == .locked ? .doubtful : .bad, error.message)
        } catch {
            return CheckupFinding(subject, .bad, "The \(name) cannot be read: \(error)")
        }
    }
}
