import Testing

/// A name that the store does not know is a mistake: nothing is listed, decided or written for it.
@Suite struct ChosenNamesTests {
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":2}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        try shop.write(#"[{"id":1,"title":"Uno"},{"id":2}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    @Test(arguments: [
        (["edits", "--entity", "Bok"], "entity `Bok`. Did you mean `Book`? It has `Book`."),
        (["edits", "--pipeline", "shpo"], "pipeline `shpo`. Did you mean `shop`? It has `shop`."),
        (["edits", "--entity", "Author", "--format", "json"], "entity `Author`. It has `Book`."),
        (["history", "--pipeline", "other"], "pipeline `other`. It has `shop`."),
        (["inspect", "record", "Book", "1", "--pipeline", "other"], "pipeline `other`. It has `shop`."),
        (["inspect", "record", "Bok", "1"], "entity `Bok`. Did you mean `Book`? It has `Book`."),
        (["conflicts", "list", "--entity", "Bok"], "entity `Bok`. Did you mean `Book`? It has `Book`."),
        (["conflicts", "list", "--field", "titel"], "field `titel`. Did you mean `title`? It has"),
        (["conflicts", "export", "--entity", "Bok"], "entity `Bok`. Did you mean `Book`? It has `Book`."),
        (["conflicts", "resolve", "--take", "local", "--entity", "Bok"], "entity `Bok`. Did you mean `Book`?"),
        (["conflicts", "resolve", "--take", "local", "--field", "titel"], "field `titel`. Did you mean `title`?"),
        (["quarantine", "list", "--stream", "boks"], "stream `boks`. Did you mean `books`? It has `books`."),
        (["quarantine", "list", "--entity", "Bok"], "entity `Bok`. Did you mean `Book`? It has `Book`."),
    ])
    func itIsAnErrorThatNamesWhatThereIs(command: [String], words: String) throws {
        let shop = try shop()
        let outcome = shop.sluice(command)
        #expect(outcome.code == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("The store `\(shop.store)` has no \(words)"), "\(outcome.errors)")
    }

    @Test func listsChooseAsDecisionsDo() throws {
        let shop = try shop()
        func list(_ words: String...) -> String { shop.sluice(["conflicts", "list"] + words).output }
        #expect(list("--entity", "Book").hasPrefix("1  Book 1"))
        #expect(list("--field", "title", "--kind", "edit_edit").hasPrefix("1  Book 1"))
        #expect(list("--kind", "delete_edit") == "No open conflicts of the kind `delete_edit`.\n")
        #expect(list("--kind", "unique_collision").hasPrefix("No open conflicts"))
        #expect(list("--kind", "disagreement").hasPrefix("No open conflicts"))
        #expect(list("--field", "price", "--format", "json").contains(#""conflicts":[]"#))
        func refused(_ words: String...) -> String { shop.sluice(["quarantine", "list"] + words).output }
        #expect(refused("--stream", "books", "--reason", "missing_value").hasPrefix("1  Book 2"))
        #expect(refused("--reason", "constraint") == "No such record is in quarantine.\n")
    }
}
