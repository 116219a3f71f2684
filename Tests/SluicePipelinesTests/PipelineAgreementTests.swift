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

    /// What a source says is kept by the entity's name: a table's entity is called the same on both sides.
    @Test func refusesAnotherEntityOfATable() throws {
        let folder = try TemporaryDirectory()
        func file(_ entities: [String]) throws -> String {
            let path = folder.path + "/notes.yaml"
            let yaml = """
                version: 1
                name: notes
                source: {base_url: "file:."}
                entities:
                \(entities.map { "  \($0): {table: notes, primary_key: [id], fields: {id: int}}\n" }.joined())
                streams:
                \(entities.map { "  - {name: \($0.lowercased()), entity: \($0), path: notes.json}\n" }.joined())
                """
            try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        let error = #expect(throws: SluiceError.self) { try Pipeline(contentsOf: file(["Memo"]), models: Note.self) }
        #expect(error?.code == .definitionDiffers)
        #expect(
            error?.problems == [
                "`Note` is the model of the entity `Note`, and the pipeline calls the entity of its table `notes` `Memo`: write `@PersistentModel(entity: \"Memo\")`, or rename the entity with `renamed_from: Memo`"
            ])
        #expect(throws: Never.self) { try Pipeline(contentsOf: file(["Note"]), models: Note.self) }
        // One of those that fill it has the name.
        #expect(throws: Never.self) { try Pipeline(contentsOf: file(["Memo", "Note"]), models: Note.self) }
    }
}

@PersistentModel(table: "notes")
private struct Note { let id: Int }

@PersistentModel(entity: "Text", table: "texts")
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

@PersistentModel(entity: "Text", table: "texts")
private struct UnheldText {
    let id: Int
    var code: Int?
    var mood: String = "calm"
}
