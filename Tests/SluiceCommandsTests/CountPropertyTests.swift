import Foundation
import SluiceServe
import SluiceServeModel
import Testing

/// The same numbers everywhere: in headlines, tables, sections and footers of the text, in JSON, in `status`, in
/// `history`, in the log, and in what a service keeps of the log.
@Suite struct CountPropertyTests {
    /// What a command tells as JSON.
    private typealias Object = [String: Any]

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func everyNumberIsTheSameWhereverItIsTold(seed: UInt64) throws {
        var world = RandomShop(seed: seed)
        var shelves = RandomShop(seed: seed + 1000)
        let shop = try Workshop()
        try shop.write(RandomShop.pipeline, to: "shop.yaml")
        for round in 1...4 {
            try shop.write(world.books(), to: "books.json")
            try shop.write(world.authors(), to: "authors.json")
            try shop.write(world.tags(), to: "tags.json")
            try shop.write(shelves.shelves(), to: "shelves.json")
            if round > 1 { for statement in world.edits() { try shop.sql(statement) } }
            let place = Comment(rawValue: "seed \(seed), round \(round)")
            let text = shop.sluice("plan", shop.pipeline, "--changes", "all").output
            let plan = try report(shop.sluice("plan", shop.pipeline, "--format", "json"), place)
            try expectSame(text, plan, place)
            let before = try rows(of: shop)
            let outcome = shop.sluice(
                "run", shop.pipeline, "--format", "json", "--log-format", "json", "--log-level", "info")
            let run = try report(outcome, place)
            try expectTrue(run, before: before, shop, place)
            try expectLogged(outcome.errors, run, place)
            #expect(counts(plan["summary"]) == counts(run["summary"]), place)
            #expect(entities(plan) == entities(run), place)
            try expectSame(shop, run, place)
            // A run over the same once more leaves all as it is, and tells what waits, wherever it stands.
            let again = shop.sluice(
                "run", shop.pipeline, "--format", "json", "--log-format", "json", "--log-level", "info")
            let quiet = try report(again, place)
            try expectLogged(again.errors, quiet, "again: \(place)")
            try expectSame(shop, quiet, "again: \(place)")
        }
        try expectUndoIsTold(shop, Comment(rawValue: "seed \(seed)"))
    }

    // MARK: What the tables hold

    private func rows(of shop: Workshop) throws -> [String: String] {
        var rows: [String: String] = [:]
        let tables = [
            (
                "Book", "books", "CAST(id AS TEXT)",
                """
                title || ',' || coalesce(price, '') || ',' || (SELECT coalesce(group_concat(target), '') FROM
                (SELECT tag_id AS target FROM books_tags WHERE book_id = id UNION SELECT target_key ->> 0 FROM _sluice_pending
                WHERE "table" = 'books' AND key = json_array(id) ORDER BY 1))
                """
            ),
            ("Author", "authors WHERE _deleted_at IS NULL", "CAST(id AS TEXT)", "coalesce(name, '')"),
            ("Tag", "tags", "CAST(id AS TEXT)", "coalesce(name, '')"),
            ("Shelf", "shelves", "CAST(id AS TEXT)", "coalesce(name, '')"),
            ("Line", "lines", "book_id || '/' || no", "coalesce(text, '')"),
        ]
        for (entity, table, key, columns) in tables where try shop.hasTable(String(table.prefix { $0 != " " })) {
            for row in try shop.rows("SELECT \(key), \(columns) FROM \(table)") {
                rows["\(entity) \(row[0])"] = row[1]
            }
        }
        return rows
    }

    /// Rows in conflict that are others than before were written in part, and are counted so.
    private func expectTrue(_ run: Object, before: [String: String], _ shop: Workshop, _ place: Comment) throws {
        let list = try object(shop.sluice("conflicts", "list", "--format", "json").output)["conflicts"] as? [Object]
        let after = try rows(of: shop)
        let open = Set(
            (list ?? []).map { entry in
                let key = entry["key"] as? Object ?? [:]
                let name = ["id", "book_id", "no"].compactMap { key[$0].map { "\($0)" } }.joined(separator: "/")
                return "\(entry["entity"] ?? "") \(name)"
            })
        // Rows within records are counted by their entity.
        for (isWithin, told) in [(false, counts(run["summary"])), (true, entities(run)["Line"] ?? [:])] {
            let changed = open.filter { $0.hasPrefix("Line ") == isWithin && before[$0] != after[$0] }
            let shown = changed.map { "\($0): \(before[$0] ?? "") > \(after[$0] ?? "")" }
            #expect(changed.count == told["conflict_written"] ?? 0, "\(place): \(shown)")
        }
    }

