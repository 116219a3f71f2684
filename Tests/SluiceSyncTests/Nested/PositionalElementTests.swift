import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// A place in a list is no identity: what an element leaves out is none, and never that which stood there before.
@Suite("Elements told apart by their places") struct PositionalElementTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Element: Sendable, Equatable {
        var title = "x"
        var guest: Int?
        var band: Int?
        var tags: [Int]?
        /// Keyed elements within it.
        var solos: [Int]?
        /// Ordered elements within it.
        var notes: [String?]?
        /// The list of which it shows a part.
        var cut: String?

        var json: String {
            var members = ["\"title\":\"\(title)\""]
            if let guest { members.append("\"guest\":\(guest),\"rank\":\(guest)") }
            if let band { members.append("\"band\":\(band)") }
            if let tags { members.append("\"tags\":\(tags)") }
            if let solos { members.append("\"solos\":[\(solos.map { "{\"who\":\($0)}" }.joined(separator: ","))]") }
            if let notes {
                let list = notes.map { $0.map { "{\"text\":\"\($0)\"}" } ?? "{}" }
                members.append("\"notes\":[\(list.joined(separator: ","))]")
            }
            if let cut { members.append("\"\(cut)@odata.nextLink\":\"https://example.com/rest\"") }
            return "{\(members.joined(separator: ","))}"
        }

        /// Its rows, as at this place.
        func text(_ place: Int) -> String {
            let band = band.map(String.init) ?? "-"
            let tags = Set(tags ?? []).sorted().map(String.init).joined(separator: "+")
            let solos = Set(solos ?? []).sorted().map(String.init).joined(separator: "+")
            let notes = (notes ?? []).map { $0 ?? "-" }.joined(separator: "+")
            let guest = guest.map(String.init) ?? "-"
            return "\(place)\(title) \(guest) \(guest == "-" ? "7" : guest) \(band) [\(tags)] [\(solos)] [\(notes)]"
        }

