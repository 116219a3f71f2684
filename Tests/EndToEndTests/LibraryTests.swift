import Foundation
import Sluice
import TestSupport
import Testing

@PersistentModel(entity: "Book", table: "books")
struct PipelineBook {
    let id: Int
    var title: String?
    var price: Decimal?
    var origin = Origin()
}

/// A Swift program and a pipeline fill one table.
@Suite struct LibraryTests {
    private func json(_ price: Int) -> String {
        "[" + (1...3).map { #"{"id":\#($0),"title":"T\#($0)","price":"\#(price).50"}"# }.joined(separator: ",") + "]"
    }

    private func run(_ scene: Scene, _ price: Int) throws {
        try scene.write("books.json", json(price))
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    @Test func theyShareBaseAndHistory() async throws {
        let scene = try Scene()
        try run(scene, 1)
        let store = try Store(scene.store, models: PipelineBook.self)
        #expect(store.schemaChanges.isEmpty)
        var mine = try await store.find(PipelineBook.self, 1)
        try run(scene, 2)
        // Read before the run, saved behind it: its price stands.
        mine.title = "ours"
        try await store.save(&mine)
        let saved = try await store.find(PipelineBook.self, 1)
        #expect(saved.title == "ours" && saved.price == Decimal(string: "2.5"))
        var all = try await store.fetch(PipelineBook.all)
        try await store.save(&all)
        // The program's sync goes on where the run ended, and the run where the sync did.
        let source = Source(pipeline: "books", stream: "books")
        let sync = try await store.sync(PipelineBook.self, from: json(2), .init(source: source))
        #expect(sync.summary == SyncSummary(unchanged: 3))
        try await store.sync(PipelineBook.self, from: json(3), .init(source: source))
        try run(scene, 3)
        let history = try await store.history()
        #expect(history.map(\.pipeline) == ["books", "books", "books", "books", "books"])
        #expect(history[0].summary == SyncSummary(unchanged: 3) && history[1].summary == SyncSummary(update: 3))
        #expect(try await store.find(PipelineBook.self, 1).title == "ours")
    }

    @Test(.timeLimit(.minutes(2))) func aProgramSeesARun() async throws {
        let scene = try Scene()
        try run(scene, 1)
        let store = try Store(scene.store, models: PipelineBook.self)
        var seen = store.values(PipelineBook.order(by: \.id)).makeAsyncIterator()
        #expect(try await seen.next()?.first?.price == Decimal(string: "1.5"))
        try run(scene, 2)
        #expect(try await seen.next()?.map(\.price) == Array(repeating: Decimal(string: "2.5"), count: 3))
    }
}
