import SluiceCommands
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct GenerateSchemaTests {
    @Test func theSchemaIsPrintedOrWritten() throws {
        let shop = try Workshop()
        let printed = shop.run(["generate", "schema"])
        #expect(printed.code == 0 && printed.errors == "")
        #expect(printed.output == PipelineSchema.jsonSchema())
        #expect(printed.output.hasPrefix("{\n"))
        let written = shop.run(["generate", "schema", "--output", "\(shop.folder)/sluice.schema.json"])
        #expect(written.code == 0 && written.output == "")
        #expect(try shop.read("sluice.schema.json") == printed.output)
    }

    @Test func whatCannotBeGeneratedIsNotOffered() throws {
        let shop = try Workshop()
        #expect(!HelpText.of(["generate"]).contains("struct"))
        #expect(!HelpText.of([]).contains("struct"))
        let outcome = shop.run(["generate", "struct"])
        #expect(outcome.code == 64 && outcome.errors.contains("Unknown command `struct` of `sluice generate`."))
    }
}
