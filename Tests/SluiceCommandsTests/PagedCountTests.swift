import Foundation
import Synchronization
import TestSupport
import Testing

/// The numbers of runs that keep each page, over keys that come again within a page and on later pages: each record counts
/// once, and all that tells of the run says so.
@Suite struct PagedCountTests {
    private typealias Object = [String: Any]

    /// A book as its source gives it: two lines stand within it.
    private struct Book: Equatable {
        var title: Int
        var lines: [Int]

        func json(_ id: Int) -> String {
            let lines = lines.enumerated().map { #"{"no":\#($0),"text":"\#($1)"}"# }.joined(separator: ",")
            return #"{"id":\#(id),"title":"\#(title)","lines":[\#(lines)]}"#
        }
    }

    /// What should be told of a run.
    private struct Expected {
        var books: [String: Int] = [:]
        var lines: [String: Int] = [:]
        /// How often a record is written that the run wrote before.
        var again = 0
        var duplicates = 0

        /// Counts a record by what it was before the run and what the pages say of it, one after the other.
        mutating func count<Value: Equatable>(
            _ before: Value?, _ said: [Value], into counts: WritableKeyPath<Expected, [String: Int]>
        ) {
            let changes = zip([before] + said.dropLast().map(Optional.some), said).count { $0 != $1 }
            let outcome = said.isEmpty ? "delete" : before == nil ? "insert" : changes > 0 ? "update" : "unchanged"
            self[keyPath: counts][outcome, default: 0] += 1
            again += max(0, changes - 1)
        }
    }

    private static let pipeline = """
        version: 1
        name: shop
        commit: page
        source: {base_url: "URL"}
        entities:
          Line: {table: lines, primary_key: [no], fields: {no: int, text: string}}
          Book:
            table: books
            primary_key: [id]
            fields: {id: int, title: string}
            children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
        streams:
          - name: books
            entity: Book
            path: /books
            paginator: {type: header_link}
            delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
        """

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func eachRecordCountsOnce(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let pages = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let number = request.query.flatMap { Int($0.drop { !$0.isNumber }) } ?? 1
            let (body, count) = pages.withLock { ($0[number - 1], $0.count) }
            let next = number < count ? [(name: "Link", value: "</books?at=p\(number + 1)>; rel=\"next\"")] : []
            return .text(body, headers: next)
        }
        defer { server.stop() }
        let shop = try Workshop()
        try shop.write(Self.pipeline.replacing("URL", with: server.url), to: "shop.yaml")
        var store: [Int: Book] = [:]
        for round in 1...4 {
            let place = Comment(rawValue: "seed \(seed), round \(round)")
            let (expected, after, bodies) = Self.round(&random, store)
            pages.withLock { $0 = bodies }
            let plan = shop.sluice("plan", shop.pipeline, "--format", "json", "--changes", "all")
            let text = shop.sluice("plan", shop.pipeline, "--changes", "all").output
            let run = shop.sluice(
                "run", shop.pipeline, "--format", "json", "--changes", "all", "--log-format", "json", "--log-level",
                "info")
            try expect(expected, plan.output, text, run, shop, place)
            store = after
        }
    }

    /// What the source says in a round, with what should come of it.
    private static func round(
        _ random: inout SplitMix, _ before: [Int: Book]
    ) -> (Expected, [Int: Book], [String]) {
        var expected = Expected()
        var said: [Int: [Book]] = [:]
        var bodies: [String] = []
        var met: [Int] = []
        for ids in [[1, 2, 3], [4, 5], [6, 7], [8]] {
            var page: [(id: Int, book: Book)] = []
            // The first one is new on its page, which is none of a circle so.
            for id in ids where id == ids[0] || random.below(5) > 0 { page.append((id, random.book())) }
            for _ in 0..<random.below(3) where !met.isEmpty {
                page.append((met[random.below(met.count)], random.book()))
            }
            // Within a page the last one counts.
            if random.below(2) == 0 { page.append((page[0].id, random.book())) }
            let latest = Dictionary(page.map { ($0.id, $0.book) }) { $1 }
            expected.duplicates += page.count - latest.count + latest.keys.count { said[$0] != nil }
            for (id, book) in latest { said[id, default: []].append(book) }
            met += ids.filter { latest[$0] != nil }
            bodies.append("[" + page.map { $0.book.json($0.id) }.joined(separator: ",") + "]")
        }
        for id in Set(before.keys).union(said.keys) {
            let versions = said[id] ?? []
            expected.count(before[id]?.title, versions.map(\.title), into: \.books)
            for line in 0..<2 {
                expected.count(before[id]?.lines[line], versions.map { $0.lines[line] }, into: \.lines)
            }
        }
        return (expected, said.compactMapValues(\.last), bodies)
    }

