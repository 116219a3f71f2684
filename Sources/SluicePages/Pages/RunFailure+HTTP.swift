package import SluiceHTTP
package import SluiceReport

extension HTTPError: NamedFailure {
    /// The code in reports.
    package var name: String { code.rawValue }
    /// What to do.
    package var advice: String? { remedy.map { "\($0)" } }
}

extension RunFailure {
    /// What an error means for the report of a run whose source may quote secrets.
    ///
    /// - Parameters:
    ///   - error: What ended the run.
    ///   - isCancelled: Whether it was asked to stop.
    ///   - secrets: Texts that must not be told.
    package init(_ error: any Error, isCancelled: Bool, hiding secrets: [String]) {
        self.init(error, isCancelled: isCancelled, scrubbing: Redactor(secrets: secrets).scrub)
    }
}
