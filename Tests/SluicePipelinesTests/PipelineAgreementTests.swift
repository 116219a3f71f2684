import Foundation
import Sluice
import SluicePipelines
import TestSupport
import Testing

/// Whether models and pipelines agree of the tables that both have.
struct PipelineAgreementTests {
    /// What a text holds, and what another value stands for, is no difference; `validate --swift` says the same.
    @Test func takesModelsThatHoldTheValues() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path + "/texts.yaml"
        let yaml = """
            version: 1
            name: texts
            source: {base_url: "file:."}
            entities:
              Text:
                table: texts
                primary_key: [id]
                fields:
                  id: int
                  code: uuid
                  page: url
                  day: date
                  more: json
                  kind: {type: enum, values: [a, b]}
                  mood: string
            streams:
              - {name: texts, entity: Text, path: texts.json}
            """
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: Never.self) { try Pipeline(contentsOf: file, models: HeldText.self) }
        let error = #expect(throws: SluiceError.self) {
            try Pipeline(contentsOf: file, models: UnheldText.self)
        }
        #expect(
            error?.problems == [
                "`UnheldText.code` is of the type `int`, and the field `code` of `Text` of the type `uuid`",
                "`UnheldText.mood` is not optional, and the field `mood` of `Text` need not have a value: make it optional, or the field `required`",
            ])
    }
}

@PersistentModel(table: "texts")
private struct HeldText {
    let id: Int
    var code: String?
    var page: String?
    var day: String?
    var more: String?
    var kind: String?
    @Attribute(storageMethod: .raw, decodeFailurePolicy: .fallbackToDefaultValue) var mood: Mood = .calm
}

private enum Mood: String { case calm, wild }

@PersistentModel(table: "texts")
private struct UnheldText {
    let id: Int
    var code: Int?
    var mood: String = "calm"
}
