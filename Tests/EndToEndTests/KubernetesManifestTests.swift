import SluiceYAML
import Testing

/// The pipeline files in a ConfigMap are read by people, and reach the container byte by byte.
@Suite struct KubernetesManifestTests {
    private static let pipeline = """
        version: 1
        name: books
        schedule: {every: 15m}
        source: {base_url: "https://api.example.com"}
        entities: {Book: {table: books, primary_key: id, fields: {id: int}}}
        streams: [{name: books, entity: Book, path: /books}]
        """

    @Test(arguments: [
        pipeline + "\n", pipeline, pipeline + "\n\n\n", "\n\n" + pipeline + "\n", "  # indented\n" + pipeline + "\n",
        "\n   \n" + pipeline + "\n", "# a\ttab, blanks at the end  \n\n" + pipeline + "\n  ",
        "# ü 🙂 :- '\"\n" + pipeline + "\n",
        "\u{FEFF}" + pipeline + "\n", pipeline.replacing("\n", with: "\r\n"),
    ])
    func filesReachTheContainerAsTheyAre(text: String) throws {
        let scene = try Scene()
        try scene.write("books.yaml", text)
        let result = try Program.run("generate", "kubernetes", "books.yaml", "--serve", in: scene.path)
        #expect(result.code == 0, "\(result)")
        let first = try #require(result.output.split(separator: "\n---\n").first)
        let root = try #require(YAMLDocument(reading: Array((first + "\n").utf8)).root?.mapping)
        let data = try #require(root.first { $0.name == "data" }?.value.mapping)
        #expect(data.map(\.name) == ["books.yaml"])
        #expect(data.first?.value.scalar?.text == text, "\(first)")
    }
}
