package import SluiceDiagnostics
package import SluiceStores

/// A file of pipelines as it was read last.
package struct ServedFile: Sendable {
    /// Its path, as it is given on the command line or found in a folder that is.
    package var path: String
    /// What is wrong with it, errors and warnings.
    package var problems: [Diagnostic]

    /// Makes a file.
    package init(path: String, problems: [Diagnostic]) { (self.path, self.problems) = (path, problems) }

    /// Whether it cannot be used as it is.
    package var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

/// A pipeline that is served.
package struct ServedPipeline: Sendable {
    /// Its name.
    package var name: String
    /// What it is for, in its author's words.
    package var description: String?
    /// Its file, with the problems of its present text.
    package var file: ServedFile
    /// Whether an earlier version of the file is in use, since the present one has errors.
    package var isOutdated = false
    /// Its store.
    package var store: StoreAddress
    /// Whether nobody may be told where the store is.
    package var hasSecretStore = false
    /// The URL of its store as outputs show it.
    package var storeURL: String { store.shownURL(isSecret: hasSecretStore) }
    /// What a command line says to mean this pipeline as the service does, its options first and the file last, without
    /// the command.
    package var arguments: [String] = []
    /// When it is due, in the file's words, such as `0 6 * * * Europe/Berlin` or `every 15m`; nil where it is started by
    /// people alone.
    package var schedule: String?
    /// The next due time without jitter, nil where there is none.
    package var nextDue: Int64?
    /// A due time that has waited for longer than it should have and has not been started; nil where there is none.
    package var lateSince: Int64?
    /// That its last due time is left out, and why, as a sentence; nil where it was run or waits.
    package var leftOut: String?
    /// The run that is going, with how far it has come.
    package var running: ServedRun?
    /// What waits for a worker or for the run before it. What is due and not started has no number yet: its id is 0.
    package var waiting: [ServedRun] = []
    /// The last run that ended (no plan), nil where there was none since the state folder was made.
    package var lastRun: ServedRun?

    /// Makes a pipeline that is not running.
    package init(name: String, file: ServedFile, store: StoreAddress) {
        (self.name, self.file, self.store) = (name, file, store)
    }
}
