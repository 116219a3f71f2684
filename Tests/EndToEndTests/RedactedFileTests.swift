import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// What is redacted later is in no byte of the store's file, whoever else has it open.
@Suite struct RedactedFileTests {
    private static let secrets = ["SECRETA-111111", "SECRETB-222222", "SECRETC-333333", "SECRETD-444444"]

    /// A store with values of two editions in clear, after which the field is redacted.
    private func scene() throws -> Scene {
        let scene = try Scene()
        for redact in ["", ", redact: mask"] {
            try scene.write(
                "shop.yaml",
                """
                version: 1
                name: shop
                store: sqlite:shop.db
                source: {base_url: "file:."}
                entities: {A: {table: a, primary_key: [id], fields: {id: int, x: {type: string\(redact)}}}}
                streams: [{name: a, entity: A, path: a.json}]
                """)
            if !redact.isEmpty { break }
            for first in [0, 2] {
                try scene.write(
                    "a.json", #"[{"id":1,"x":"\#(Self.secrets[first])"},{"id":2,"x":"\#(Self.secrets[first + 1])"}]"#)
                #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
            }
        }
        return scene
    }

    /// The clear values that some file of the store holds.
    private func clear(_ scene: Scene) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix("shop.db") }
        let bytes = try files.map { try Data(contentsOf: URL(filePath: scene.folder.file($0))) }
        return Self.secrets.filter { secret in bytes.contains { $0.range(of: Data(secret.utf8)) != nil } }
    }

    @Test(arguments: ["SELECT * FROM a", "UPDATE a SET x = 'by hand' WHERE id = 2"])
    func anIdleConnectionKeepsNoClearValue(_ before: String) throws {
        let scene = try scene()
        #expect(try clear(scene) == Self.secrets)
        let idle = try Connection(path: scene.store, mode: .existing)
        _ = try idle.rows(before)
        let result = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(result.code == 0 && !result.output.contains("nused pages"), "\(result.output)\(result.errors)")
        #expect(try clear(scene) == [])
        #expect(try idle.integer("SELECT count(*) FROM a") == 2)
    }

    @Test func aReaderIsToldOfAndTheNextRunTriesAgain() throws {
        let scene = try scene()
        let reader = try Connection(path: scene.store, mode: .existing)
        try reader.execute("BEGIN")
        _ = try reader.rows("SELECT * FROM a")
        let told = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(told.code == 0, "\(told.output)\(told.errors)")
        #expect(told.output.contains(#""unused_pages""#) && told.output.contains("Another program is reading"))
        #expect(try !clear(scene).isEmpty)
        try reader.execute("COMMIT")
        let result = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0 && !result.output.contains(#""unused_pages""#), "\(result.output)\(result.errors)")
        #expect(try clear(scene) == [])
    }

    /// Who copies the file alone has all of it.
    @Test func theStoreIsOneFileAlthoughOthersHaveItOpen() throws {
        let scene = try scene()
        let idle = try Connection(path: scene.store, mode: .existing)
        _ = try idle.rows("SELECT * FROM a")
        try scene.write("a.json", #"[{"id":1,"x":"one"},{"id":2,"x":"two"},{"id":3,"x":"three"}]"#)
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try FileManager.default.copyItem(atPath: scene.store, toPath: scene.folder.file("copy.db"))
        let copy = try Connection(path: scene.folder.file("copy.db"), mode: .existing)
        #expect(try copy.integer("SELECT count(*) FROM a") == 3)
        withExtendedLifetime(idle) {}
    }
}
