package import SluiceStore

extension QuarantineEntry {
    /// Why it is in quarantine no longer, as the end of a sentence about it; nil where it is.
    package var ending: String? {
        switch status {
        case .open: nil
        case .closed: "it left the quarantine in \(lastRun.map { "run \($0)" } ?? "an earlier run")."
        case .dropped: "it was dropped from the quarantine."
        }
    }
}
