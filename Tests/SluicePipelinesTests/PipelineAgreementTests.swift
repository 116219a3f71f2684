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

    struct Uniqueness: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// `unique` of the entity.
        let wanted: String
        let model: any PersistentModel.Type
        var problems: [String] = []
    }

    static let uniqueness = [
        Uniqueness(testDescription: "neither", wanted: "[]", model: PlainTicket.self),
        Uniqueness(testDescription: "the pipeline alone", wanted: "[[shop, number]]", model: PlainTicket.self),
        Uniqueness(testDescription: "both, in another order", wanted: "[[number, shop]]", model: PairTicket.self),
        Uniqueness(testDescription: "fewer of them in the pipeline", wanted: "[[number]]", model: PairTicket.self),
        Uniqueness(
            testDescription: "the model alone", wanted: "[]", model: PairTicket.self,
            problems: [
                "`shop` and `no` of `PairTicket` together are unique, and the pipeline does not say so: a run that sends values twice would fail: add `[shop, number]` to `unique` of the entity `Ticket`, or leave the group out of the model"
            ]),
        Uniqueness(
            testDescription: "more of them in the pipeline", wanted: "[[shop, number, code]]", model: PairTicket.self,
            problems: [
                "`shop` and `no` of `PairTicket` together are unique, and the pipeline does not say so: a run that sends values twice would fail: add `[shop, number]` to `unique` of the entity `Ticket`, or leave the group out of the model"
            ]),
        Uniqueness(testDescription: "one of both", wanted: "[[code]]", model: CodeTicket.self),
        Uniqueness(
            testDescription: "one of the model alone", wanted: "[[shop, number]]", model: CodeTicket.self,
            problems: [
                "`CodeTicket.code` is unique, and the pipeline does not say so: a run that sends a value twice would fail: add `[code]` to `unique` of the entity `Ticket`, or leave `.unique` out of the model"
            ]),
        Uniqueness(testDescription: "with the key", wanted: "[]", model: KeyTicket.self),
        Uniqueness(testDescription: "a property of the program's own", wanted: "[]", model: OwnTicket.self),
    ]

    /// An index that the model makes would end a run; `validate --swift` says the same.
    @Test(arguments: uniqueness) func comparesWhatIsUnique(_ item: Uniqueness) throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/tickets.yaml"
        let yaml = """
            version: 1
            name: tickets
            source: {base_url: "file:."}
            entities:
              Ticket:
                table: tickets
                primary_key: [id]
                unique: \(item.wanted)
                fields: {id: int, shop: {ref: Shop, from: shop}, number: int, code: string}
              Shop: {table: shops, primary_key: [id], fields: {id: int}}
            streams: [{name: tickets, entity: Ticket, path: tickets.json}]
            """
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
        do {
            _ = try Pipeline(contentsOf: path, models: item.model)
            #expect(item.problems.isEmpty)
        } catch let error as SluiceError {
            #expect(error.code == .definitionDiffers && error.problems == item.problems, "\(error)")
        }
    }
}

@PersistentModel(entity: "Shop", table: "shops") private struct TicketShop { let id: Int }

@PersistentModel(entity: "Ticket", table: "tickets") private struct PlainTicket {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var shop: Ref<TicketShop>?
    var number: Int?
    var code: String?
}

@PersistentModel(entity: "Ticket", table: "tickets", unique: [["shop", "no"]]) private struct PairTicket {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var shop: Ref<TicketShop>?
    @Attribute(persistentName: "number") var no: Int?
    var code: String?
}

@PersistentModel(entity: "Ticket", table: "tickets") private struct CodeTicket {
    let id: Int
    @Attribute(.unique) var code: String?
}

@PersistentModel(entity: "Ticket", table: "tickets", unique: [["id", "code"]]) private struct KeyTicket {
    let id: Int
    var code: String?
}

@PersistentModel(entity: "Ticket", table: "tickets", unique: [["mine", "code"]]) private struct OwnTicket {
    let id: Int
    var code: String?
    var mine: String?
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
