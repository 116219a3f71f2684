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
