import Foundation
import Sluice
import Testing

@PersistentModel(unboxing: .custom) private struct Amount {
    let id: Int
    let cents: Int
}

extension Amount {
    init(unboxing row: borrowing Row<Amount>) throws(UnboxError) {
        id = try row[\.id]
        cents = try row[\.cents]
        if cents < 0 { throw UnboxError("an amount is not negative") }
    }
}

struct ValueTests {
    @Test func readsByAnInitialiserInAnExtension() async throws {
        let store = try Store.temporary(Amount.self)
        var amounts = [Amount(id: 1, cents: 5), Amount(id: 2, cents: -5)]
        try await store.save(&amounts)
        #expect(try await store.find(Amount.self, 1).cents == 5)
        await #expect { try await store.find(Amount.self, 2) } throws: { error in
            let error = error as? SluiceError
            return error?.code == .unbox && error?.entity == "Amount" && error?.identifier == "2"
        }
    }

    private let dune = Book(
        id: 1, title: "Dune", pageCount: 612, kind: .novel, price: Decimal(string: "12.50"),
        settings: Settings(retries: 3), color: Color(red: 1, green: 2, blue: 3))

    @Test func theMacroWritesAnInitialiserBesideTheCompilers() async throws {
        // The written one, which other modules call, takes the properties as they are declared.
        #expect(Bunch(id: 1, tags: [], weight: 2, MemberwiseInitializer()).weight == 2)
        let parcel = Parcel(id: 1, note: "a")
        #expect(parcel == Parcel(id: 1, weight: 1, note: "a", tags: []))
        let store = try Store.temporary(Parcel.self, Crate.self)
        var crate = Crate(id: 2, parcel: 1)
        try await store.save(&crate)
        #expect(try await store.find(Crate.self, 2).parcel == 1)
    }

    @Test func putsValuesInAndOut() async throws {
        let store = try Store.temporary(Book.self)
        var book = dune
        try await store.save(&book)
        #expect(try await store.find(Book.self, 1) == dune)
        let row = try await store.rows("SELECT kind, settings, color, price, page_count FROM books").first
        #expect(row?.texts == ["novel", #"{"retries":3}"#, "66051", "12.5", "612"])
        var empty = Book(id: 2, title: "", pageCount: nil, kind: .essay, price: nil, settings: nil, color: nil)
        try await store.save(&empty)
        #expect(try await store.find(Book.self, 2) == empty)
    }

    @Test func boxesWithoutAStore() throws {
        let note = Note(text: "hello")
        #expect(try note.boxed()["text"] == .text("hello"))
        #expect(try note.boxed()["id"] == .null)
    }

    /// What others wrote into a column, and what reading says of it; nothing traps.
    @Test(arguments: [
        ("kind = 'poem'", "kind"), ("color = -1", "color"), ("settings = '{'", "settings"),
        ("settings = '{\"retries\":\"x\"}'", "settings"), ("price = 'dear'", "price"),
        ("price = '1.00000000000000000000000000000000000000000001'", "price"),
    ])
    func saysWhatCannotBeRead(assignment: String, field: String) async throws {
        let store = try Store.temporary(Book.self)
        var book = dune
        try await store.save(&book)
        try await store.write { try $0.execute(SQL(unchecked: "UPDATE books SET \(assignment)")) }
        let error = await #expect(throws: SluiceError.self) { try await store.find(Book.self, 1) }
        #expect(error?.code == .unbox && error?.entity == "Book" && error?.identifier == "1")
        #expect(error?.field == field)
    }

    @Test func refusesWhatNoColumnHolds() async throws {
        #expect(throws: BoxError.self) { try BoxedValue(UInt64.max) }
        #expect(throws: BoxError.self) { try BoxedValue(Double.nan) }
        let store = try Store.temporary(Issue.self)
        var issue = Issue(repo: "a", number: 1, code: "x", at: Date(timeIntervalSince1970: 1e15))
        let error = await #expect(throws: SluiceError.self) { try await store.save(&issue) }
        #expect(error?.code == .box && error?.field == "at")
    }

    /// The largest and the smallest of each type come back as they went, and what is larger is no value of it.
    @Test func keepsAllWidths() async throws {
        let store = try Store.temporary(Widths.self)
        var all = [
            Widths(
                id: 1, a: .max, b: .max, c: .max, d: .max, e: .max, f: .max, g: .max, h: UInt64(Int64.max),
                single: .greatestFiniteMagnitude, page: URL(string: "https://example.org/a?b=ä"),
                day: Day(year: 2024, month: 2, day: 29), bytes: [0, 255], data: Data([1, 0]), json: JSONText("[1,null]")
            ),
            Widths(
                id: 2, a: .min, b: .min, c: .min, d: .min, e: .min, f: .min, g: .min, h: .min, single: -0.5, page: nil,
                day: nil, bytes: [], data: nil, json: nil),
        ]
        try await store.save(&all)
        #expect(try await store.fetch(Widths.all) == all)
        let strange = [
            ("a", "128"), ("b", "-32769"), ("b", "70000"), ("c", "2147483648"), ("e", "-1"), ("e", "256"),
            ("f", "65536"), ("g", "4294967296"), ("h", "-1"),
        ]
        for (column, value) in strange {
            try await store.write { tx in
                try tx.execute(
                    SQL(unchecked: "UPDATE widths SET a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0"))
                try tx.execute(SQL(unchecked: "UPDATE widths SET \(column) = \(value)"))
            }
            let error = await #expect(throws: SluiceError.self) { try await store.find(Widths.self, 1) }
            #expect(error?.code == .unbox && error?.field == column, "\(column) = \(value)")
        }
    }

    /// Each time that a program makes comes back as it was: those between the steps of a count from 1970 as well.
    @Test func keepsEachTime() async throws {
        let now = Date().timeIntervalSinceReferenceDate
        var times: [Date] = []
        for step in 0..<500 {
            let time = now + Double(step) * 0.001_234_5
            times += [time, time.nextUp].map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        let store = try Store.temporary(Issue.self)
        try await store.upsert(
            times.enumerated().map { Issue(repo: "a", number: $0, code: "\($0)", at: $1, token: UUID()) })
        #expect(try await store.fetch(Issue.order(by: \.number)).map(\.at) == times)
        #expect(try await store.count(Issue.where { $0.at == times[7] }) == 1)
        let longest = "2026-01-31T12:00:00.123456789Z".count
        #expect(try await store.rows("SELECT at FROM \(Issue.self) WHERE length(at) > \(longest)").isEmpty)
    }

    /// JSON is coded as the value that it is, by whatever coder.
    @Test(arguments: [
        (#"{"b": [1, 2.50, -3e2], "a": {"x": null, "y": true}}"#, #"{"a":{"x":null,"y":true},"b":[1,2.5,-300]}"#),
        ("[]", "[]"), ("{}", "{}"), ("null", "null"), (#""a \"text\"""#, #""a \"text\"""#), ("false", "false"),
        ("9223372036854775807", "9223372036854775807"), ("18446744073709551615", "18446744073709551615"),
        ("0.1", "0.1"), ("12345678901234567890.123", "12345678901234567890.123"), (" 7 ", "7"),
    ]) func codesJSON(_ text: String, _ again: String) throws {
        struct Box: Codable { let json: JSONText }
        let box = Box(json: try #require(JSONText(text)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(box)
        #expect(String(decoding: data, as: UTF8.self) == "{\"json\":\(again)}")
        #expect(try JSONDecoder().decode(Box.self, from: data).json.text == again)
    }

    /// Times are written with the digits that they have, and read back as they were.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1.5, "1970-01-01T00:00:01.5Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
        (1_700_000_000.123, "2023-11-14T22:13:20.123Z"), (1_700_000_000, "2023-11-14T22:13:20Z"),
    ])
    func writesTimes(interval: Double, text: String) async throws {
        let date = Date(timeIntervalSince1970: interval)
        #expect(try BoxedValue(date) == .text(text))
        let store = try Store.temporary(Issue.self)
        var issue = Issue(repo: "a", number: 1, code: "x", at: date, token: UUID())
        try await store.save(&issue)
        #expect(try await store.find(Issue.self, Issue.Identifier(repo: "a", number: 1)) == issue)
    }
}

@PersistentModel private struct Widths: Equatable {
    let id: Int
    var a: Int8
    var b: Int16
    var c: Int32
    var d: Int64
    var e: UInt8
    var f: UInt16
    var g: UInt32
    var h: UInt64
    var single: Float
    var page: URL?
    var day: Day?
    var bytes: [UInt8]
    var data: Data?
    var json: JSONText?
}