    private func expect(
        _ expected: Expected, _ plan: String, _ text: String, _ run: Workshop.Outcome, _ shop: Workshop,
        _ place: Comment
    ) throws {
        let told = Comment(rawValue: "\(place)\n\(text)")
        let counts = expected.books.merging(["duplicates": expected.duplicates]) { $1 }
        for output in [plan, run.output] {
            let report = try #require((try object(output)["pipelines"] as? [Object])?.first)
            expectSame(report["summary"], counts, told)
            expectSame((report["entities"] as? Object)?["Line"], expected.lines, told)
            let stream = try #require((report["streams"] as? [Object])?.first)
            #expect(stream["duplicates"] as? Int == expected.duplicates, told)
            try expectListed(expected, report["changes"], told)
        }
        let number = try #require(try object(run.output)["pipelines"] as? [Object])[0]["run"]
        let latest = shop.sluice("history", "\(try #require(number))", "--format", "json").output
        let kept = try #require(try object(latest)["changes"] as? [Object])
        try expectListed(expected, kept.filter { $0["action"] as? String != "base" }, told)
        try expectHeadings(expected, text, told)
        let status = try object(shop.sluice("status", "--format", "json").output)
        let row = try #require((status["pipelines"] as? [Object])?.first)
        let history = try object(shop.sluice("history", "--limit", "1", "--format", "json").output)
        for kept in [row["last_run"], (history["runs"] as? [Object])?.first] {
            expectSame((kept as? Object)?["summary"], counts, told)
        }
        let line = run.errors.split(separator: "\n").last { $0.contains(#""event":"run_finished""#) }
        let event = try object(String(try #require(line, told)))
        for (name, count) in counts where count > 0 { #expect(event[name] as? Int == count, "\(name), \(told)") }
    }

    /// What is listed is what is counted, but for what is marked.
    private func expectListed(_ expected: Expected, _ list: Any?, _ told: Comment) throws {
        let changes = try #require(list as? [Object], told)
        let first = changes.filter { $0["again"] == nil }
        for (entity, counts) in [("Book", expected.books), ("Line", expected.lines)] {
            for action in ["insert", "update", "delete"] {
                let listed = first.count { $0["entity"] as? String == entity && $0["action"] as? String == action }
                #expect(listed == counts[action] ?? 0, "\(entity) \(action), \(told)")
            }
        }
        #expect(changes.count - first.count == expected.again, told)
    }

    /// The headline and the sections of a plan.
    private func expectHeadings(_ expected: Expected, _ text: String, _ told: Comment) throws {
        let headline = text.prefix { $0 != "\n" }
        for (counts, part) in zip([expected.books, expected.lines], headline.components(separatedBy: "; within them "))
        {
            for (name, words) in [("insert", "to insert"), ("update", "to update"), ("delete", "to delete")] {
                let count = counts[name] ?? 0
                #expect(part.contains("\(count) \(words)") == (count > 0), "\(name), \(told)")
            }
        }
        for line in text.split(separator: "\n") {
            guard let match = try #/^([0-9]+) (to insert into|to update in|to delete from) books/#.firstMatch(in: line)
            else {
                continue
            }
            let name = String(match.2.split(separator: " ")[1])
            let total = expected.books[name, default: 0]
            #expect(Int(match.1) == total, "\(name), \(told)")
        }
    }

    private func expectSame(_ told: Any?, _ counts: [String: Int], _ place: Comment) {
        let told = (told as? [String: Int] ?? [:]).filter { $0.value > 0 }
        #expect(told == counts.filter { $0.value > 0 }, place)
    }

    private func object(_ json: String) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Object)
    }

    /// Numbers at random.
    private struct SplitMix {
        private var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

        /// A number from 0 to below another one.
        mutating func below(_ count: Int) -> Int {
            // SplitMix64. See: prng.di.unimi.it/splitmix64.c
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(count))
        }

        mutating func book() -> Book { Book(title: below(3), lines: [below(3), below(2)]) }
    }
}
