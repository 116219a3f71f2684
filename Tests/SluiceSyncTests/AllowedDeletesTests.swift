import SluiceModel
import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// `--allow-deletes N` holds for the run as a whole.
@Suite("Deletes that are allowed for once")
struct AllowedDeletesTests {
    struct Allowance: CustomTestStringConvertible, Sendable {
        let name: String
        var allowed: Int?
        /// The only stream to run.
        var stream: String?
        /// How many of the ten patients and of the ten rooms are gone; one of each may go.
        let gone: (patients: Int, rooms: Int)
        /// How many of them the run deletes.
        let deleted: (patients: Int, rooms: Int)
        /// What its messages say allows the rest, and what allows all of it.
        var remedies: [String] = []
        var all: Int?
        var testDescription: String { name }
    }

    static let allowances = [
        Allowance(
            name: "not given", gone: (4, 2), deleted: (0, 0),
            remedies: [
                "once with `--stream patients --allow-deletes 4`, or what the whole run deletes beyond its limits with `--allow-deletes 6`.",
                "once with `--stream rooms --allow-deletes 2`, or what the whole run deletes beyond its limits with `--allow-deletes 6`.",
            ], all: 6),
        Allowance(name: "as many as both", allowed: 6, gone: (4, 2), deleted: (4, 2)),
        Allowance(
            name: "as many as the first alone", allowed: 4, gone: (4, 2), deleted: (0, 0),
            remedies: ["--stream patients --allow-deletes 4`", "--stream rooms --allow-deletes 2`"], all: 6),
        Allowance(
            name: "as many as the second alone", allowed: 2, gone: (4, 2), deleted: (0, 0),
            remedies: ["--stream patients --allow-deletes 4`", "--stream rooms --allow-deletes 2`"], all: 6),
        Allowance(
            name: "one too few for both", allowed: 5, gone: (4, 2), deleted: (0, 0),
            remedies: ["--stream patients --allow-deletes 4`", "--stream rooms --allow-deletes 2`"], all: 6),
        Allowance(
            name: "what the limits permit does not count", allowed: 4, gone: (4, 1), deleted: (4, 1)),
        Allowance(
            name: "one stream alone is refused", gone: (4, 1), deleted: (0, 1),
            remedies: ["allow it once with `--allow-deletes 4`."], all: 4),
        Allowance(name: "one stream alone is run", allowed: 4, stream: "patients", gone: (4, 2), deleted: (4, 0)),
    ]

    @Test("Allowances", arguments: allowances)
    func allowance(_ allowance: Allowance) throws {
        let shop = try Workshop()
        shop.definition = try Self.pipeline(shop)
        try Self.put(shop, patients: 0, rooms: 0)
        _ = try shop.syncPlanned()
        try Self.put(shop, patients: allowance.gone.patients, rooms: allowance.gone.rooms)
        shop.stream = allowance.stream
        let (report, _) = try shop.syncPlanned(allowing: allowance.allowed)
        let left = try shop.rows("SELECT (SELECT count(*) FROM patients), (SELECT count(*) FROM rooms)")
        #expect(left == ["\(10 - allowance.deleted.patients)|\(10 - allowance.deleted.rooms)"])
        #expect(report.status == (allowance.all == nil ? .succeeded : .refused))
        #expect(report.refusedDeletes?.count == allowance.all)
        let messages = report.problems.filter { $0.code == "deletes_refused" }.map(\.message)
        #expect(messages.count == allowance.remedies.count)
        for (message, remedy) in zip(messages, allowance.remedies) {
            #expect(message.contains(remedy), "\(message)")
        }
        // What is said to allow all of it does.
        guard let all = allowance.all else { return }
        #expect(try shop.syncPlanned(allowing: all).0.status == .succeeded)
        #expect(
            try shop.rows("SELECT (SELECT count(*) FROM patients), (SELECT count(*) FROM rooms)")
                == ["\(10 - allowance.gone.patients)|\(10 - allowance.gone.rooms)"])
    }

    /// Two streams with a table each, of which a run may delete one row.
    private static func pipeline(_ shop: Workshop) throws -> PipelineDefinition {
        let fields = [try field("id", .int), try field("a"), try field("b")]
        return PipelineDefinition(
            name: "clinic", file: "test.yaml", source: SourceDefinition(base: .file(shop.directory.path)),
            entities: [
                EntityDefinition(name: "Patient", table: "patients", primaryKey: ["id"], fields: fields),
                EntityDefinition(name: "Room", table: "rooms", primaryKey: ["id"], fields: fields),
            ],
            streams: [("patients", "Patient"), ("rooms", "Room")].map { name, entity in
                StreamDefinition(
                    name: name, entity: entity, path: ConfigurationText("\(name).json"),
                    deleteMissing: DeleteTests.hard(.count(1)))
            })
    }

    private static func put(_ shop: Workshop, patients: Int, rooms: Int) throws {
        try shop.put(DeleteTests.records(1...(10 - patients)), as: "patients.json")
        try shop.put(DeleteTests.records(1...(10 - rooms)), as: "rooms.json")
    }
}