    // MARK: Text and JSON of a plan

    private func expectSame(_ text: String, _ plan: Object, _ place: Comment) throws {
        let told = Comment(rawValue: "\(place)\n\(text)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = try #require(lines.first).dropFirst("Plan for shop: ".count).replacing("; within them ", with: ";")
            .split(separator: ";")
        let own = counts(plan["summary"])
        let within = entities(plan).values.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
        let streams = try #require(plan["streams"] as? [Object])
        var headline = own
        #expect(own["duplicates"] ?? 0 == streams.reduce(0) { $0 + number($1["duplicates"]) }, told)
        headline["filtered"] = streams.reduce(0) { $0 + number($1["filtered"]) }
        headline["linked"] = number(plan["linked"])
        expectSame(numbers(String(parts.first ?? "")), headline.filter { $0.value > 0 }, told)
        expectSame(
            parts.count > 1 ? numbers(String(parts[1])) : [:], within.filter { $0.value > 0 && $0.key != "unchanged" },
            told)
        // The totals of an entity are its own records and those that stand within others.
        var totals: [String: [String: Int]] = entities(plan)
        for stream in streams {
            totals[stream["entity"] as? String ?? "", default: [:]].merge(counts(stream["summary"])) { $0 + $1 }
            let besides = ["delete", "conflict_written", "delete_refused", "delete_reported", "duplicates"]
            let outcomes = counts(stream["summary"]).filter { !besides.contains($0.key) }.values.reduce(0, +)
            let read = number(stream["read"]) - number(stream["duplicates"]) - number(stream["filtered"])
            // What was edited here and is gone there is in conflict without having been read. Where a stream deletes what
            // its source states to be deleted and nothing else, each record that was read is counted once.
            if stream["stream"] as? String == "tags" {
                #expect(read == outcomes + (counts(stream["summary"])["delete"] ?? 0), told)
            } else {
                #expect(read <= outcomes, told)
            }
        }
        let heading =
            #/^([0-9,]+) (to insert into|to update in|to delete from|to mark as deleted in|kept in|records? in conflict in) (books|authors|tags)/#
        let names = [
            "to insert into": "insert", "to update in": "update", "to delete from": "delete",
            "to mark as deleted in": "delete", "kept in": "kept_local", "record in conflict in": "conflict",
            "records in conflict in": "conflict",
        ]
        for line in lines {
            guard let match = try heading.firstMatch(in: line) else { continue }
            let entity = ["books": "Book", "authors": "Author", "tags": "Tag"][match.3] ?? ""
            let total = totals[entity] ?? [:]
            #expect(Int(match.1.replacing(",", with: "")) == total[names[String(match.2)] ?? ""], told)
        }
        // Problems list the records that they are about.
        let listed = lines.prefix { line in
            ["error: ", "warning: ", "note: "].allSatisfy { !line.hasPrefix($0) }
        }
        for (mark, names) in [("+ ", ["insert"]), ("- ", ["delete", "delete_reported"])] {
            for (entity, total) in totals {
                let count = listed.count { $0.drop { $0 == " " }.hasPrefix("\(mark)\(entity) ") }
                #expect(count == names.reduce(0) { $0 + (total[$1] ?? 0) }, "\(names) of \(entity): \(told)")
            }
        }
        let conflicts = own["conflict", default: 0] + within["conflict", default: 0]
        let footer = lines.first { $0.contains(" in conflict: ") || $0.contains(" in conflict since ") }
        #expect(conflicts == footer.map { Int($0.prefix { $0.isNumber }) } ?? 0, told)
    }

    // MARK: What the log tells of a run

    private func expectLogged(_ log: String, _ run: Object, _ place: Comment) throws {
        let ends = log.split(separator: "\n").filter { $0.contains(#""event":"run_finished""#) }
        let line = try #require(ends.last, place)
        let event = try object(String(line))
        #expect(counts(run["summary"]).filter { number(event[$0.key]) != $0.value } == [:], "\(place): \(line)")
        #expect(entities(event) == entities(run), "\(place): \(line)")
        // Its message says the same in words.
        let message = try #require(event["message"] as? String)
        let words = message.components(separatedBy: " s, ").last?.components(separatedBy: "; within them ") ?? []
        let told = numbers(words.first ?? "").filter { !["filtered", "linked"].contains($0.key) }
        expectSame(told, counts(run["summary"]).filter { $0.value > 0 }, "\(place): \(message)")
        let within = entities(run).values.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
        expectSame(
            words.count > 1 ? numbers(words[1]) : [:], within.filter { $0.value > 0 && $0.key != "unchanged" },
            "\(place): \(message)")
        // A service keeps what it reads there.
        var lines = RunLines()
        _ = lines.read(Array(line.utf8)[...], at: 0)
        let kept = try #require(lines.ending.counts, place)
        #expect(named(kept) == counts(run["summary"]), place)
        #expect(kept.within.mapValues(named) == entities(run), place)
    }

    private func named(_ counts: ServedCounts) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.told.map { ($0.name, $0.count) })
    }

    // MARK: What the store tells of a run

    private func expectSame(_ shop: Workshop, _ run: Object, _ place: Comment) throws {
        let status = try object(shop.sluice("status", "--format", "json").output)
        let row = try #require((status["pipelines"] as? [Object])?.first)
        let last = try #require(row["last_run"] as? Object)
        let history = try object(shop.sluice("history", "--limit", "1", "--format", "json").output)
        let kept = try #require((history["runs"] as? [Object])?.first)
        for entry in [last, kept] {
            #expect(number(entry["run"]) == number(run["run"]), place)
            #expect(counts(entry["summary"]) == counts(run["summary"]), place)
            // Of what stands within others, it is left out what is as it was and as its source says.
            #expect(
                entities(entry) == entities(run).filter { $0.value.contains { $0 != "unchanged" && $1 > 0 } }, place)
        }
        let line = shop.sluice("history", "--limit", "1").output.split(separator: "Z  ").last ?? ""
        let parts = line.split(separator: "; ").map(String.init)
        let own = parts.first { !$0.contains(": ") } ?? ""
        for (entity, counts) in entities(kept) {
            let words = parts.first { $0.hasPrefix("\(entity): ") }?.dropFirst(entity.count + 2) ?? ""
            expectSame(numbers(String(words)), counts.filter { $0.value > 0 }, "\(place): \(line)")
        }
        var counted = counts(run["summary"]).merging(["linked": number(run["linked"])]) { $1 }
        counted["filtered"] = try #require(run["streams"] as? [Object]).reduce(0) { $0 + number($1["filtered"]) }
        expectSame(numbers(own), counted.filter { $0.value > 0 }, place)
        let conflicts = try #require(
            try object(shop.sluice("conflicts", "list", "--format", "json").output)["conflicts"] as? [Object])
        let records = Set(conflicts.map { "\($0["entity"] ?? "") \($0["key"] ?? "")" }).count
        #expect(number(row["open_conflicts"]) == conflicts.count, place)
        #expect(number(row["records_in_conflict"]) == records, place)
        let told =
            number((run["summary"] as? Object)?["conflict"])
            + entities(run).values.reduce(0) { $0 + ($1["conflict"] ?? 0) }
        #expect(told <= records, place)
        let quarantine = try object(shop.sluice("quarantine", "list", "--format", "json").output)["quarantine"]
        #expect(number(row["quarantined"]) == (quarantine as? [Object])?.count, place)
        // All streams were read whole, so that each record that waits was met, but for those whose source has them no longer
        // and whose rows stay.
        let besides = number((run["open_besides"] as? Object)?["quarantined"])
        #expect(number(row["quarantined"]) == counts(run["summary"])["quarantined", default: 0] + besides, place)
        let text = shop.sluice("status").output
        #expect(
            conflicts.isEmpty
                != text.contains(conflicts.count == 1 ? "1 conflict open" : "\(conflicts.count) conflicts open"), place)
    }

    // MARK: What is told of a run that is taken back

    private func expectUndoIsTold(_ shop: Workshop, _ place: Comment) throws {
        let history = try object(shop.sluice("history", "--limit", "1", "--format", "json").output)
        let last = number(((history["runs"] as? [Object])?.first)?["run"])
        let text = shop.sluice("undo", String(last), "--plan", "--changes", "all").output
        let told = Comment(rawValue: "\(place)\n\(text)")
        let plan = try undo(shop, last, "--plan", told)
        let markdown = shop.sluice("undo", String(last), "--plan", "--format", "markdown").output
        #expect(
            !markdown.contains("not listed") && !markdown.contains(": gone from the source"), "\(told)\n\(markdown)")
        let headline = try #require(text.split(separator: "\n").first)
        #expect(markdown.hasPrefix("### \(headline)\n"), "\(told)\n\(markdown)")
        // What is said of a plan in words is what its JSON says.
        let linked = number(plan["linked"])
        let own = counts(plan["summary"]).merging(["linked": linked]) { $1 }.filter { $0.value > 0 }
        let within = entities(plan).values.reduce(into: [String: Int]()) { $0.merge($1) { $0 + $1 } }
            .filter { $0.value > 0 }
        let words = headline.dropFirst("Plan to undo run \(last) of shop: ".count).split(separator: "; ").map(
            String.init)
        var named: (own: [String: Int], within: [String: Int], left: Int) = ([:], [:], 0)
        for part in words {
            if part.hasPrefix("within them ") {
                named.within = numbers(String(part.dropFirst("within them ".count)))
            } else {
                named.own.merge(numbers(part)) { $0 + $1 }
            }
        }
        named.left = named.own.removeValue(forKey: "left") ?? named.within.removeValue(forKey: "left") ?? 0
        #expect(named.own == own && named.within == within && named.left == number(plan["left"]), told)
        let before = try rows(of: shop)
        let done = try undo(shop, last, "--changes=all", told)
        #expect(counts(done["summary"]) == counts(plan["summary"]) && entities(done) == entities(plan), told)
        // What was inserted and deleted is so in the tables, and in what is listed.
        let after = try rows(of: shop)
        let total = own.merging(within) { $0 + $1 }
        #expect(Set(after.keys).subtracting(before.keys).count == total["insert"] ?? 0, told)
        #expect(Set(before.keys).subtracting(after.keys).count == total["delete"] ?? 0, told)
        func listed(_ mark: String) -> Int { text.split(separator: "\n").count { $0.hasPrefix(mark) } }
        #expect(listed("+ ") == total["insert"] ?? 0 && listed("- ") == total["delete"] ?? 0, told)
        // What is changed in part is listed with what is left, and rows whose links are taken back are as well, at the end.
        let updated = Set(text.split(separator: "\n").filter { $0.hasPrefix("~ ") })
        let updates = total["update", default: 0]
        #expect((updates...updates + linked).contains(updated.count), told)
        guard done["run"] is Int else { return }
        let kept = try object(shop.sluice("history", "--limit", "1", "--format", "json").output)
        let entry = try #require((kept["runs"] as? [Object])?.first)
        #expect(
            number(entry["run"]) == number(done["run"]) && counts(entry["summary"]) == counts(done["summary"]), told)
        let status = try object(shop.sluice("status", "--format", "json").output)
        let row = try #require((status["pipelines"] as? [Object])?.first)
        #expect(number((row["undo"] as? Object)?["run"]) == number(done["run"]), told)
        #expect(number((row["last_run"] as? Object)?["undone_by"]) == number(done["run"]), told)
    }

    private func undo(_ shop: Workshop, _ run: Int, _ option: String, _ place: Comment) throws -> Object {
        let outcome = shop.sluice("undo", String(run), option, "--format", "json")
        #expect([0, 1].contains(outcome.code), place)
        return try #require((try object(outcome.output)["pipelines"] as? [Object])?.first)
    }

    // MARK: Numbers

    /// The counts that words tell, by the names that JSON has for them.
    private func numbers(_ words: String) -> [String: Int] {
        let names = [
            ("in part", "conflict_written"), ("refused", "delete_refused"), ("to insert", "insert"),
            ("inserted", "insert"), ("to update", "update"), ("updated", "update"),
            ("to delete", "delete"), ("deleted", "delete"), ("in conflict", "conflict"), ("not written", "quarantined"),
            ("kept here", "kept_local"), ("unchanged", "unchanged"), ("duplicate", "duplicates"),
            ("filtered out", "filtered"), ("left as", "left"), ("to link", "linked"), ("linked", "linked"),
            ("gone from the source", "delete_reported"),
        ]
        var found: [String: Int] = [:]
        for part in words.replacing(", ", with: "|").replacing(" (", with: "|").split(separator: "|") {
            guard let count = Int(part.prefix { $0.isNumber || $0 == "," }.replacing(",", with: "")) else { continue }
            let name = names.first { part.contains($0.0) }?.1 ?? String(part)
            found[name, default: 0] += count
        }
        return found
    }

    private func expectSame(_ told: [String: Int], _ counted: [String: Int], _ place: Comment) {
        #expect(told == counted, place)
    }

    private func counts(_ value: Any?) -> [String: Int] { (value as? [String: Int]) ?? [:] }

    private func entities(_ report: Object) -> [String: [String: Int]] {
        (report["entities"] as? [String: [String: Int]]) ?? [:]
    }

    private func number(_ value: Any?) -> Int { (value as? Int) ?? 0 }

    private func object(_ json: String) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Object)
    }

    private func report(_ outcome: Workshop.Outcome, _ place: Comment) throws -> Object {
        // Too many deletes are refused, and the rest is done.
        #expect([0, 4].contains(outcome.code), "\(place): \(outcome.errors)")
        return try #require((try object(outcome.output)["pipelines"] as? [Object])?.first)
    }
}

