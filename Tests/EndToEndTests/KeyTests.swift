import Foundation
import Testing

/// What identifies a record.
@Suite struct KeyTests {
    @Test func aMembersNameIsItsKeyWhateverTheMemberSays() throws {
        let scene = try Scene(
            document: #"{"1.0": {"ver": "x", "n": 1}, "2.0": {"ver": "x", "n": 2}}"#, fields: "ver: string, n: int",
            key: "ver",
            stream: "entries: ver")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT ver, n FROM books ORDER BY n") == ["1.0|1", "2.0|2"])
    }

    @Test func aDecimalKeyIsOneHoweverItIsSpelt() throws {
        let scene = try Scene(
            document: #"[{"id": "1.0", "n": 1}, {"id": 2.50, "n": 2}]"#, fields: "id: decimal, n: int", key: "id")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.json", #"[{"id": 1, "n": 1}, {"id": "25e-1", "n": 2}]"#)
        let again = try Program.run("run", "books.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed"), "\(again.output)\(again.errors)")
        #expect(try scene.query("SELECT id, n FROM books ORDER BY n") == ["1|1", "2.5|2"])
    }
}
