// Identity, life and look-up: values that the store gives identifiers, and a list that shows what changes.
import Checking
import Sluice

@PersistentModel
struct Note {
    @Attribute(.identifier, .generated) var id: Int?
    var text: String
    var origin = Origin()
}

@main enum NotesProgram {
    static func main() async throws {
        let store = try Store.temporary(Note.self)
        var shown = store.values(Note.order(by: \.id)).makeAsyncIterator()
        check(try await shown.next()?.isEmpty == true, "nothing is shown at first")

        var note = Note(text: "hello")
        check(try note.boxed()["text"] == .text("hello"), "a value needs no store")
        try await store.save(&note)
        check(note.id == 1, "the store gives the identifier")
        check(try await shown.next()?.map(\.text) == ["hello"], "what was saved is shown")

        note.text = "bye"
        try await store.save(&note)
        check(try await store.count(Note.all) == 1, "saving again updates")
        check(try await store.plan(of: Note.where { $0.id == 1 }).usesIndex, "a record is looked up by an index")
        let wasDeleted = try await store.delete(&note)
        let wasDeletedAgain = try await store.delete(&note)
        check(wasDeleted && !wasDeletedAgain, "deleting says whether there was one")
    }
}
