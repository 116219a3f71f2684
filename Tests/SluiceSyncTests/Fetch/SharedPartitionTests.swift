import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSystem
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluiceHTTP
@testable import SluicePages

/// Partitions that several programs read come to the same as if one had read them.
@Suite struct SharedPartitionTests {
    private static let items = (0..<12).map { "item \($0)" }

    private static func shape() throws -> PartitionShape {
        var stream = StreamDefinition(name: "items", entity: "Item", path: ConfigurationText("/items"))
        stream.items = [StreamDefinition.ItemList(name: nil, values: items)]
        let pipeline = PipelineDefinition(
            name: "shop", file: "shop.yaml", source: SourceDefinition(base: .http(ConfigurationText(""))), entities: [],
            streams: [stream])
        return try #require(PartitionShape(stream, in: pipeline))
    }

    private static func plan() throws -> PartitionPlan {
        let shape = try shape()
        var plan = PartitionPlan(shape: shape)
        plan.asked = shape.combinations.map { Partition(shape: shape, values: $0) }
        return plan
    }

    /// What the source has: partitions with no, one and two pages, of all kinds of coverage, with warnings and failures.
    private static func read(_ partition: Partition) throws -> FetchedPages {
        let number = items.firstIndex(of: partition.values[0]) ?? 0
        if number == 5 { throw SyncError(.fetchFailed, "There is nothing at \(partition.label).") }
        let file = try ByteFile(temporaryIn: nil)
        var fetched = FetchedPages()
        (fetched.requests, fetched.retries, fetched.bytes) = (number + 1, number % 2, number * 10)
        for page in 0..<number % 3 {
            let bytes = Array("page \(page) of \(partition.label)".utf8)
            try file.write(bytes, at: page * 100)
            fetched.pages.append(
                Page(
                    content: .part(of: file, offset: page * 100, count: bytes.count), name: "/\(number)/\(page)",
                    fileStem: "", maximumBytes: 1000))
        }
        fetched.coverage = coverages[number % coverages.count]
        if number == 7 { fetched.warning = FetchWarning(code: .pageLimit, message: "There are \"more\".\n") }
        return fetched
    }

    /// Why a partition could not be read, without those who could not read it before.
    private static func reason(_ failure: PartitionResult.Failure) -> String {
        failure.message.replacing(" It could not be read at at helper either.", with: "")
    }

    private static let coverages = [
        Coverage.whole, Coverage(.whole, isCounted: true), .filtered, .unended, .partial("it ended early"),
        Coverage(.partial(Coverage.Gap(reason: "pages are left", leavesPages: true)), isCounted: true),
    ]

    private static func fetch(width: Int = 3, read: @escaping PartitionFetch.Read) -> PartitionFetch {
        PartitionFetch(width: width, cancellation: Cancellation(), onProgress: { _ in }, secrets: [], read: read)
    }

    private static let usual: PartitionFetch.Read = { partition, _, _ in try read(partition) }

    private static func ledger() throws -> MemoryPartitionLedger {
        MemoryPartitionLedger(try plan().asked.map(\.sharedText))
    }

    private static func shared(
        _ ledger: MemoryPartitionLedger, _ worker: String, width: Int = 3, read: @escaping PartitionFetch.Read = usual
    ) -> SharedPartitionFetch {
        let role: PartitionClaimant.Role = worker == "run" ? .run : .helper
        let share = PartitionShare(
            id: 1, pipeline: "shop", stream: "items", definition: "", startedAt: "2026-01-01T00:00:00Z", lease: 60)
        let desk = PartitionDesk(share, for: worker, as: role, ledger) { nil }
        return SharedPartitionFetch(fetch: fetch(width: width, read: read), desk: desk, maximumPageBytes: 1000)
    }

