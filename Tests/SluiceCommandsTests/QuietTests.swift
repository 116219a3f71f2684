import Testing

/// `--quiet` silences text on the terminal; what is asked for as JSON or into a file is written whole.
@Suite struct QuietTests {
    @Test(arguments: [
        ["plan", "PIPELINE"], ["run", "PIPELINE"], ["validate", "PIPELINE"], ["undo", "1"], ["undo", "1", "--plan"],
        ["import", "FILE", "--table", "found", "--key", "id"], ["record", "PIPELINE", "--to", "DIR"],
        ["quarantine", "retry", "--all", "PIPELINE"],
    ])
    func aResultThatIsAskedForIsWritten(command: [String]) throws {
        func perform(_ more: [String]) throws -> (output: String, file: String?) {
            let shop = try Workshop()
            try shop.writePipeline()
            try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
            if ["undo", "quarantine"].contains(command[0]) { _ = shop.sluice("run", shop.pipeline) }
            let places = ["PIPELINE": shop.pipeline, "FILE": "\(shop.folder)/books.json", "DIR": "\(shop.folder)/kept"]
            let outcome = shop.sluice(
                command.map { places[$0] ?? $0 } + more.map { $0 == "OUT" ? "\(shop.folder)/out" : $0 })
            #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
            return (outcome.output, shop.files.contains("out") ? try shop.read("out") : nil)
        }
        #expect(try perform(["--quiet"]).output == "")
        let json = try perform(["--quiet", "--format", "json"])
        #expect(json.output.hasPrefix(#"{"format":"sluice."#) && json.output.hasSuffix("}\n"), "\(json.output)")
        let text = try perform(["--quiet", "--output", "OUT"])
        #expect(text.output == "")
        let loud = try perform(["--output", "OUT"])
        #expect(text.file?.isEmpty == false)
        #expect(text.file?.split(separator: "\n").count == loud.file?.split(separator: "\n").count)
        #expect(try perform(["--quiet", "--output", "-"]).output == "")
        #expect(try perform(["--quiet", "--format", "json", "--output", "OUT"]).file?.hasSuffix("}\n") == true)
    }
}