        static func random(_ random: inout SeededGenerator) -> Element {
            func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
            var element = Element(
                title: ["a", "b", "c"].randomElement(using: &random) ?? "a",
                guest: maybe(Int.random(in: 1...3, using: &random)),
                band: maybe(Int.random(in: 1...2, using: &random)),
                tags: maybe([Int.random(in: 1...2, using: &random)]),
                solos: maybe([Int.random(in: 1...3, using: &random)]), notes: maybe([maybe("n"), maybe("m")]))
            if Int.random(in: 0..<10, using: &random) == 0 {
                let lists = [element.tags.map { _ in "tags" }, element.solos.map { _ in "solos" }]
                element.cut = (lists + [element.notes.map { _ in "notes" }]).compactMap { $0 }
                    .randomElement(using: &random)
            }
            return element
        }
    }

    private func shop(_ store: Store, policy: String = "manual") throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "concerts",
            """
            merge: {on_conflict: \(policy)}
            entities:
              Concert:
                table: concerts
                primary_key: id
                fields: {id: int}
                children: {songs: {entity: Song, from: "songs[*]", ordered: true}}
              Song:
                table: songs
                fields:
                  title: string
                  guest: int
                  rank: {type: int, default: 7}
                  band: {ref: Band}
                  tags: {refs: Tag, from: "tags[*]", via: song_tags}
                children:
                  solos: {entity: Solo, from: "solos[*]", key: [who]}
                  notes: {entity: Note, from: "notes[*]", ordered: true}
              Solo: {table: solos, fields: {who: int}}
              Note: {table: notes, fields: {text: string}}
              Band: {table: bands, primary_key: id, fields: {id: int}}
              Tag: {table: tags, primary_key: id, fields: {id: int}}
            streams:
              - {name: bands, entity: Band, path: bands.json}
              - {name: tags, entity: Tag, path: bands.json}
              - {name: concerts, entity: Concert, path: remote.json}
            """)
        try shop.put(#"[{"id":1},{"id":2}]"#, as: "bands.json")
        return shop
    }

    private func put(_ list: [Element], _ shop: Workshop) throws {
        try shop.put("[{\"id\":1,\"songs\":[\(list.map(\.json).joined(separator: ","))]}]")
    }

    /// The list as the tables hold it.
    private func rows(_ shop: Workshop) throws -> [String] {
        func within(_ query: String) throws -> [String: String] {
            var lists: [String: [String]] = [:]
            for row in try shop.values(query) { lists[row[0], default: []].append(row[1]) }
            return lists.mapValues { $0.joined(separator: "+") }
        }
        let tags = try within("SELECT CAST(song_position AS text), CAST(tag_id AS text) FROM song_tags ORDER BY 1, 2")
        let solos = try within("SELECT CAST(song_position AS text), CAST(who AS text) FROM solos ORDER BY 1, 2")
        let notes = try within(
            "SELECT CAST(song_position AS text), coalesce(text, '-') FROM notes ORDER BY song_position, position")
        return try shop.values(
            """
            SELECT CAST(position AS text), title, coalesce(CAST(guest AS text), '-'), coalesce(CAST(rank AS text), '-'),
            coalesce(CAST(band_id AS text), '-') FROM songs ORDER BY 1
            """
        ).map { row in
            let lists = [tags, solos, notes].map { "[\($0[row[0]] ?? "")]" }.joined(separator: " ")
            return "\(row[0])\(row[1]) \(row[2]) \(row[3]) \(row[4]) \(lists)"
        }
    }

    private func texts(_ list: [Element]) -> [String] { list.enumerated().map { $1.text($0) } }

    @Test(arguments: Store.allCases)
    func aListIsWhatTheSourceSaysOfItNow(_ store: Store) throws {
        for seed in Seeds.first(store == .file ? 5 : 1) {
            let shop = try shop(store)
            var random = SeededGenerator(seed: seed)
            var last: [String] = []
            for _ in 0..<5 {
                let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in Element.random(&random) }
                try put(list, shop)
                let before = last
                let (report, _) = try shop.syncPlanned()
                let now = list.contains { $0.cut != nil } ? last : texts(list)
                #expect(try rows(shop) == now, "seed \(seed)")
                #expect(try shop.quietRun().written == [])
                last = now
                guard last != before, !before.isEmpty, Int.random(in: 0..<3, using: &random) == 0 else { continue }
                _ = try shop.undoPlanned(#require(report.run))
                #expect(try rows(shop) == before, "seed \(seed)")
                _ = try shop.syncPlanned()
                #expect(try rows(shop) == now, "seed \(seed)")
            }
        }
    }

    @Test(
        "A list of which an element shows a part of what belongs to it is not taken, since the rest at its place is another one's",
        arguments: Seeds.pairs(["tags", "solos", "notes"], in: Store.allCases))
    func cut(_ cut: String, _ store: Store) throws {
        let shop = try shop(store)
        let one = Element(title: "one", tags: [1], solos: [1], notes: ["n"])
        var two = Element(title: "two", tags: [2], solos: [2], notes: ["m"])
        try put([one, two], shop)
        _ = try shop.syncPlanned()
        two.cut = cut
        try put([two], shop)
        let (report, _) = try shop.syncPlanned()
        #expect(try rows(shop) == texts([one, two]))
        let told = report.problems.filter { $0.code == "more_in_list" }.map(\.message)
        #expect(told.count == 1 && told.allSatisfy { $0.contains("list with `ordered: true`") }, "\(report.problems)")
        #expect(try shop.quietRun().written == [])
        two.cut = nil
        try put([two], shop)
        _ = try shop.syncPlanned()
        #expect(try rows(shop) == texts([two]))
    }

    @Test("The records of an element's own objects are taken, also where its list is not")
    func objects() throws {
        let shop = try Workshop()
        try shop.define(
            "concerts",
            """
            entities:
              Concert:
                table: concerts
                primary_key: id
                fields: {id: int}
                children:
                  songs: {entity: Song, from: "songs[*]", ordered: true}
                  halls: {entity: Hall, from: "halls[*]", ordered: true}
              Song:
                table: songs
                fields: {band: {ref: Band}}
                children: {solos: {entity: Solo, from: "solos[*]", key: [who]}}
              Hall: {table: halls, fields: {name: string}}
              Solo: {table: solos, fields: {who: int}}
              Band: {table: bands, primary_key: id, fields: {id: int, name: string}}
            streams: [{name: concerts, entity: Concert, path: remote.json}]
            """)
        let song = #"{"band":{"id":1,"name":"B"},"solos":[{"who":1}],"solos@odata.nextLink":"/rest"}"#
        _ = try shop.syncPlanned(#"[{"id":1,"songs":[\#(song)],"halls":[{"name":"H"}]},{"id":2,"songs":[{}]}]"#)
        #expect(try shop.rows("SELECT concert_id, position FROM songs") == ["2|0"])
        #expect(try shop.rows("SELECT name FROM bands UNION SELECT name FROM halls") == ["'B'", "'H'"])
        #expect(try shop.rows("SELECT count(*) FROM solos") == ["0"])
    }

    @Test("A decision for the source takes its list whole", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func resolve(_ store: Store) throws {
        let shop = try shop(store)
        let one = Element(title: "one", solos: [1])
        let two = Element(title: "two", guest: 2, band: 1, tags: [1], solos: [2])
        try put([one, two], shop)
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE songs SET title = 'hand' WHERE position = 0")
        try put([two, one], shop)
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["1"])
        do {
            let opened = try shop.open(.settling)
            try opened.begin()
            var decisions = try opened.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
            try ConflictResolver(store: opened).carryOut(&decisions, who: "ada")
            try opened.commit()
        }
        _ = try shop.syncPlanned()
        #expect(try rows(shop) == texts([two, one]))
        #expect(try shop.quietRun().written == [])
    }

    @Test(
        "A list that a policy takes has the defaults of its elements, and nothing of what stood at their places",
        arguments: Seeds.pairs(
            ["DELETE FROM songs WHERE position = 0", "UPDATE songs SET rank = 99 WHERE position = 0"],
            in: Store.allCases))
    func defaults(_ edit: String, _ store: Store) throws {
        let shop = try shop(store, policy: "remote_wins")
        let (one, two) = (Element(title: "one", guest: 5), Element(title: "two"))
        try put([one, two], shop)
        _ = try shop.syncPlanned()
        try shop.sql(edit)
        try put([two, one], shop)
        _ = try shop.syncPlanned()
        #expect(try rows(shop) == texts([two, one]))
    }

    @Test("An edit of what an element leaves out stays as long as the source says the same list")
    func edit() throws {
        let shop = try shop(.file)
        try put([Element(title: "one"), Element(title: "two", guest: 2)], shop)
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE songs SET guest = 5 WHERE position = 0")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT guest FROM songs WHERE position = 0") == ["5"])
        #expect(try shop.rows("SELECT count(*) FROM _sluice_conflicts") == ["0"])
    }
}
