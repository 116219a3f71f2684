import SluiceDiagnostics
import SluicePipelineFiles
import Testing

/// Names of entities hold within a pipeline, which whoever makes a file for each address has to be told.
@Suite struct UnknownEntityTests {
    private static func pipeline(_ name: String, _ fields: String = "") -> String {
        """
        version: 1
        name: \(name.lowercased())
        source: {base_url: "https://api.example.com"}
        entities: {\(name): {primary_key: id, fields: {id: int\(fields)}}}
        streams: [{name: \(name.lowercased()), entity: \(name), path: /x}]
        """
    }

    /// What the help says of a reference to `Users` beside some file.
    @Test(
        arguments: [
            ("users.yaml", pipeline("Users"), "users.yaml` has one, and a pipeline knows the entities of its own file"),
            ("users.yml", pipeline("Users"), "move that entity and its streams here"),
            ("users.yaml", pipeline("User"), "The entities are `Tickets`."),
            ("users.yaml", "entities: [Users]", "The entities are `Tickets`."),
            ("users.yaml", "\u{1}", "The entities are `Tickets`."),
            ("users.txt", pipeline("Users"), "The entities are `Tickets`."),
        ])
    func aFileBesideIsNamed(name: String, text: String, help: String) throws {
        let folder = TemporaryDirectory()
        folder.write(name, text)
        let path = folder.write("tickets.yaml", Self.pipeline("Tickets", ", author: {ref: Users, from: author}"))
        let (definition, problems) = PipelineLoader.load(path: path, environment: [:], mode: .validate)
        #expect(definition == nil)
        let problem = try #require(problems.first { $0.code == "unknown_entity" })
        #expect(problem.detail == "There is no entity `Users` in this pipeline.")
        #expect(problem.help?.contains(help) == true, "\(problem.help ?? "")")
    }
}
