import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// What happens where a source sends other keys or other types than the fields say.
@Suite("schema_contract")
struct SchemaContractTests {
    private static func shop(
        _ contract: SchemaContract, fields: [FieldDefinition]? = nil,
        adjust: @escaping @Sendable (inout PipelineDefinition) -> Void = { _ in }
    ) throws -> Workshop {
        let shop = try Workshop(fields: fields)
        shop.adjust = {
            $0.streams[0].schemaContract = contract
            adjust(&$0)
        }
        return shop
    }

    // MARK: Types

    struct Value: Sendable, CustomTestStringConvertible {
        let type: FieldType
        let json: String
        /// The stored value; nil where the value does not fit whatever is done.
        let stored: String?
        /// Whether it is of the field's own type.
        var isNative = false
        var format: String?
        var testDescription: String { "\(type.rawValue): \(json)" }
    }

    static let values = [
        Value(type: .int, json: "12", stored: "12", isNative: true),
        Value(type: .int, json: #""12""#, stored: "12"),
        Value(type: .int, json: "12.0", stored: "12"),
        Value(type: .int, json: "1.5", stored: nil),
        Value(type: .int, json: "9223372036854775808", stored: nil),
        Value(type: .int, json: "[1]", stored: nil),
        Value(type: .int, json: "true", stored: nil),
        Value(type: .string, json: #""x""#, stored: "'x'", isNative: true),
        Value(type: .string, json: "12", stored: "'12'"),
        Value(type: .string, json: "{}", stored: nil),
        Value(type: .double, json: "1.5", stored: "1.5", isNative: true),
        Value(type: .double, json: "1", stored: "1.0", isNative: true),
        Value(type: .double, json: #""1.5""#, stored: "1.5"),
        Value(type: .decimal, json: "1.50", stored: "'1.50'", isNative: true),
        Value(type: .decimal, json: #""1.50""#, stored: "'1.50'", isNative: true),
        Value(type: .decimal, json: #""dear""#, stored: nil),
        Value(type: .bool, json: "true", stored: "1", isNative: true),
        Value(type: .bool, json: "1", stored: nil),
        Value(type: .date, json: #""2026-01-31""#, stored: "'2026-01-31'", isNative: true),
        Value(type: .date, json: #""soon""#, stored: nil),
        Value(type: .datetime, json: "1769860800", stored: "'2026-01-31T12:00:00Z'", isNative: true, format: "unix"),
        Value(type: .datetime, json: #""1769860800""#, stored: "'2026-01-31T12:00:00Z'", format: "unix"),
        Value(type: .json, json: #"{"x":1}"#, stored: #"'{"x":1}'"#, isNative: true),
        Value(type: .json, json: "1", stored: "'1'", isNative: true),
        Value(
            type: .uuid, json: #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#,
            stored: "'9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11'", isNative: true),
    ]

    @Test("A value of each kind under each rule", arguments: values, SchemaContract.TypeRule.allCases)
    func types(_ value: Value, _ rule: SchemaContract.TypeRule) throws {
        let fields = [try field("id", .int), try field("v", value.type, format: value.format)]
        let shop = try Self.shop(SchemaContract(types: rule), fields: fields)
        let (report, recorder) = try shop.syncPlanned(#"[{"id":1,"v":\#(value.json)}]"#)
        let isConverted = value.isNative || rule == .coerce || rule == .setNull
        if isConverted, let stored = value.stored {
            #expect(report.summary.text == "insert 1")
            #expect(try shop.rows("SELECT v FROM items") == [stored])
        } else {
            switch rule {
            case .coerce, .quarantine:
                #expect(report.summary.text == "quarantined 1")
                #expect(recorder.quarantine.map(\.reason) == ["type_mismatch"])
                #expect(recorder.quarantine.first?.pointer == "/v")
                #expect(recorder.quarantine.first?.key == #"{"id":1}"#)
            case .setNull:
                #expect(report.summary.text == "insert 1")
                #expect(try shop.rows("SELECT v FROM items") == ["NULL"])
            case .fail:
                #expect(report.status == .failed)
                #expect(report.problems.map(\.code) == ["schema_contract"])
            }
        }
    }

    @Test func whatAFieldSaysItselfHolds() throws {
        for rule in SchemaContract.TypeRule.allCases {
            var kept = try field("v", .int)
            kept.onTypeMismatch = .keep
            let shop = try Self.shop(SchemaContract(types: rule), fields: [try field("id", .int), kept])
            let (report, _) = try shop.syncPlanned(#"[{"id":1,"v":"7"},{"id":2,"v":"x"}]"#)
            #expect(report.summary.text == "insert 2", "\(rule)")
            #expect(try shop.items == ["1|7", "2|NULL"], "\(rule)")
        }
    }

    @Test func theIdentifierIsNeverNull() throws {
        let shop = try Self.shop(SchemaContract(types: .setNull))
        let (report, recorder) = try shop.syncPlanned(#"[{"id":"one","a":"x","b":"y"},{"id":"2","a":"p","b":"q"}]"#)
        #expect(report.summary.text == "insert 1, quarantined 1")
        #expect(recorder.quarantine.map(\.pointer) == ["/id"])
        #expect(try shop.items == ["2|'p'|'q'"])
    }

    @Test func aMapAndAMembersNameAreNoConversion() throws {
        let mapped = try field("v", .bool, map: ["Y": .json("true"), "N": .json("false")])
        let shop = try Self.shop(SchemaContract(types: .fail), fields: [try field("id", .int), mapped])
        shop.entries = "id"
        let (report, _) = try shop.syncPlanned(#"{"1":{"v":"Y"},"2":{"v":"N"}}"#)
        #expect(report.summary.text == "insert 2")
        #expect(try shop.items == ["1|1", "2|0"])
    }

    @Test func aFailureNamesPlaceValueRuleAndRemedyAndNothingIsWritten() throws {
        let shop = try Self.shop(SchemaContract(types: .fail), fields: [try field("id", .int), try field("v", .int)])
        _ = try shop.syncPlanned(#"[{"id":1,"v":1}]"#)
        let before = try shop.items
        let (report, _) = try shop.syncPlanned("[{\"id\":1,\"v\":2},\n\n {\"id\":2,\"v\":\"3\"}]")
        #expect(report.status == .failed)
        let message = try #require(report.problems.first?.message)
        #expect(
            message.hasSuffix(
                "remote.json of the stream `items`, record 2 in line 3, /v: Expected a JSON value of the type `int`, found the text \"3\", and nothing is converted. `schema_contract.types` is `fail`, which ends the run. Correct the source or the field's `type`, or set the rule to `coerce`, `quarantine` or `set_null`."
            ), "\(message)")
        #expect(try shop.items == before)
    }

    @Test func aRetryKeepsToTheContract() throws {
        let fields = [try field("id", .int), try field("v", .int)]
        let shop = try Self.shop(SchemaContract(types: .quarantine), fields: fields)
        _ = try shop.syncPlanned(#"[{"id":1,"v":"7"}]"#)
        #expect(try shop.retry().report.retryText == "left 0, stayed 1, refused none")
        shop.adjust = { $0.streams[0].schemaContract = SchemaContract(types: .fail) }
        #expect(try shop.retry().report.problems.map(\.code) == ["schema_contract"])
        shop.adjust = { $0.streams[0].schemaContract = SchemaContract() }
        #expect(try shop.retry().report.retryText == "left 1, stayed 0, refused none")
        #expect(try shop.items == ["1|7"])
    }

    // MARK: Keys

    struct Keys: Sendable, CustomTestStringConvertible {
        let name: String
        var from = ["id": "id", "a": "a", "b": "b"]
        var json = false
        var records = #"[{"id":1,"a":"x","b":"y"}]"#
        var adjust: @Sendable (inout PipelineDefinition) -> Void = { _ in }
        var entries: String?
        let unmapped: [String]
        var testDescription: String { name }
    }

    static let keys = [
        Keys(name: "none", unmapped: []),
        Keys(
            name: "two, each once, in order", records: #"[{"z":1,"id":1,"c":2},{"id":2,"c":3,"z":4}]"#,
            unmapped: ["z", "c"]),
        Keys(name: "one that only a later record has", records: #"[{"id":1},{"id":2,"new":null}]"#, unmapped: ["new"]),
        Keys(
            name: "a value on the way to a field is looked into", from: ["a": "x.y"],
            records: #"[{"id":1,"x":{"y":"1","w":2}}]"#, unmapped: ["x.w"]),
        Keys(
            name: "of a list too", from: ["a": "x[0].y"], records: #"[{"id":1,"x":[{"y":"1","w":2},{"v":1}]}]"#,
            unmapped: ["x[0].w"]),
        Keys(name: "no field takes the object", records: #"[{"id":1,"x":{"y":"1"}}]"#, unmapped: ["x"]),
        Keys(
            name: "a field takes it all", from: ["a": "x"], json: true, records: #"[{"id":1,"x":{"y":"1"}}]"#,
            unmapped: []),
        Keys(
            name: "a field takes it all, another one a part", from: ["a": "x", "b": "x.y"], json: true,
            records: #"[{"id":1,"x":{"y":"1","w":2}}]"#, unmapped: []),
        Keys(
            name: "what is selected from is taken", from: ["a": "x[*].y"], json: true,
            records: #"[{"id":1,"x":[{"w":1}],"y":2}]"#, unmapped: ["y"]),
        Keys(
            name: "what is selected from, below a place of its own", from: ["a": "x.l[*].y", "b": "x.m"], json: true,
            records: #"[{"id":1,"x":{"l":[{"w":1}],"m":"1","n":2}}]"#, unmapped: ["x.n"]),
        Keys(name: "the whole record", from: ["a": "$"], json: true, records: #"[{"id":1,"z":1}]"#, unmapped: []),
        Keys(name: "a name that is no word", records: #"[{"id":1,"a b":1}]"#, unmapped: ["$['a b']"]),
        Keys(
            name: "what the filter names", records: #"[{"id":1,"open":true,"x-y":1,"z":1}]"#,
            adjust: { $0.streams[0].filter = #".open and has("x-y")"# }, unmapped: ["z"]),
        Keys(
            name: "a record that is left out", records: #"[{"id":1,"open":false,"z":1}]"#,
            adjust: { $0.streams[0].filter = ".open" }, unmapped: []),
        Keys(
            name: "what says that it is deleted", records: #"[{"id":1,"gone":true}]"#,
            adjust: { $0.streams[0].deletedWhen = ".gone == true" }, unmapped: []),
        Keys(
            name: "what a program takes", records: #"[{"id":1,"first":"x","last":"y","z":1}]"#,
            adjust: { $0.entities[0].fields[1].origin = .program(#"[.first, .last] | join(" ")"#) }, unmapped: ["z"]),
        Keys(name: "members with names", records: #"{"1":{"a":"x","id":5,"z":1}}"#, entries: "id", unmapped: ["z"]),
        Keys(name: "a record that cannot be taken", records: #"[{"id":null,"z":1}]"#, unmapped: ["z"]),
    ]

    private static func shop(_ example: Keys, _ rule: SchemaContract.FieldRule) throws -> Workshop {
        let fields = try ["id", "a", "b"].map { name in
            try field(
                name, name == "id" ? .int : name == "a" && example.json ? .json : .string,
                from: example.from[name] ?? name)
        }
        let shop = try shop(SchemaContract(fields: rule), fields: fields, adjust: example.adjust)
        shop.entries = example.entries
        try shop.put(example.records)
        return shop
    }

    @Test("Keys that no field takes are counted, and no news where they were there from the start", arguments: keys)
    func report(_ example: Keys) throws {
        let shop = try Self.shop(example, .report)
        let (report, _) = try shop.syncPlanned()
        #expect(report.status == .succeeded)
        #expect(report.streams[0].unmapped.paths == example.unmapped)
        #expect(report.problems.allSatisfy { $0.code != "unmapped_keys" })
        // The same again, by a run that writes nothing.
        let (again, written) = try shop.quietRun()
        #expect(again.streams[0].unmapped.paths == example.unmapped)
        #expect(written == [])
    }

    @Test("Keys that no field takes end the run, or are nothing", arguments: keys)
    func freezeAndIgnore(_ example: Keys) throws {
        let frozen = try Self.shop(example, .freeze)
        let (report, _) = try frozen.syncPlanned()
        #expect((report.status == .failed) == !example.unmapped.isEmpty)
        #expect(report.problems.filter { $0.code == "schema_contract" }.count == (example.unmapped.isEmpty ? 0 : 1))
        let ignored = try Self.shop(example, .ignore).syncPlanned().0
        #expect(ignored.status == .succeeded)
        #expect(ignored.streams[0].unmapped.count == 0)
    }

    @Test func theNoteSaysWhatToDo() throws {
        let shop = try Self.shop(SchemaContract())
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y","old":1}]"#)
        let one = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y","old":1,"c":1}]"#).0
        #expect(one.problems.map(\.severity) == [.note])
        #expect(
            one.problems.map(\.message) == [
                "1 key is not mapped: `c`. Add a field for it, or give the stream `items` `schema_contract: {fields: ignore}`."
            ])
        #expect(try shop.syncPlanned().0.problems.isEmpty, "it is told once")
        let members = (1...120).map { "\"k\($0)\":1" }.joined(separator: ",")
        let many = try shop.syncPlanned("[{\"id\":1,\"a\":\"x\",\"b\":\"y\",\(members)}]").0
        let message = try #require(many.problems.first?.message)
        #expect(message.hasPrefix("100 keys are not mapped: `k1`, `k2`, "))
        #expect(message.contains("`k10` and 90 more. Add fields for them, "))
        #expect(many.streams[0].unmapped.count == 120)
        #expect(many.streams[0].unmapped.paths.count == 100)
        #expect(many.summary.text == "unchanged 1")
        #expect(!many.hasChanges)
    }

    @Test func aFrozenRunNamesPlaceKeyValueAndRemedyAndWritesNothing() throws {
        let shop = try Self.shop(SchemaContract(fields: .freeze))
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"}]"#)
        let before = try shop.items
        let (report, _) = try shop.syncPlanned("[{\"id\":1,\"a\":\"X\",\"b\":\"y\"},\n{\"id\":2,\"c\":{\"d\":\"1\"}}]")
        let message = try #require(report.problems.first?.message)
        #expect(
            message.hasSuffix(
                "remote.json of the stream `items`, record 2 in line 2, /c: The key, with the value {\"d\":\"1\"}, is not mapped to a field of `Item`. `schema_contract.fields` is `freeze`, which ends the run. Add a field for the key, or set the rule to `report` or `ignore`."
            ), "\(message)")
        #expect(try shop.items == before)
        // With the field it goes on, and the plan shows the column.
        shop.fields.append(try field("c", .json))
        let mended = try shop.syncPlanned().0
        #expect(mended.schemaChanges.map(\.kind) == [.addColumn])
        #expect(mended.summary.text == "insert 1, update 1")
    }

    @Test func behindARedactionNoValueIsShown() throws {
        let shop = try Self.shop(SchemaContract(fields: .freeze))
        shop.fields[1].redaction = .hash
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"secret","copy":"secret"}]"#)
        #expect(report.status == .failed)
        #expect(!report.problems.map(\.message).joined().contains("secret"))
    }

    @Test func linesAndPagesAreLookedAtTogether() throws {
        let shop = try Self.shop(SchemaContract())
        shop.format = .jsonl
        shop.path = "*.jsonl"
        try shop.put("{\"id\":1,\"c\":1}\n{\"id\":2,\"d\":1}\n", as: "1.jsonl")
        try shop.put("{\"id\":3,\"c\":1}\n{\"id\":4,\"e\":1}\n", as: "2.jsonl")
        #expect(try shop.syncPlanned().0.streams[0].unmapped.paths == ["c", "d", "e"])
        // Records of one key make the pages be read twice, and are not told twice.
        try shop.put("{\"id\":3,\"c\":1}\n{\"id\":3,\"e\":1}\n", as: "2.jsonl")
        let report = try shop.syncPlanned().0
        #expect(report.problems.isEmpty)
        #expect(report.streams[0].unmapped.paths == ["c", "d", "e"])
    }
}
