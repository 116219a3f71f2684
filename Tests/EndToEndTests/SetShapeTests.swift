import TestSupport
import Testing

/// What stands in the place of a list of references is no empty list.
@Suite struct SetShapeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let from: String
        let value: String
        var testDescription: String { "\(from): \(value)" }
    }

    static let misfits = ["labels[*]", "meta.labels[*]", "labels[*].code"].flatMap { from in
        [#""bug,ui""#, "7", "true", #"{"href":"/x"}"#, "[null]", "[true]", #"[["bug"]]"#].map {
            Case(from: from, value: $0)
        }
    }.filter { $0.from.hasSuffix(".code") || $0.value != "[true]" }

    static let sets: [(value: String, links: String)] = [("null", "0"), ("[]", "0"), (#"["bug"]"#, "1")]

    private func scene(_ from: String) throws -> (Scene, (String) throws -> Program.Result) {
        let scene = try Scene()
        try scene.write(
            "p.yaml",
            """
            version: 1
            name: p
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Label: {table: labels, primary_key: code, fields: {code: string}}
              Project: {table: projects, primary_key: id, fields: {id: int, labels: {refs: Label, from: "\(from)"}}}
            streams:
              - {name: labels, entity: Label, path: l.json}
              - {name: projects, entity: Project, path: p.json}
            """)
        try scene.write("l.json", #"[{"code":"bug"},{"code":"ui"}]"#)
        return (
            scene,
            { value in
                try scene.write("p.json", #"[{"id":1,"labels":\#(value),"meta":{"labels":\#(value)}}]"#)
                return try Program.run("run", "p.yaml", in: scene.path)
            }
        )
    }

    private static func full(_ from: String) -> String {
        from.hasSuffix(".code") ? #"[{"code":"bug"},{"code":"ui"}]"# : #"["bug","ui"]"#
    }

    @Test(arguments: misfits)
    func itGoesToTheQuarantine(_ test: Case) throws {
        let (scene, run) = try scene(test.from)
        #expect(try run(Self.full(test.from)).code == 0)
        let told = try run(test.value)
        #expect(told.output.contains("1 not written"), "\(told)")
        #expect(try scene.query("SELECT count(*) FROM projects_labels") == ["2"])
    }

    @Test(arguments: sets)
    func aSetIsTaken(_ value: String, _ links: String) throws {
        let (scene, run) = try scene("labels[*]")
        #expect(try run(Self.full("labels[*]")).code == 0)
        #expect(try run(value).code == 0)
        #expect(try scene.query("SELECT count(*) FROM projects_labels") == [links])
    }
}
