import Foundation
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
}
