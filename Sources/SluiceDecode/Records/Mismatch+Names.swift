internal import SluiceReport

/// The names of the reasons for which records are in quarantine.
package enum QuarantineReasons {
    /// Every name that an entry of the quarantine may have.
    package static let all = Mismatch.Reason.allCases.filter { $0 != .unmappedKey }.map(\.rawValue)
}