    /// All that a run takes of pages, as text.
    private static func words(_ pages: FetchedPages) throws -> [String] {
        let texts = try pages.pages.map { page in
            let bytes = try PageBytes(page).all(maximum: 1000, page.name)
            let text = String(decoding: bytes, as: UTF8.self)
            return "\(page.name) \(page.partition?.label ?? "-") \(page.maximumBytes ?? 0) \(text)"
        }
        let result = try #require(pages.partitions)
        return texts + [
            "\(pages.requests) \(pages.retries) \(pages.bytes) \(pages.isPaginated) \(pages.validators == nil)",
            "\(pages.coverage)", "\(String(describing: pages.warning))",
            "\(result.failures.map { "\($0.partition.label): \(reason($0)) \($0.isNotThere)" })",
            "\(result.incomplete.map(\.label))", "\(result.truncated.map(\.label).sorted())",
        ]
    }

    struct Division: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How many partitions a helper reads before the run does.
        let helped: Int
    }

    static let divisions = [
        Division(testDescription: "the run reads all", helped: 0),
        Division(testDescription: "both read some", helped: 7),
        Division(testDescription: "a helper reads all", helped: 12),
    ]

    /// Raised by a helper once it has read as many as it was to.
    private struct Enough: Error {}

    @Test(arguments: divisions)
    func whoReadsMakesNoDifference(division: Division) throws {
        let plan = try Self.plan()
        let alone = try Self.fetch(read: Self.usual).fetch(plan)
        let ledger = try Self.ledger()
        if division.helped > 0 {
            let shape = try Self.shape()
            let limit = division.helped
            let helper = Self.shared(ledger, "helper", width: 1) { partition, _, _ in
                if Self.items.firstIndex(of: partition.values[0]) ?? 0 >= limit { throw Enough() }
                return try Self.read(partition)
            }
            // What fails in a way that is none of a partition ends it, and gives back what it had.
            do { try helper.readFree { Partition(shape: shape, sharedText: $0) } } catch is Enough {}
            helper.desk.close()
        }
        let together = try Self.shared(ledger, "run").fetch(plan)
        #expect(try Self.words(together) == Self.words(alone))
        let readers = together.partitions?.readers ?? [:]
        // The sixth cannot be read.
        let helped = division.helped - (division.helped > 5 ? 1 : 0)
        #expect(readers["at helper"] ?? 0 == helped && readers["at run"] ?? 0 == 11 - helped, "\(readers)")
        #expect(together.partitions?.isShared == true && alone.partitions?.isShared == false)
        let notes = together.partitions?.problems(of: StreamDefinition(name: "items", entity: "Item")) ?? []
        #expect(notes.contains { $0.code == "partitions_spread" } == (helped > 0 && helped < 11))
    }

    /// A partition costs one claim and one answer, and one that another one read its pages: whatever else there is.
    @Test func whatAPartitionCosts() throws {
        let alone = try Self.ledger()
        _ = try Self.shared(alone, "run", width: 1).fetch(Self.plan())
        // The last claim finds nothing.
        #expect(alone.calls == ["claim": 13, "keep": 12, "openCounts": 1, "answers": 1])
        let helped = try Self.ledger()
        let shape = try Self.shape()
        try Self.shared(helped, "helper", width: 1).readFree { Partition(shape: shape, sharedText: $0) }
        #expect(helped.calls == ["claim": 13, "keep": 12])
        _ = try Self.shared(helped, "run", width: 1).fetch(Self.plan())
        // What it could not read the run reads once more.
        #expect(helped.calls == ["claim": 15, "keep": 13, "openCounts": 1, "answers": 1, "pages": 11])
    }

    /// A reader that was silent for too long finds that another one has read its partition: what that one found counts.
    @Test func whoComesBackLateKeepsNothing() throws {
        let plan = try Self.plan()
        let ledger = try Self.ledger()
        let shape = try Self.shape()
        let other = Self.shared(ledger, "other", width: 1)
        var isTaken = false
        ledger.onKeep = { claim in
            guard claim.position == 4, !isTaken else { return }
            isTaken = true
            ledger.lapse(4)
            #expect(throws: Never.self) { try other.readFree { Partition(shape: shape, sharedText: $0) } }
        }
        let pages = try Self.shared(ledger, "run", width: 1).fetch(plan)
        #expect(isTaken && ledger.calls["keep"] == 14)
        let alone = try Self.fetch(read: Self.usual).fetch(plan)
        #expect(pages.pages.map(\.name) == alone.pages.map(\.name) && pages.coverage == alone.coverage)
        #expect(pages.partitions?.readers == ["at run": 4, "at other": 7])
    }

    private static let refusal: PartitionFetch.Read = { partition, _, _ in
        throw SyncError(.fetchFailed, "It is refused.")
    }

    /// A helper whose token is old takes nothing away: what it cannot read the run reads, and the report says where it was.
    @Test func whatAHelperCannotReadTheRunReads() throws {
        let plan = try Self.plan()
        let shape = try Self.shape()
        let ledger = try Self.ledger()
        let helper = Self.shared(ledger, "helper", width: 1, read: Self.refusal)
        var told: [String] = []
        let hasStopped = try helper.readFree {
            Partition(shape: shape, sharedText: $0)
        } onFailure: {
            told.append($0.message)
        }
        // It soon stops, whatever the reason is, and what it gave back is not read by another helper.
        #expect(hasStopped && told == Array(repeating: "It is refused.", count: 5))
        let other = Self.shared(ledger, "other", width: 1)
        var read: [Int] = []
        try other.readFree {
            Partition(shape: shape, sharedText: $0)
        } onPages: { claim, _ in
            read.append(claim.position)
        }
        #expect(read == Array(6..<12))
        let pages = try Self.shared(ledger, "run", width: 1).fetch(plan)
        #expect(try Self.words(pages).dropLast(3) == Self.words(Self.fetch(read: Self.usual).fetch(plan)).dropLast(3))
        let result = try #require(pages.partitions)
        #expect(result.failures.count == 1 && result.givenBack.mapValues(\.count) == ["at helper": 5])
        let problems = result.problems(of: StreamDefinition(name: "items", entity: "Item"))
        let problem = try #require(problems.first { $0.code == "partitions_given_back" })
        #expect(problem.severity == .warning)
        #expect(problem.message.hasPrefix("5 partitions of `items` could not be read at at helper, and were read by"))
    }

    /// What nobody can read is said with all who tried.
    @Test func whatNobodyCanReadSaysWhoTried() throws {
        let plan = try Self.plan()
        let shape = try Self.shape()
        let ledger = try Self.ledger()
        for name in ["helper", "run"] {
            let reader = Self.shared(ledger, name, width: 1) { partition, _, _ in
                if partition.values[0] == Self.items[2] {
                    throw SyncError(.fetchFailed, "It is refused to the \(name == "run" ? "run" : "helper").")
                }
                return try Self.read(partition)
            }
            if name == "helper" { try reader.readFree { Partition(shape: shape, sharedText: $0) } }
            if name == "run" {
                let failures = try #require(try reader.fetch(plan).partitions?.failures)
                #expect(
                    failures.map(\.message) == [
                        "It is refused to the run. It could not be read at at helper either. There: It is refused to the helper.",
                        "There is nothing at \(plan.asked[5].label). It could not be read at at helper either.",
                    ])
            }
        }
    }

    /// A source that is down is not asked for everything.
    @Test func whatFailsAgainAndAgainIsNotAskedFor() throws {
        let plan = try Self.plan()
        let read: PartitionFetch.Read = { _, _, _ in
            throw HTTPError(.idleTimeout, "It takes too long.", isTransient: true)
        }
        let ledger = try Self.ledger()
        let pages = try Self.shared(ledger, "run", width: 1, read: read).fetch(plan)
        let failures = try #require(pages.partitions?.failures)
        #expect(failures.count == 12 && ledger.calls["keep"] == 5)
        #expect(
            failures.dropFirst(5).allSatisfy { $0.message == "It was not asked for, since the 5 before it failed." })
        #expect(pages.partitions?.isFailure == true && pages.coverage.gap != nil)
    }

    @Test func aPartitionIsReadAsItIsWritten() throws {
        let shape = try Self.shape()
        for value in ["a", "", "\"", "a\u{0}b", "ü/…", "\n\\"] {
            let partition = Partition(shape: shape, values: [value])
            #expect(Partition(shape: shape, sharedText: partition.sharedText) == partition)
        }
        for text in ["", "[]", "[1]", "[\"a\",\"b\"]", "{\"a\":\"b\"}", "[\"a\""] {
            #expect(Partition(shape: shape, sharedText: text) == nil, "\(text)")
        }
    }
}
