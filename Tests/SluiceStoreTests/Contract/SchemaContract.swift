import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: tables that follow the pipeline")
struct SchemaContract {
    /// Values pass where they are the same as text.
    static func conversion(_ misfits: FieldConversion.Misfits = .refuse) -> FieldConversion {
        func parsed(_ json: String, _ type: FieldType) -> FieldValue? {
            if json == "null" { return .null }
            let isText = json.hasPrefix("\"")
            switch type {
            case .int: return Int64(json).map { .integer($0) }
            case .string, .enumeration: return isText ? .text(String(json.dropFirst().dropLast())) : nil
            default: return .text(json)
            }
        }
        var conversion = FieldConversion(
            value: { value, _, now in
                if case .text(let text) = value, !now.allowed.isEmpty, !now.allowed.contains(text) { return nil }
                return switch (value, now.type) {
                case (.null, _): .null
                case (.integer(let number), .string): .text(String(number))
                case (.text, .int): Int64(value.words).flatMap { String($0) == value.words ? .integer($0) : nil }
                default: value
                }
            },
            json: { json, _, now in now.type == .string ? "\"\(json)\"" : String(json.dropFirst().dropLast()) },
            parsed: parsed, entry: { value, _ in value.isNull ? .null : .value(value) },
            isSame: { value, entry, _ in entry.value == value })
        conversion.misfits = misfits
        return conversion
    }

    private static let before = RecordSchema.items()
    /// The same items, which their code identifies.
    private static let after = RecordSchema.test(
        [("id", .int), ("code", .string), ("name", .string)], key: ["code"])

    // MARK: Foreign keys of others

