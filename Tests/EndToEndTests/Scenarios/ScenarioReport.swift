import Foundation
import Testing

/// The parts of a JSON report that hold for every scenario.
struct ScenarioReport {
    private let pipeline: [String: Any]

    init(_ text: String) throws {
        let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        pipeline = try #require((report?["pipelines"] as? [[String: Any]])?.first, "\(text)")
    }

    var status: String { pipeline["status"] as? String ?? "" }
    private func count(_ list: String) -> Int { (pipeline[list] as? [Any])?.count ?? -1 }
    var kept: Int { count("kept_local") }
    var newConflicts: Int { count("conflicts") }
    var changes: Int { count("changes") }

    /// Rows that are listed as gone and stay.
    var goneChanges: Int {
        let deletes = (pipeline["changes"] as? [[String: Any]])?.filter { $0["action"] as? String == "delete" }
        return (deletes?.count ?? 0) - counts(["delete"])
    }

    /// The sum of some of the summary's counts.
    func counts(_ names: [String]) -> Int {
        let summary = pipeline["summary"] as? [String: Any]
        return names.reduce(0) { $0 + (summary?[$1] as? Int ?? 0) }
    }
}
