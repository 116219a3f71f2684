import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct PipelineReferenceTests {
    @Test func referenceIsCurrent() {
        GoldenFile(path: "\(Fixtures.root)/docs/pipeline-reference.md").check(PipelineReference.markdown())
    }

    @Test func everyKeyIsThere() {
        let specification = SpecificationCatalog(keys: .all)
        let text = PipelineReference.markdown(of: specification)
        for key in specification.sections.flatMap(\.section.keys) {
            #expect(text.contains("| `\(key.name)` |") || text.contains("| **`\(key.name)`** |"), "\(key.name)")
        }
    }

    @Test func everyTypeHasItsProfile() {
        let text = PipelineReference.markdown()
        for type in ChoiceSpec.fieldType.values {
            #expect(text.contains("\n- `\(type)`: ") && text.contains("Refused: "), "\(type)")
        }
    }

    @Test func everyRowHasFiveCells() {
        let rows = PipelineReference.markdown(of: SpecificationCatalog(keys: .all)).split(separator: "\n")
            .filter { $0.hasPrefix("|") }
        #expect(rows.count > 60)
        for row in rows { #expect(row.split(separator: "\\|").joined().count { $0 == "|" } == 6, "\(row)") }
    }
}