    /// A column or pairs whose foreign key leads to `id` of people, whom the pipeline knows by their number.
    @Test(arguments: StoreUnderTest.all, [false, true])
    func aForeignKeyToAnotherColumnThanTheIdentifierIsRefused(_ kind: StoreUnderTest, _ isLink: Bool) throws {
        let scene = try StoreScene(kind)
        let people = RecordSchema.test(
            [("id", .int), ("number", .int)], key: ["number"], unique: [["id"]], table: "people", stream: "people")
        try scene.transaction { store throws in
            for schema in [people, .test([("id", .int)], table: "books", stream: "books")] {
                _ = try store.openTable(schema)
            }
        }
        if isLink {
            try scene.place.makePairs("book_authors", ("book_id", "books"), ("author_id", "people"))
        } else {
            try scene.place.addReference("author_id", to: "people", in: "books", onDelete: "SET NULL")
        }
        func books(_ target: String) -> RecordSchema {
            var schema = RecordSchema.test(
                [("id", .int), ("author_id", isLink ? .json : .int)], table: "books", stream: "books")
            schema.fields[1].isLink = isLink
            let link = RecordLink(table: "book_authors", ownerColumns: ["book_id"], targetColumns: ["author_id"])
            var reference = RecordReference(
                name: "author", fields: [1], target: "people", targetColumns: [target], link: isLink ? link : nil,
                onDangling: .fail)
            reference.targetTypes = [.int]
            schema.references = [reference]
            return schema
        }
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) { try store.prepareTable(books("number")) }
        store.rollback()
        #expect(error.code == .mismatch)
        for words in [
            "a foreign key has `author_id` refer to `id` of `people`, and the pipeline to `number` of `people`",
            "identify the records of `people` by `id`", "have the foreign key lead to `number` of `people`",
        ] {
            #expect(error.message.contains(words), "\(error.message)")
        }
        #expect(error.message.contains("give `author` another `column`") == !isLink)
        // What the foreign key says itself is taken.
        try scene.transaction { _ = try $0.prepareTable(books("id")) }
    }

    // MARK: Identifiers

    @Test(arguments: StoreUnderTest.all)
    func basesAndNamesPassToAnotherIdentifier(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.place.update("items", set: ["name": .text("edited")], where: "id", is: .integer(2))
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample(key: #"{"id":2}"#))
            _ = try store.quarantine.put(.sample(key: #"{"id":1}"#))
        }
        let changes = try scene.transaction(recording: 7) { try $0.changeKeys([Self.after], by: Self.conversion()) }
        #expect(changes.map(\.kind) == [.changeKey] && changes.map(\.rows) == [2])
        try scene.table(Self.after) { table throws in
            #expect(try table.localRow(key(.text("a"))) == [.integer(1), .text("a"), .text("n")])
            #expect(try table.baseRow(key(.text("b")))?.entries[2] == .value(.text("n")))
            #expect(try table.liveKeys(after: nil, limit: 9) == [key(.text("a")), key(.text("b"))])
        }
        try scene.read { store throws in
            #expect(try store.conflicts.list(includingClosed: true).map(\.key) == [#"{"code":"b"}"#])
            #expect(try store.quarantine.list(includingClosed: true).map(\.key) == [#"{"code":"a"}"#])
        }
        #expect(try scene.transaction { try $0.changeKeys([Self.after], by: Self.conversion()) } == [])
        // And back.
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(try scene.transaction { try $0.openTable(Self.before).changes } == [])
        try scene.table(Self.before) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
        #expect(try scene.items() == ["1 a n", "2 b edited"])
    }

    @Test(arguments: StoreUnderTest.all, [("aa", #"{"code":"a"} is that of {"id":1}, {"id":2}"#), ("a", "")])
    func rowsWithoutAnIdentifierOfTheirOwnStandInTheWay(
        _ kind: StoreUnderTest, _ example: (codes: String, words: String)
    ) throws {
        let scene = try StoreScene.items(kind, example.codes)
        if example.words.isEmpty {
            try scene.place.insert(["id": .integer(9), "name": .text("no code")], into: "items")
        }
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.changeKeys([Self.after], by: Self.conversion())
        }
        store.rollback()
        #expect(error.code == .mismatch && error.key == PipelineKey(.identifier, of: "Item"))
        #expect(error.message.contains(example.words.isEmpty ? #"has no code: {"id":9}"# : example.words), "\(error)")
        #expect(try scene.transaction { try $0.openTable(Self.before).changes } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func anEditedIdentifierStandsInTheWay(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.place.update("items", set: ["code": .text("z")], where: "id", is: .integer(2))
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.changeKeys([Self.after], by: Self.conversion())
        }
        store.rollback()
        #expect(error.message.contains(#"{"id":2}, where `code` is "z" and was "b" at its source"#), "\(error)")
    }

    @Test(arguments: StoreUnderTest.all)
    func whatRefersToRecordsFollowsThem(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        func orders(_ column: String, _ type: FieldType, _ target: String) -> RecordSchema {
            var schema = RecordSchema.test([("id", .int), ("item", type)], table: "orders", stream: "orders")
            schema.entity = "Order"
            schema.fields[1].column = column
            schema.references = [
                RecordReference(name: "item", fields: [1], target: "items", targetColumns: [target])
            ]
            schema.references[0].targetTypes = [type]
            return schema
        }
        let (old, new) = (orders("item_id", .int, "id"), orders("item_code", .string, "code"))
        try scene.insert(old, [[.integer(1), .integer(2)], [.integer(2), .null]])
        let changes = try scene.transaction(recording: 7) {
            try $0.changeKeys([Self.after, new], by: Self.conversion())
        }
        #expect(Set(changes.map(\.kind)) == [.changeKey, .changeReference, .createIndex])
        #expect(
            try scene.place.rows(of: "orders", ["id", "item_code"]).map { $0.map(\.words) } == [
                ["1", "b"], ["2", "-"],
            ])
        try scene.table(new) { table throws in
            #expect(try table.baseRow(key(.integer(1)))?.entries[1] == .value(.text("b")))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("b")])
        }
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(
            try scene.place.rows(of: "orders", ["id", "item_id"]).map { $0.map(\.words) } == [["1", "2"], ["2", "-"]])
    }

    /// Orders that refer to items by several columns, with values beside these.
    private static func orders(by key: String, _ type: FieldType, values: FieldType) -> RecordSchema {
        let names = ["first", "second", "third"]
        var schema = RecordSchema.test(
            [("id", .int)] + names.map { ($0, type) } + [("qty", values), ("size", values)], table: "orders",
            stream: "orders")
        schema.entity = "Order"
        for (index, name) in names.enumerated() {
            schema.fields[index + 1].column = "\(name)_\(key)"
            var reference = RecordReference(name: name, fields: [index + 1], target: "items", targetColumns: [key])
            reference.targetTypes = [type]
            schema.references.append(reference)
        }
        return schema
    }

    @Test(
        "An identifier, several references to it and types beside them change in one run", arguments: StoreUnderTest.all
    )
    func everythingChangesAtOnce(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        let (old, new) = (
            Self.orders(by: "id", .int, values: .int), Self.orders(by: "code", .string, values: .string)
        )
        try scene.insert(
            old, [[.integer(1), .integer(2), .integer(1), .integer(2), .integer(5), .integer(6)]])
        _ = try scene.transaction(recording: 7) { store in
            try store.changeKeys([Self.after, new], by: Self.conversion())
                + store.convertStored([Self.after, new], by: Self.conversion())
        }
        let columns = ["id", "first_code", "second_code", "third_code", "qty", "size"]
        #expect(
            try scene.place.rows(of: "orders", columns).map { $0.map(\.words) } == [["1", "b", "a", "b", "5", "6"]])
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        let before = ["id", "first_id", "second_id", "third_id", "qty", "size"]
        #expect(
            try scene.place.rows(of: "orders", before).map { $0.map(\.words) } == [["1", "2", "1", "2", "5", "6"]])
    }

    // MARK: Types of identifiers

    /// The same items, whose identifier is a text.
    private static let texts = RecordSchema.test([("id", .string), ("code", .string), ("name", .string)])

    /// Orders that refer to items.
    private static func orders(_ type: FieldType) -> RecordSchema {
        var schema = RecordSchema.test([("id", .int), ("item", type)], table: "orders", stream: "orders")
        schema.entity = "Order"
        schema.fields[1].column = "item_id"
        schema.references = [RecordReference(name: "item", fields: [1], target: "items", targetColumns: ["id"])]
        schema.references[0].targetTypes = [type]
        return schema
    }

    @Test(arguments: StoreUnderTest.all)
    func identifiersAndWhatRefersToThemGetAnotherType(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.insert(Self.orders(.int), [[.integer(1), .integer(2)], [.integer(2), .null]])
        try scene.place.update("items", set: ["name": .text("edited")], where: "id", is: .integer(2))
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample(key: #"{"id":2}"#))
            _ = try store.quarantine.put(.sample(key: #"{"id":1}"#))
        }
        func change(_ schemas: [RecordSchema], run: Int64) throws -> [SchemaChange] {
            try scene.transaction(recording: run) { try $0.changeKeys(schemas, by: Self.conversion()) }
        }
        let changes = try change([Self.texts, Self.orders(.string)], run: 7)
        #expect(Set(changes.map(\.kind)) == [.changeKey, .changeReference, .createIndex])
        #expect(changes.first { $0.kind == .changeKey }?.rows == 2)
        #expect(try scene.transaction { try $0.openTable(Self.texts).changes }.allSatisfy { $0.kind == .createIndex })
        try scene.table(Self.texts) { table throws in
            #expect(try table.localRow(key(.text("2"))) == [.text("2"), .text("b"), .text("edited")])
            #expect(try table.baseRow(key(.text("2")))?.entries[2] == .value(.text("n")))
            #expect(try table.liveKeys(after: nil, limit: 9) == [key(.text("1")), key(.text("2"))])
        }
        try scene.table(Self.orders(.string)) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("2")])
            #expect(try table.baseRow(key(.integer(1)))?.entries[1] == .value(.text("2")))
            #expect(try table.localRow(key(.integer(2))) == [.integer(2), .null])
        }
        try scene.read { store throws in
            #expect(try store.conflicts.list(includingClosed: true).map(\.key) == [#"{"id":"2"}"#])
            #expect(try store.quarantine.list(includingClosed: true).map(\.key) == [#"{"id":"1"}"#])
        }
        #expect(try change([Self.texts, Self.orders(.string)], run: 8) == [])
        // And back.
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(try scene.items() == ["1 a n", "2 b edited"])
        #expect(
            try scene.place.rows(of: "orders", ["id", "item_id"]).map { $0.map(\.words) } == [["1", "2"], ["2", "-"]])
        try scene.table(Self.before) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
        #expect(try change([Self.before, Self.orders(.int)], run: 9) == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func identifiersThatCannotPassStandInTheWay(_ kind: StoreUnderTest) throws {
        let scene = try scene(ofTexts: ["1", "x", "007"], kind)
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.changeKeys([Self.before], by: Self.conversion())
        }
        store.rollback()
        #expect(error.code == .mismatch && error.key == PipelineKey(.type(field: "id"), of: "Item"))
        #expect(error.message.contains(#"{"id":"007"}, {"id":"x"}"#), "\(error)")
        #expect(error.message.contains("2 rows of 3 have"), "\(error)")
        #expect(try scene.transaction { try $0.openTable(Self.texts).changes } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func moreThanTheTypeOfAnIdentifierIsRefused(_ kind: StoreUnderTest) throws {
        let scene = try scene(ofTexts: ["1"], kind)
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            let schema = RecordSchema.test([("id", .string), ("code", .int), ("name", .string)], key: ["code"])
            _ = try store.changeKeys([schema], by: Self.conversion())
        }
        store.rollback()
        #expect(
            error.message.hasPrefix(
                "`code` was string and is now int, and at the same time `Item` is identified by `code` instead of `id`. "
            ),
            "\(error)")
        #expect(!error.message.contains("put `type` back"), "\(error)")
    }

    private func scene(ofTexts ids: [String], _ kind: StoreUnderTest) throws -> StoreScene {
        let scene = try StoreScene(kind)
        try scene.insert(Self.texts, ids.map { [.text($0), .text("c"), .text("n")] })
        return scene
    }

    // MARK: What is unique

    @Test(arguments: StoreUnderTest.all)
    func indexesOfGroupsComeAndGo(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        let unique = RecordSchema.items(unique: [["code"]])
        func change(_ schema: RecordSchema, run: Int64) throws -> [SchemaChange.Kind] {
            try scene.transaction(recording: run) { try $0.openTable(schema).changes }.map(\.kind)
        }
        #expect(try change(unique, run: 2) == [.createIndex])
        #expect(try change(unique, run: 3) == [])
        #expect(try change(Self.before, run: 4) == [.dropIndex])
        #expect(try change(Self.before, run: 5) == [])
        #expect(
            try scene.transaction { try $0.revertSchema(of: 4, by: Self.conversion()) }.map(\.kind) == [.createIndex])
        #expect(
            try scene.transaction { try $0.revertSchema(of: 2, by: Self.conversion()) }.map(\.kind) == [.dropIndex])
    }
}
