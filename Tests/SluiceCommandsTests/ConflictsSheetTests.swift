import SluiceSQLite
import SluiceSystem
import Testing

@Suite struct ConflictsSheetTests {
    /// A shop whose conflicts are exported to a file, as a table of cells.
    private func export(_ dispute: Dispute) throws -> String {
        let outcome = dispute.shop.sluice("conflicts", "export", "--output", "\(dispute.shop.folder)/c.csv")
        #expect(outcome.code == 0 && outcome.output.isEmpty)
        return try dispute.shop.read("c.csv")
    }

    private func `import`(_ text: String, _ dispute: Dispute, _ extra: String...) throws -> Workshop.Outcome {
        try dispute.shop.write(text, to: "d.csv")
        return dispute.shop.run(
            ["conflicts", "import", "\(dispute.shop.folder)/d.csv", "--store", "sqlite:\(dispute.shop.store)"] + extra)
    }

    @Test func theFileIsAsSpreadsheetsReadIt() throws {
        let dispute = try Dispute()
        let lines = try export(dispute).split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "id,pipeline,stream,entity,key,field,kind,base,local,remote,take,value")
        #expect(lines.last == "" && lines.count == 9)
        let (title, seen, gone) = try (dispute.id(1, "title"), dispute.id(1, "seen"), dispute.id(3))
        #expect(lines.contains("\(title),shop,books,Book,\"{\"\"id\"\":1}\",title,edit_edit,One,Eins,Uno,,"))
        #expect(lines.contains("\(seen),shop,books,Book,\"{\"\"id\"\":1}\",seen,edit_clear,true,false,null,,"))
        #expect(
            lines.contains { $0.hasPrefix("\(gone),shop,books,Book,\"{\"\"id\"\":3}\",,edit_delete,\"{\"\"id\"\":3,") }
        )
        let some = dispute.shop.sluice("conflicts", "export", "--kind", "edit_edit")
        #expect(some.output.split(separator: "\r\n").count == 3)
    }

    @Test("A sheet with decisions that were not imported is not replaced")
    func decisionsAreKept() throws {
        let dispute = try Dispute()
        let title = try dispute.id(1, "title")
        let decided = try export(dispute).replacing("One,Eins,Uno,,", with: "One,Eins,Uno,local,")
        try dispute.shop.write(decided, to: "c.csv")
        let again = dispute.shop.sluice("conflicts", "export", "--output", "\(dispute.shop.folder)/c.csv")
        #expect(again.code == 1 && again.errors.contains("has decisions on 1 open conflict that were not imported"))
        #expect(try dispute.shop.read("c.csv") == decided)
        #expect(try self.import(decided, dispute).code == 0)
        // What was imported may go.
        #expect(try !export(dispute).contains("\n\(title),"))
        try dispute.shop.write(decided.replacing("\(title),", with: "\(try dispute.id(4, "title")),"), to: "c.csv")
        let forced = dispute.shop.sluice("conflicts", "export", "--force", "-o", "\(dispute.shop.folder)/c.csv")
        #expect(forced.code == 0, "\(forced.errors)")
    }

    @Test("No result replaces a store or a file that the command reads")
    func whatIsReadStays() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        for (words, file, reason) in [
            (["edits", "--store", "sqlite:\(shop.store)"], "shop.db", "is an SQLite database"),
            (["status", "--store", "sqlite:\(shop.store)"], "shop.db", "is an SQLite database"),
            (["plan", shop.pipeline], "shop.db", "is an SQLite database"),
            (["plan", shop.pipeline], "shop.yaml", "is a file that this command reads"),
            (["plan", shop.pipeline, "--html"], "shop.yaml", "is a file that this command reads"),
        ] {
            let before = try FileSystem.contents(of: "\(shop.folder)/\(file)")
            let option = words.last == "--html" ? [] : ["--output"]
            let outcome = shop.run(words + option + ["\(shop.folder)/\(file)"])
            #expect(outcome.code == 64, "\(words) \(outcome.errors)")
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(try FileSystem.contents(of: "\(shop.folder)/\(file)") == before)
        }
    }

    @Test("No result replaces the store that its run makes")
    func whatIsMadeStays() throws {
        let shop = try Dispute().shop
        let path = "\(shop.folder)/new.db"
        let outcome = shop.run(["run", shop.pipeline, "--store", "sqlite:\(path)", "--output", path])
        #expect(outcome.code == 1 && outcome.errors.contains("replace the database"), "\(outcome.errors)")
        #expect(try FileSystem.contents(of: path).starts(with: Array("SQLite format 3".utf8)))
    }

    @Test func decisionsAreCarriedOut() throws {
        let dispute = try Dispute()
        let (title, seen, gone) = try (dispute.id(1, "title"), dispute.id(1, "seen"), dispute.id(3))
        let text = try export(dispute)
            .replacing("One,Eins,Uno,,", with: "One,Eins,Uno,,\"a, \"\"b\"\"\nc\"")
            .replacing("true,false,null,,", with: "TRUE,FALSE,null,,TRUE").replacing(
                "Four,null,Quattro,,", with: "Four,null,Quattro, Base ,")
        let outcome = try self.import(text, dispute, "--note", "from a sheet")
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\n3 resolved.\n4 rows decide nothing.\n"))
        #expect(try dispute.shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("a, \"b\"\nc"))
        #expect(try dispute.shop.value("SELECT seen FROM books WHERE id = 1") == .integer(1))
        #expect(try dispute.shop.value("SELECT title FROM books WHERE id = 4") == SQLiteValue("Four"))
        let kept = "SELECT count(*) FROM _sluice_conflicts WHERE who = 'ada' AND note = 'from a sheet'"
        #expect(try dispute.shop.value(kept) == .integer(3))

        let same = try self.import("id,take,value\n\(seen),,true\n", dispute)
        #expect(same.code == 0 && same.output.hasSuffix("\n1 already decided so.\n"), "\(same.output)")
        #expect(try dispute.shop.value(kept) == .integer(3))

        let again = try self.import("take,value,id\nlocal,,\(gone)\nlocal,,\(title)\n,x,\(seen)\n", dispute)
        #expect(again.code == 1)
        #expect(again.output.contains("line 2: \(gone)  Book 3  resolved: the row stays"))
        #expect(again.output.contains("It was resolved in run "))
    }

    @Test(arguments: [("\u{FEFF}", ";", "\r\n"), ("", "\t", "\n"), ("", ",", "\r")])
    func whatSpreadsheetsMakeOfItIsRead(_ mark: String, _ separator: String, _ end: String) throws {
        let dispute = try Dispute()
        let rows = [["ID", "Take", "value"], [try dispute.id(1, "title"), "", "1;2"], [try dispute.id(3), "REMOTE"]]
        let text = rows.map { $0.map { "\"\($0)\"" }.joined(separator: separator) }.joined(separator: end)
        let outcome = try self.import(mark + text, dispute)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(try dispute.shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("1;2"))
        #expect(try dispute.shop.value("SELECT count(*) FROM books WHERE id = 3") == .integer(0))
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "'-1", "-1.5e3", "-1-1", "--1", "-", "-inf", "@x", "\tx", "'=x", "''-x", "'plain", "\"q\"",
        "", "null", " x ", "a\r\nb",
    ])
    func everyTextComesBackAndNoneIsAFormula(_ text: String) throws {
        let dispute = try Dispute()
        let quoted = "'" + text.replacing("'", with: "''") + "'"
        try dispute.shop.sql("UPDATE books SET title = \(quoted) WHERE id = 1")
        _ = dispute.shop.sluice("run", dispute.shop.pipeline)
        let cell = try cell(of: dispute)
        // A negative number is none.
        #expect(Double(cell) != nil || !"=+-@\t".contains(cell.drop { $0 == "\"" }.first ?? "."))
        // What the export shows as local, given as a value, is that value.
        let outcome = try self.import("id,take,value\n\(try dispute.id(1, "title")),,\(cell)\n", dispute)
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(try dispute.shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue(text))
    }

    /// The cell with the local title, as it is written.
    private func cell(of dispute: Dispute) throws -> String {
        let text = try export(dispute)
        let start = try #require(text.ranges(of: "edit_edit,One,").first)
        let rest = text[start.upperBound...]
        let end = try #require(rest.ranges(of: ",Uno,,").first)
        return String(rest[..<end.lowerBound])
    }

    @Test func aConflictThatChangedSinceTheExportStaysOpen() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        let id = try dispute.id(1, "title")
        let exported = try export(dispute).replacing("One,Eins,Uno,,", with: "One,Eins,Uno,remote,")
        try shop.write(Dispute.after.replacing("Uno", with: "Un"), to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        let stale = try self.import(exported, dispute)
        #expect(stale.code == 1)
        #expect(stale.output.contains(": \(id)  refused: Its `remote` is not what the row shows"))
        #expect(try shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("Eins"))

        let other = try self.import("id,key,take,value\n\(id),\"{\"\"id\"\":2}\",remote,\n", dispute)
        #expect(other.output.contains("The row is about another conflict: its `key` is"))
        let cleared = try self.import("id,local,remote,take,value\n\(id),,,remote,\n", dispute)
        #expect(cleared.code == 0)
        #expect(try shop.value("SELECT title FROM books WHERE id = 1") == SQLiteValue("Un"))
    }

    @Test(arguments: [
        ("", ":1: It is empty."), ("id,take\n1,local\n", ":1: There is no column `value`."),
        ("id,take,value\n1,\"local,\n", ":2: The quote that begins a cell here is never closed."),
        ("id,take,value\n1,\"a\"b,\n", ":2: There is text after the closing quote of a cell."),
    ])
    func aFileThatIsNoSheetIsAnError(_ text: String, _ message: String) throws {
        let dispute = try Dispute()
        let outcome = try self.import(text, dispute)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func rowsThatCannotBeUnderstoodAreListed() throws {
        let dispute = try Dispute()
        let id = try dispute.id(1, "title")
        let outcome = try self.import(
            "id,take,value\nx,local,\n99,local,\n\(id),both,\n\(id),local,x\n\(id),local\n\(id),local,\n", dispute,
            "--format", "json")
        #expect(outcome.code == 1)
        #expect(
            outcome.output.hasPrefix(
                #"{"format":"sluice.resolution/1","resolved":1,"reopened":0,"refused":5,"undecided":0,"#))
        #expect(
            outcome.output.contains(
                #"{"id":null,"place":"line 2","outcome":"refused","reason":"Its `id` is no number.""#))
        #expect(outcome.output.contains("It has both a `take` and a `value`"))
        #expect(outcome.output.contains("An earlier row already decides it."))
    }

    @Test func aFileThatIsMissingIsAnError() throws {
        let outcome = try Dispute().shop.sluice("conflicts", "import", "/nowhere/c.csv")
        #expect(outcome.code == 1 && outcome.errors.contains("/nowhere/c.csv"))
    }
}
