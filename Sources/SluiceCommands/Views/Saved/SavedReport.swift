internal import SluiceJSON
internal import SluiceReport

/// The report of a plan as a saved plan keeps it, with what its views have to know besides.
struct SavedReport: Codable {
    let report: RunReport
    /// How long the plan took.
    let seconds: Double
    /// Which records belong to which.
    let families: [EntityFamilies.Member]
    /// What a command about the store must say to use the same one.
    let storeOption: String

    init(_ report: RunReport, seconds: Double, families: [EntityFamilies.Member], storeOption: String) {
        (self.report, self.seconds, self.families, self.storeOption) = (report, seconds, families, storeOption)
    }

    /// - Throws: ``SyncError`` where the JSON is of another version.
    init(json: [UInt8]) throws {
        do {
            self = try JSONValueDecoder.decode(Self.self, from: JSONDocument(json).root)
        } catch {
            throw SyncError(
                .planRefused,
                "The report of the saved plan cannot be read: another version of sluice wrote it. Make the plan again.")
        }
    }

    /// The report as JSON.
    func json() throws -> [UInt8] { Array(try JSONValueEncoder.text(self).utf8) }
}
