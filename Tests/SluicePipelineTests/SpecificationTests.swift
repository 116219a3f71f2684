import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct SpecificationTests {
    static let sections = SpecificationCatalog(keys: .all).sections + SpecificationCatalog.current.sections
    static let keys = sections.flatMap { entry in
        entry.section.keys.map { (path: "\(entry.path).\($0.name)", key: $0) }
    }

    @Test func everyExamplePassesItsOwnCheck() {
        #expect(Self.keys.count > 60)
        for (path, key) in Self.keys { #expect(key.problems(inValue: key.example) == [], "\(path)") }
    }

    @Test func everyDefaultThatIsYAMLPassesItsOwnCheck() {
        for (path, key) in Self.keys {
            // Defaults that are told in words hold blanks outside of braces.
            guard let text = key.defaultText, text.hasPrefix("{") || !text.contains(" ") else { continue }
            #expect(key.problems(inValue: text) == [], "\(path)")
        }
    }

    @Test func everyKeyIsDocumentedByOneSentence() {
        for (path, key) in Self.keys {
            #expect(key.documentation.hasSuffix("."), "\(path)")
            #expect(key.documentation.first?.isUppercase == true, "\(path)")
        }
    }

    @Test func noPlaceHasAKeyTwice() {
        for entry in Self.sections {
            let names = entry.section.keys.map(\.name)
            #expect(Set(names).count == names.count, "\(entry.path)")
        }
    }

    @Test func checkRefusesWhatItShould() {
        let key = KeySpec("limit", .integer(1...5), example: "2", "A number.")
        #expect(key.problems(inValue: "9") != [])
        #expect(key.problems(inValue: "[2]") != [])
        #expect(key.problems(inValue: "5") == [])
    }

    @Test func patternsAreRegularExpressions() {
        #expect(TextPattern.pipelineName.expression == "^[a-z0-9][a-z0-9-]*$")
        #expect(TextPattern.pipelineName.matches("github-issues"))
        for text in ["", "-a", "a_b", "A", "ä"] { #expect(!TextPattern.pipelineName.matches(text)) }
    }
}
