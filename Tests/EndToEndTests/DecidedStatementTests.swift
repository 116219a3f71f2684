import TestSupport
import Testing

/// An edited row whose deletion the source states stays once that was decided, until the source states something else.
@Suite struct DecidedStatementTests {
    private func write(_ fields: String, in scene: TableScene) throws {
        try scene.write(
            "rooms.yaml",
            """
            version: 1
            name: rooms
            source: {base_url: "file:."}
            entities:
              Room: {table: rooms, primary_key: [id], fields: {id: int, \(fields)}}
            streams:
              - {name: rooms, entity: Room, path: rooms.json}
              - {name: deletions, entity: Room, path: deletions.json, deleted_when: "true"}
            merge: {precedence: [rooms, deletions]}
            """)
    }

    @Test(
        arguments: Seeds.pairs(
            in: TableScene.Kind.allCases,
            [
                "floor: double, name: string", "floor: string, name: string", "floor: int, name: json",
                "floor: int, name: string, x: int",
            ]))
    func anotherTypeIsNoNews(_ kind: TableScene.Kind, _ fields: String) throws {
        let scene = try TableScene(kind)
        func run() throws -> String { try scene.sluice("run", "rooms.yaml").output }
        try write("floor: int, name: string", in: scene)
        try scene.write("rooms.json", #"[{"id":1,"floor":0,"name":"a"},{"id":2,"floor":4,"name":"b"}]"#)
        try scene.write("deletions.json", "[]")
        _ = try run()
        try scene.execute("UPDATE rooms SET floor = 5 WHERE id = 2")
        try scene.write("rooms.json", #"[{"id":1,"floor":0,"name":"a"}]"#)
        try scene.write("deletions.json", #"[{"id":2}]"#)
        #expect(try run().contains("1 in conflict"))
        #expect(try scene.sluice("conflicts", "resolve", "1", "--take", "local").code == 0)
        try write(fields, in: scene)
        for _ in 1...2 {
            let again = try run()
            #expect(again.contains("2 unchanged") && !again.contains("conflict"), "\(again)")
        }
        try scene.write("deletions.json", #"[{"id":2,"name":"c"}]"#)
        #expect(try run().contains("1 in conflict"))
    }
}
