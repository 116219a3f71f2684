import Foundation
import TestSupport
import Testing

/// Two pipelines over one column of which one is redacted: what the store keeps of the other one stays in clear.
@Suite struct SharedRedactionTests {
    private static let secrets = ["SECRETA-111111", "SECRETA-222222", "SECRETB-333333", "SECRETB-444444"]
    /// Where the pipelines say what becomes of the column.
    private static let (redactedPlace, clearPlace) = ("12:36", "12:7")

    private static func pipeline(_ name: String, _ redaction: String?, store: String = "shop.db") -> String {
        """
        version: 1
        name: \(name)
        store: sqlite:\(store)
        source: {base_url: "file:."}
        entities:
          Person:
            table: people
            primary_key: [id]
            fields:
              id: int
              n: int
              mail: \(redaction.map { "{type: string, redact: \($0)}" } ?? "string")
        streams: [{name: people, entity: Person, path: \(name).json}]
        """
    }

    private func write(_ scene: Scene, a: String?, b: String?) throws {
        try scene.write("a.yaml", Self.pipeline("a", a))
        try scene.write("b.yaml", Self.pipeline("b", b))
    }

    private func records(_ mails: [String], _ more: String = "") -> String {
        "[" + mails.enumerated().map { #"{"id":\#($0 + 1),"n":1,"mail":"\#($1)"}"# }.joined(separator: ",") + more + "]"
    }

    /// The clear values that some file of the store holds.
    private func clear(_ scene: Scene) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix("shop.db") }
        let bytes = try files.map { try Data(contentsOf: URL(filePath: scene.folder.file($0))) }
        return Self.secrets.filter { secret in bytes.contains { $0.range(of: Data(secret.utf8)) != nil } }
    }

    private func run(_ scene: Scene, _ code: Int32, _ arguments: String...) throws -> String {
        let result = try Program.start(arguments + ["--format", "json"], in: scene.path).wait()
        #expect(result.code == code, "\(arguments): \(result.output)\(result.errors)")
        return result.output
    }

    @Test(arguments: [["a.yaml", "b.yaml"], ["."]])
    func filesThatAreCheckedTogetherMustAgree(_ paths: [String]) throws {
        let scene = try TemporaryDirectory()
        func check(_ a: String, _ b: String) throws -> Program.Result {
            try Data(a.utf8).write(to: URL(filePath: scene.file("a.yaml")))
            try Data(b.utf8).write(to: URL(filePath: scene.file("b.yaml")))
            return try Program.start(["validate"] + paths, in: scene.path).wait()
        }
        let one = try check(Self.pipeline("a", "drop"), Self.pipeline("b", nil))
        #expect(one.code == 78, "\(one.output)")
        for words in [
            "b.yaml:\(Self.clearPlace)", "a.yaml:\(Self.redactedPlace)",
            "`a` fills `mail` of `people` too: the column has `redact: drop` there and is kept in clear here",
        ] { #expect(one.output.contains(words), "\(one.output)") }
        let two = try check(Self.pipeline("a", "drop"), Self.pipeline("b", "mask"))
        #expect(two.code == 78 && two.output.contains("`redact: mask` here"), "\(two.output)")
        for (a, b) in [
            (Self.pipeline("a", "drop"), Self.pipeline("b", "drop")),
            (Self.pipeline("a", "drop"), Self.pipeline("b", nil, store: "other.db")),
        ] {
            let result = try check(a, b)
            #expect(result.code == 0, "\(result.output)")
        }
    }

    /// Entities of one file share their table as pipelines do.
    @Test func entitiesOfOneTableMustAgree() throws {
        let scene = try Scene()
        try scene.write(
            "a.yaml",
            """
            version: 1
            name: a
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: [one, two]}
            entities:
              One: {table: people, primary_key: [id], fields: {id: int, mail: {type: string, redact: hash}}}
              Two: {table: people, primary_key: [id], fields: {id: int, mail: string}}
            streams:
              - {name: one, entity: One, path: one.json}
              - {name: two, entity: Two, path: two.json}
            """)
        let result = try Program.run("validate", "a.yaml", in: scene.path)
        #expect(
            result.code == 78
                && result.output.contains("`mail` has `redact: hash` in one and is kept in clear in the other"),
            "\(result.output)")
    }

    @Test(arguments: ["drop", "hash", "mask"])
    func theOtherPipelineIsToldOfAndItsNextRunEndsIt(_ redaction: String) throws {
        let scene = try Scene()
        let broken = #",{"id":9,"n":{},"mail":"\#(Self.secrets[2])"}"#
        try write(scene, a: nil, b: nil)
        try scene.write("a.json", records([Self.secrets[0], Self.secrets[1]]))
        try scene.write("b.json", records([Self.secrets[0], Self.secrets[1]], broken))
        _ = try run(scene, 0, "run", "a.yaml")
        _ = try run(scene, 0, "run", "b.yaml")
        try scene.execute("UPDATE people SET mail = 'mine' WHERE id = 2")
        try scene.write("b.json", records([Self.secrets[0], Self.secrets[3]], broken))
        _ = try run(scene, 0, "run", "b.yaml")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["1"])
        #expect(try clear(scene) == Self.secrets)

        try write(scene, a: redaction, b: nil)
        let words = [
            "redaction_differs", "The pipeline `b` fills `mail` of `people` too",
            "`b` the same `redact: \(redaction)`, and run `b`",
        ]
        for (code, arguments) in [
            (Int32(0), ["plan", "a.yaml"]), (0, ["run", "a.yaml"]), (3, ["run", "a.yaml", "--strict"]),
        ] {
            let result = try Program.start(arguments + ["--format", "json"], in: scene.path).wait()
            #expect(result.code == code, "\(result.output)\(result.errors)")
            for word in words { #expect(result.output.contains(word), "\(result.output)") }
        }
        #expect(try clear(scene) == Self.secrets)
        let here = try run(scene, 0, "plan", "b.yaml")
        #expect(here.contains("The pipeline `a` fills `mail` of `people` too"), "\(here)")

        try write(scene, a: redaction, b: redaction)
        let ended = try run(scene, 0, "run", "b.yaml")
        #expect(!ended.contains("redaction_differs"), "\(ended)")
        #expect(try clear(scene) == [])
        #expect(!(try run(scene, 0, "run", "a.yaml", "--strict").contains("redaction_differs")))
        #expect(try scene.query("SELECT mail FROM people WHERE id = 2") == ["mine"])
        // A row that the run of the other pipeline redacted holds nothing that people wrote.
        #expect(ended.contains(#""edited_rows":1"#), "\(ended)")
    }

    /// Whoever switches it on in both files runs one after the other.
    @Test func pipelinesOfOneInvocationThatAgreeAreNotTold() throws {
        let scene = try Scene()
        for name in ["a.json", "b.json"] { try scene.write(name, records(Self.secrets)) }
        for redaction in [nil, "mask"] {
            try write(scene, a: redaction, b: redaction)
            let output = try run(scene, 0, "run", "a.yaml", "b.yaml", "--strict")
            #expect(!output.contains("redaction_differs"), "\(output)")
        }
        #expect(try clear(scene) == [])
        #expect(try scene.query("SELECT mail FROM people WHERE id = 1") == ["***1111"])
    }
}
