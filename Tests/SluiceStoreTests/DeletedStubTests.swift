import SluiceModel
import SluicePostgres
import SluiceStore
import Testing

@testable import SluicePostgresStore

/// Rows that runs made for records that are referred to, and that people deleted.
@Suite("Deleted rows that stood for records to come")
struct DeletedStubTests: ReferenceSuite {
    /// How many round trips it takes to settle references to so many of them.
    private func roundTrips(_ count: Int) throws -> Int {
        let place = try PostgresPlace()
        let store = try place.store()
        let schema = Self.books(.stub)
        func settle(_ run: Int64) throws -> Int {
            try store.begin()
            store.startRecording(run: run, naming: StoreScene.name)
            for schema in [Self.people, schema] { _ = try store.prepareTable(schema) }
            _ = try store.openTable(Self.people)
            let books = try store.openTable(schema).table
            let rows = (1...count).map {
                [.integer(run * 1_000 + Int64($0)), .text("t"), FieldValue.integer(Int64($0))]
            }
            try books.insert(schema.batch(rows), records: Array(0..<count), run: run)
            let before = store.roundTrips
            _ = try store.settleReferences()
            let trips = store.roundTrips - before
            try store.commit()
            return trips
        }
        _ = try settle(1)
        #expect(try place.rows(of: "people", ["id"]).count == count)
        try place.connect().execute(
            "UPDATE \(place.table("books")) SET author = NULL; DELETE FROM \(place.table("people"))")
        let trips = try settle(2)
        #expect(try place.rows(of: "people", ["id"]).isEmpty)
        return trips
    }

    @Test("are asked for together")
    func together() throws {
        let few = try roundTrips(3)
        #expect(try roundTrips(60) == few)
    }
}