/// A source and people who change things at random.
private struct RandomShop {
    static let pipeline = """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Line: {table: lines, primary_key: [no], fields: {no: int, text: string}}
          Author: {table: authors, primary_key: [id], fields: {id: int, name: string}}
          Tag: {table: tags, primary_key: [id], fields: {id: int, name: string}}
          Shelf: {table: shelves, primary_key: [id], fields: {id: int, name: string}}
          Book:
            table: books
            primary_key: [id]
            on_conflict: {delete_edit: local_wins, default: manual}
            fields: {id: int, title: {type: string, required: true}, price: decimal, tags: {refs: Tag, from: "tags[*]"}}
            children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
        streams:
          - {name: books, entity: Book, path: books.json, filter: .hidden != true, delete_missing: {mode: hard, max_delete: 100%}}
          - {name: authors, entity: Author, path: authors.json, delete_missing: {mode: soft, max_delete: 1}}
          - {name: tags, entity: Tag, path: tags.json, deleted_when: .gone == true}
          - {name: shelves, entity: Shelf, path: shelves.json, delete_missing: {mode: report}}
        """

    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// A number from 0 to below another one.
    private mutating func below(_ count: Int) -> Int {
        // SplitMix64. See: prng.di.unimi.it/splitmix64.c
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }

    mutating func books() -> String {
        var books: [String] = []
        for id in 1...8 where below(5) > 0 {
            let lines = (1...3).filter { _ in below(4) > 0 }.map { "{\"no\":\($0),\"text\":\"\(below(3))\"}" }
            let title = below(8) == 0 ? "null" : "\"\(below(3))\""
            let tags = (1...4).filter { _ in below(3) == 0 }.map(String.init).joined(separator: ",")
            let hidden = below(10) == 0 ? ",\"hidden\":true" : ""
            let book =
                "{\"id\":\(id),\"title\":\(title),\"price\":\"\(below(3))\",\"tags\":[\(tags)],\"lines\":[\(lines.joined(separator: ","))]\(hidden)}"
            books.append(book)
            if below(8) == 0 { books.append(book) }
        }
        return "[" + books.joined(separator: ",") + "]"
    }

