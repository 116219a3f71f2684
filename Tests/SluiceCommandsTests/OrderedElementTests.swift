import Testing

/// What stood at a position before is another element, so an element has nothing of it.
@Suite struct OrderedElementTests {
    /// How the source says that the second song alone has a guest, then with the songs in another order.
    typealias Case = (song: String, first: String, second: String, rows: [[String]])

    static let cases: [Case] = [
        // A key that is absent.
        (
            "title: string, guest: string", #"{"title":"One"},{"title":"Two","guest":"Ann"}"#,
            #"{"title":"Two","guest":"Ann"},{"title":"One"}"#, [["Two", "Ann"], ["One", "-"]]
        ),
        // A null that keeps what is there, which is nothing of the element.
        (
            "title: string, guest: {type: string, on_null: keep}",
            #"{"title":"One","guest":null},{"title":"Two","guest":"Ann"}"#,
            #"{"title":"Two","guest":"Ann"},{"title":"One","guest":null}"#, [["Two", "Ann"], ["One", "-"]]
        ),
        // A default stands for what is absent.
        (
            "title: string, guest: {type: string, default: none}", #"{"title":"One"},{"title":"Two","guest":"Ann"}"#,
            #"{"title":"Two","guest":"Ann"},{"title":"One"}"#, [["Two", "Ann"], ["One", "none"]]
        ),
        // What is of another type is as good as absent.
        (
            "title: string, guest: {type: string, on_type_mismatch: keep}",
            #"{"title":"One","guest":{}},{"title":"Two","guest":"Ann"}"#,
            #"{"title":"Two","guest":"Ann"},{"title":"One","guest":{}}"#, [["Two", "Ann"], ["One", "-"]]
        ),
    ]

    private func shop(_ entities: String, _ children: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Concert:
                table: concerts
                primary_key: [id]
                fields: {id: int}
                children: {songs: {entity: Song, from: "songs[*]", \(children)}}
              \(entities)
            streams:
              - {name: concerts, entity: Concert, path: books.json}
            """, to: "shop.yaml")
        return shop
    }

    private func run(_ shop: Workshop, _ songs: String) throws {
        try shop.write(#"[{"id":1,"songs":[\#(songs)]}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    @Test(arguments: cases) func anElementHasNothingOfTheOneBefore(_ story: Case) throws {
        let shop = try shop("Song: {table: songs, fields: {\(story.song)}}", "ordered: true")
        try run(shop, story.first)
        try run(shop, story.second)
        #expect(try shop.rows("SELECT title, coalesce(guest, '-') FROM songs ORDER BY position") == story.rows)
        #expect(shop.sluice("edits").output.contains("Nothing was changed here"))
    }

    /// A decision for the source's list writes all of its elements.
    @Test func theListOfTheSourceIsTakenWhole() throws {
        let shop = try shop("Song: {table: songs, fields: {title: string, guest: string}}", "ordered: true")
        try run(shop, #"{"title":"One"},{"title":"Two","guest":"Ann"}"#)
        try shop.sql("UPDATE songs SET guest = 'mine' WHERE title = 'Two'")
        try run(shop, #"{"title":"Two","guest":"Ann"},{"title":"One"}"#)
        let decided = shop.sluice("conflicts", "resolve", "1", "--take", "remote")
        #expect(decided.code == 0, "\(decided.output)\(decided.errors)")
        let rows = try shop.rows("SELECT title, coalesce(guest, '-') FROM songs ORDER BY position")
        #expect(rows == [["Two", "Ann"], ["One", "-"]])
    }

    /// What stands within an element belongs to it, and so do the values of records within it that have keys of their own.
    @Test func whatStandsWithinAnElementGoesWithIt() throws {
        let shop = try shop(
            """
            Song: {table: songs, fields: {title: string}, children: {solos: {entity: Solo, from: "solos[*]", key: [who]}}}
              Solo: {table: solos, fields: {who: string, bars: int}}
            """, "ordered: true")
        let plain = #"{"title":"One"}"#
        try run(shop, #"\#(plain),{"title":"Two","solos":[{"who":"Ann","bars":8}]}"#)
        try run(shop, #"{"title":"Two","solos":[{"who":"Ann"}]},\#(plain)"#)
        let rows = try shop.rows(
            "SELECT s.title, l.who, coalesce(l.bars, '-') FROM solos l JOIN songs s ON s.position = l.song_position")
        #expect(rows == [["Two", "Ann", "-"]])
    }

    /// Records with a key of their own stay who they are, so what the source leaves out of them says nothing.
    @Test func aKeyedRecordKeepsWhatIsLeftOut() throws {
        let shop = try shop("Song: {table: songs, fields: {title: string, guest: string}}", "key: [title]")
        try run(shop, #"{"title":"One"},{"title":"Two","guest":"Ann"}"#)
        try run(shop, #"{"title":"Two"},{"title":"One"}"#)
        let rows = try shop.rows("SELECT title, coalesce(guest, '-') FROM songs ORDER BY title")
        #expect(rows == [["One", "-"], ["Two", "Ann"]])
    }
}
