import Glibc
import SluiceCommands
import SluicePipelineFiles
import SluiceSQLite
import SluiceSystem
import Testing

/// A run of a service goes by the text that the service has of its file, whatever stands there meanwhile.
@Suite struct KeptTextTests {
    /// A shop whose pipeline file is a link, the text that was kept of it, and a run by that.
    private struct Scene {
        let shop: Workshop
        private let texts: String

        init() throws {
            shop = try Workshop()
            texts = "\(shop.folder)/texts"
            try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
            try shop.writePipeline(book: "fields: {id: int, title: string}")
            try FileSystem.rename(shop.pipeline, to: "\(shop.folder)/first.txt")
            try link("first.txt")
            let kept = PipelineTexts()
            let (definition, problems) = PipelineLoader.load(
                path: shop.pipeline, environment: [:], mode: .run, texts: kept)
            try #require(definition != nil, "\(problems)")
            try FileSystem.writePrivately(kept.encoded, to: texts)
        }

        /// Has the pipeline's file be a link to another one.
        func link(_ name: String) throws {
            FileSystem.remove(shop.pipeline)
            try #require(unsafe symlink(name, shop.pipeline) == 0)
        }

        func run() -> (code: Int32, errors: String) {
            let errors = MemorySink()
            var context = CommandContext(output: MemorySink(), errors: errors, environment: [:])
            context.pipelineTexts = texts
            let code = Sluice.run(
                arguments: ["run", shop.pipeline, "--store", "sqlite:\(shop.store)"], context: context)
            return (code, errors.text)
        }
    }

    @Test func theFileMayBeGone() throws {
        let scene = try Scene()
        FileSystem.remove(scene.shop.pipeline)
        let run = scene.run()
        #expect(run.code == 0, "\(run.errors)")
        #expect(try scene.shop.value("SELECT count(*) FROM books") == .integer(1))
        // Without its text it is an error as before.
        #expect(scene.shop.sluice("run", scene.shop.pipeline).code == 78)
    }

    /// A folder that a cluster fills has links, which lead to other files at once.
    @Test func aLinkMayLeadToAnotherFile() throws {
        let scene = try Scene()
        try scene.shop.write("nonsense: yes\n", to: "second.txt")
        try scene.link("second.txt")
        let run = scene.run()
        #expect(run.code == 0, "\(run.errors)")
        #expect(scene.shop.sluice("run", scene.shop.pipeline).code == 78)
    }
}
