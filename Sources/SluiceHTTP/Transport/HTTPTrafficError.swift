/// Why an exchange could not be kept, or is in no recording.
package struct HTTPTrafficError: Error, Sendable {
    /// What kind of failure it is.
    package var code: HTTPError.Code
    /// Full sentences for the reader, without secrets.
    package var message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - message: Full sentences for the reader, without secrets.
    package init(_ code: HTTPError.Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension HTTPError.Code {
    /// What was received cannot be kept.
    package static let notKept = Self(rawValue: "recording_failed")
    /// The recording has no answer to the request.
    package static let notRecorded = Self(rawValue: "not_recorded")
    /// The plan that is applied did not ask for this.
    package static let notPlanned = Self(rawValue: "not_planned")
}