    mutating func authors() -> String {
        let authors = (1...6).filter { _ in below(4) > 0 }.map { "{\"id\":\($0),\"name\":\"\(below(3))\"}" }
        return "[" + authors.joined(separator: ",") + "]"
    }

    mutating func tags() -> String {
        let tags = (1...5).filter { _ in below(4) > 0 }.map {
            "{\"id\":\($0),\"name\":\"\(below(3))\",\"gone\":\(below(3) == 0)}"
        }
        return "[" + tags.joined(separator: ",") + "]"
    }

    mutating func shelves() -> String {
        let shelves = (1...4).filter { _ in below(3) > 0 }.flatMap { id in
            [String](repeating: "{\"id\":\(id),\"name\":\"\(below(3))\"}", count: below(4) == 0 ? 2 : 1)
        }
        return "[" + shelves.joined(separator: ",") + "]"
    }

    mutating func edits() -> [String] {
        (0..<below(5)).map { _ in
            switch below(7) {
            case 0: "UPDATE books SET title = 'e\(below(2))' WHERE id = \(below(8) + 1)"
            case 1: "UPDATE books SET price = '7', title = 'e' WHERE id = \(below(8) + 1)"
            case 2: "UPDATE lines SET text = 'e\(below(2))' WHERE no = \(below(3) + 1)"
            case 3: "DELETE FROM authors WHERE id = \(below(6) + 1)"
            case 4: "UPDATE authors SET name = 'e' WHERE id = \(below(6) + 1)"
            case 5: "UPDATE tags SET name = 'e' WHERE id = \(below(5) + 1)"
            default: "INSERT OR IGNORE INTO authors (id, name) VALUES (\(below(6) + 1), 'here')"
            }
        }
    }
}
