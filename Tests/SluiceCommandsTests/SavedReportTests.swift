import Foundation
import SluiceJSON
import SluiceReport
import Testing

/// The report of a plan that was saved: what an earlier program wrote of the same format is read.
@Suite struct SavedReportTests {
    private func object(_ value: some Encodable) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(try JSONValueEncoder.text(value).utf8))
        return try #require(json as? [String: Any])
    }

    /// A field that comes later is optional, or plans get another format (`PlanFrame.format`): what stands here is what plans of
    /// format 4 have.
    @Test func whatAStreamHasInAnyCase() throws {
        let members = Set(try object(StreamReport(stream: "books", entity: "Book")).keys)
        #expect(
            members == [
                "bytes", "conflictRows", "differing", "disbelieved", "duplicates", "entity", "filtered",
                "goneConflicts", "goneStale", "heldElsewhere", "isComplete", "isUnconfirmed", "newConflicts",
                "notModified", "pages", "parts", "quarantined", "read", "reportedGone", "requests", "retries",
                "rewritten", "statedDeletes", "stillThere", "stream", "summary", "suspected", "unconfirmed", "unmapped",
            ])
    }

    @Test(arguments: ["goneKept", "knowsOthers", "newlyQuarantined"])
    func aPlanOfBeforeIsRead(lacking member: String) throws {
        var report = StreamReport(stream: "books", entity: "Book")
        report.addGoneKept(2)
        (report.knowsOthers, report.newlyQuarantined, report.read) = (true, 1, 5)
        var saved = try object(report)
        #expect(saved.removeValue(forKey: member) != nil)
        let text = try JSONSerialization.data(withJSONObject: saved)
        let read = try JSONValueDecoder.decode(StreamReport.self, from: JSONDocument(Array(text)).root)
        #expect(read.read == 5 && read.stream == "books")
        #expect((read.goneKept == nil) == (member == "goneKept"))
    }
}
