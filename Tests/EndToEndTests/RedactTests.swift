import Foundation
import TestSupport
import Testing

/// Values that must not appear in clear, looked for in all that the program writes and prints.
@Suite struct RedactTests {
    private static let secrets = [
        "joe.bloggs@example.com", "4111 1111 1111 1234", "born in Riga", "jane.roe@example.com",
    ]

    private static func scene() throws -> Scene {
        let scene = try Scene(document: "[]")
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Buyer:
                table: buyers
                primary_key: [id]
                fields:
                  id: int
                  mail: {redact: hash}
                  card: {from: payment.card, redact: mask}
                  notes: {type: json, redact: drop}
                  city: string
            streams: [{name: buyers, entity: Buyer, path: books.json}]
            """)
        return scene
    }

    private static func put(_ scene: Scene, mail: String, city: String) throws {
        let buyer =
            #"{"id": 1, "mail": "\#(mail)", "payment": {"card": "\#(secrets[1])"}, "notes": ["\#(secrets[2])"], "city": "\#(city)"}"#
        let broken =
            #"{"id": 2, "mail": "\#(mail)", "payment": {"card": "\#(secrets[1])"}, "notes": "\#(secrets[2])", "city": {}}"#
        try scene.write("books.json", "[\(buyer), \(broken)]")
    }

    @Test func noneOfThemIsStoredOrPrinted() throws {
        let scene = try Self.scene()
        func check(_ arguments: String...) throws {
            let run = try Program.start(arguments, in: scene.path).wait()
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            for secret in Self.secrets {
                #expect(!run.output.contains(secret) && !run.errors.contains(secret), "\(arguments)")
            }
        }
        func checkStore() throws {
            for suffix in ["", "-wal", "-journal"] {
                guard let bytes = FileManager.default.contents(atPath: scene.store + suffix) else { continue }
                for secret in Self.secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
            }
        }
        try check("validate", "books.yaml")
        for (mail, city) in [(Self.secrets[0], "Riga"), (Self.secrets[3], "Oslo")] {
            try Self.put(scene, mail: mail, city: city)
            try check("plan", "books.yaml")
            try check("plan", "books.yaml", "--format", "json")
            try check("run", "books.yaml", "--format", "json")
            try checkStore()
            if city == "Riga" { try scene.execute("UPDATE buyers SET mail = 'edited'") }
        }
        #expect(try scene.query("SELECT card, notes, city FROM buyers") == ["***1234|null|Oslo"])
        let store = "sqlite:shop.db"
        for command in [
            ["conflicts", "list"], ["conflicts", "show", "1"], ["quarantine", "list"], ["quarantine", "show", "1"],
        ] {
            for format in ["text", "json"] where format == "text" || command[1] == "list" {
                let run = try Program.start(command + ["--store", store, "--format", format], in: scene.path).wait()
                #expect(run.code == 0, "\(run.errors)")
                for secret in Self.secrets { #expect(!run.output.contains(secret), "\(command)") }
                // What would be refused is not offered.
                #expect(!run.output.contains("--set"), "\(run.output)")
            }
        }
        // A value that is given would be stored in clear.
        let given = try Program.run(
            "conflicts", "resolve", "1", "--set", "mail=x@example.com", "--store", store, in: scene.path)
        #expect(given.code == 1 && given.output.contains("are redacted"))
        try check("conflicts", "resolve", "1", "--take", "remote", "--store", store)
        #expect(try scene.query("SELECT length(mail) FROM buyers") == ["64"])
        let before = try scene.contents()
        try check("run", "books.yaml")
        #expect(try scene.contents() == before)
        try checkStore()
    }

    /// Everything that a store kept before its fields were redacted: rows, also of records that the source no longer
    /// sends, bases, conflicts that are decided, values that were overwritten, records with and without a key in
    /// quarantine, and pages that are not used any more.
    @Test func whatWasStoredInClearGoesWithTheNextRun() throws {
        let scene = try Self.scene()
        let redacted = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        let clear = redacted.replacingOccurrences(of: "{redact: hash}", with: "string")
            .replacingOccurrences(of: ", redact: mask}", with: "}").replacingOccurrences(
                of: ", redact: drop}", with: "}")
        try scene.write("books.yaml", clear)
        let long = String(repeating: "x", count: 40)
        func put(_ mail: String, ids: ClosedRange<Int>) throws {
            let records = ids.map { id in
                #"{"id": \#(id), "mail": "\#(mail)\#(id % 2 == 0 ? long : "")", "payment": {"card": "\#(Self.secrets[1])"}, "notes": ["\#(Self.secrets[2])"], "city": "Riga"}"#
            }
            let broken = [#"{"id": 99, "mail": "\#(mail)", "city": {}}"#, #"{"mail": "\#(mail)", "id": {}}"#]
            try scene.write("books.json", "[\((records + broken).joined(separator: ","))]")
        }
        func run(_ arguments: String...) throws -> Program.Result {
            let result = try Program.start(arguments, in: scene.path).wait()
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return result
        }
        func holds(_ text: String) -> Bool {
            ["", "-wal", "-journal"].contains { suffix in
                FileManager.default.contents(atPath: scene.store + suffix)?.range(of: Data(text.utf8)) != nil
            }
        }
        try put(Self.secrets[0], ids: 1...600)
        _ = try run("run", "books.yaml")
        try scene.execute("UPDATE buyers SET mail = 'mine' WHERE id = 1; DELETE FROM buyers WHERE id = 2")
        try scene.execute("INSERT INTO buyers (id, mail) VALUES (1000, 'theirs')")
        try put(Self.secrets[3], ids: 1...20)
        _ = try run("run", "books.yaml")
        _ = try run("conflicts", "resolve", "--all", "--take", "local", "--store", "sqlite:shop.db")
        for secret in Self.secrets { #expect(holds(secret)) }
        try scene.write("books.yaml", redacted)
        let plan = try run("plan", "books.yaml")
        #expect(
            plan.output.contains(
                "mail: hash, also of what is stored in clear: rows 598, base 600, conflicts 2, history 44, quarantine 3; left as people wrote it: 2 rows"
            ), "\(plan.output)")
        let counts = try run("plan", "books.yaml", "--format", "json").output
        #expect(
            counts.contains(#""sql":"card: mask","#)
                && counts.contains(
                    #""redacted":{"rows":599,"base":600,"conflicts":1,"history":24,"quarantine":3,"edited_rows":0}"#),
            "\(counts.prefix(3000))")
        #expect(Self.secrets.allSatisfy { holds($0) && !plan.output.contains($0) })
        let done = try run("run", "books.yaml")
        for secret in Self.secrets { #expect(!holds(secret), "\(secret)") }
        // The history says it in the same words, and an undo that it stays.
        let told = done.output.split(separator: "\n").filter { $0.contains("also of what is stored in clear") }
        let history = try run("history", "4", "--store", "sqlite:shop.db").output
        #expect(!told.isEmpty && told.allSatisfy { history.contains($0) }, "\(done.output)\(history)")
        #expect(try run("history", "--store", "sqlite:shop.db").output.contains("; changed tables: buyers"))
        let undone = try run("undo", "4", "--plan", "--store", "sqlite:shop.db").output
        #expect(
            undone.contains(
                "note: What run 4 redacted would stay redacted: `mail` of `buyers`, `card` of `buyers`, `notes` of `buyers`. The values of before are kept nowhere in clear."
            ), "\(undone)")
        #expect(try scene.query("SELECT mail FROM buyers WHERE id = 1") == ["mine"])
        #expect(try scene.query("SELECT count(*) FROM buyers WHERE length(mail) = 64") == ["598"])
        #expect(try scene.query("SELECT count(*) FROM buyers WHERE card = '***1234' AND notes IS NULL") == ["599"])
        let quiet = try run("run", "books.yaml")
        #expect(quiet.output.contains("nothing changed") && !quiet.output.contains("in clear"), "\(quiet.output)")
        // What is taken back comes back as it is kept now.
        _ = try Program.start(["undo", "2", "--store", "sqlite:shop.db"], in: scene.path).wait()
        for secret in Self.secrets { #expect(!holds(secret), "\(secret)") }
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
    }
}
