internal import SluiceHTTP
internal import SluiceStores
internal import SluiceSystem

/// Looks at what every run needs of the machine.
package enum MachineCheckup {
    /// Less than this is soon used up by pages and keys that are kept while a run lasts.
    private static let leastRoom = 1 << 30

    /// The libraries, and the room for temporary files.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Returns: What was found.
    package static func findings(environment: [String: String]) -> [CheckupFinding] {
        [
            CheckupFinding(
                "libraries", .good, "\(StoreLibraries.versions), \(HTTPClient.libraryVersion)"),
            temporaryFiles(environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"),
        ]
    }

    private static func temporaryFiles(_ folder: String) -> CheckupFinding {
        let subject = "temporary files"
        do {
            try ByteFile(temporaryIn: folder).write([0], at: 0)
        } catch {
            return CheckupFinding(
                subject, .bad, "The folder `\(folder)` takes no file: \(error). Set TMPDIR to a folder that does.")
        }
        guard let room = FileSystem.room(in: folder) else { return CheckupFinding(subject, .good, "In `\(folder)`.") }
        let words = "\(room >> 20) MiB free in `\(folder)`"
        return room < leastRoom
            ? CheckupFinding(subject, .doubtful, "\(words). Large runs need more: free some space, or set TMPDIR.")
            : CheckupFinding(subject, .good, "\(words).")
    }
}
