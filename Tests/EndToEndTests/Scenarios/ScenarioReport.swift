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

    /// The sum of some of the counts, of the streams' records and of those within them.
    func counts(_ names: [String]) -> Int {
        let entities = (pipeline["entities"] as? [String: Any])?.values.map { $0 } ?? []
        return (entities + [pipeline["summary"] as Any]).reduce(0) { sum, counts in
            let counts = counts as? [String: Any]
            return names.reduce(sum) { $0 + (counts?[$1] as? Int ?? 0) }
        }
    }
}
