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

    // MARK: Types

    private static let numbers = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])

    @Test(arguments: StoreUnderTest.all)
    func valuesThatCannotPassGoToTheQuarantineAndComeBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "1x")
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.convertStored([Self.numbers], by: Self.conversion())
        }
        store.rollback()
        #expect(
            error.message.contains(#""x" in {"id":2}"#) && error.key == PipelineKey(.type(field: "code"), of: "Item"))
        let changes = try scene.transaction(recording: 7) {
            try $0.convertStored([Self.numbers], by: Self.conversion(.quarantine))
        }
        #expect(changes.map(\.kind) == [.changeType, .quarantineValues] && changes.map(\.rows) == [2, 1])
        try scene.table(Self.numbers) { table throws in
            #expect(try table.localRow(key(.integer(1)))?[1] == .integer(1))
            // The column is null, and the row counts as holding what waits, as its source said it.
            #expect(try table.localRow(key(.integer(2)))?[1] == .text("x"))
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("x")))
        }
        #expect(try scene.items() == ["1 1 n", "2 - n"])
        try scene.read { store throws in
            let entry = try #require(try store.quarantine.list(includingClosed: false).first)
            #expect(entry.key == #"{"id":2}"# && entry.value == #""x""# && entry.changedField == "code")
            #expect(entry.record == Array(#"{"id":2,"code":"x","name":"n"}"#.utf8) && entry.firstRun == 7)
            #expect(try store.quarantine.openKeys(of: .items).isEmpty)
        }
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(try scene.items() == ["1 1 n", "2 x n"])
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
    }

    // MARK: Values of enumerations

    private static func choices(_ values: String, code: String = "code") -> RecordSchema {
        var schema = RecordSchema.test([("id", .int), (code, .enumeration), ("name", .string)])
        schema.fields[1].allowed = Set(values.map { Array(String($0).utf8) })
        return schema
    }

    @Test(arguments: StoreUnderTest.all)
    func valuesThatAnEnumLosesAreFoundAndComeBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abb", Self.choices("ab"))
        try scene.place.update("items", set: ["code": .text("a")], where: "id", is: .integer(3))
        func change(_ schema: RecordSchema, run: Int64, _ misfits: FieldConversion.Misfits) throws -> [SchemaChange] {
            try scene.transaction(recording: run) { try $0.convertStored([schema], by: Self.conversion(misfits)) }
        }
        #expect(try change(Self.choices("abc"), run: 5, .refuse) == [])
        #expect(try change(Self.choices("ab"), run: 6, .refuse) == [])
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.convertStored([Self.choices("ac")], by: Self.conversion())
        }
        store.rollback()
        #expect(error.message.contains(#"1 row of `items` holds what is no value now: "b" in {"id":2}"#), "\(error)")
        #expect(error.key == PipelineKey(.type(field: "code"), of: "Item"))
        let changes = try change(Self.choices("ac"), run: 7, .quarantine)
        #expect(changes.map(\.kind) == [.changeType, .quarantineValues] && changes.map(\.rows) == [1, 1])
        #expect(changes[0].sql == #""code" without "b", with "c" (UPDATE)"#)
        #expect(try scene.items() == ["1 a n", "2 - n", "3 a n"])
        try scene.table(Self.choices("ac")) { table throws in
            // What a source said and what an edit is an edit of is still known.
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
            #expect(try table.baseRow(key(.integer(3)))?.entries[1] == .value(.text("b")))
        }
        try scene.read { store throws in
            let entry = try #require(try store.quarantine.list(includingClosed: false).first)
            #expect(entry.key == #"{"id":2}"# && entry.value == #""b""# && entry.changedField == "code")
        }
        #expect(try change(Self.choices("ac"), run: 8, .refuse) == [])
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(try scene.items() == ["1 a n", "2 b n", "3 a n"])
        try scene.table(Self.choices("ab")) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
        // A value that is put back brings back what was kept.
        _ = try change(Self.choices("a"), run: 9, .quarantine)
        #expect(try scene.items()[1] == "2 - n")
        #expect(try change(Self.choices("ab"), run: 10, .refuse).map(\.rows) == [1, 1])
        #expect(try scene.items()[1] == "2 b n")
        try scene.table(Self.choices("ab")) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func valuesComeBackToAColumnThatStays(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ax")
        func change(_ schema: RecordSchema, run: Int64, _ misfits: FieldConversion.Misfits) throws -> [SchemaChange] {
            try scene.transaction(recording: run) { try $0.convertStored([schema], by: Self.conversion(misfits)) }
        }
        func undo(_ run: Int64) throws -> [SchemaChange] {
            try scene.transaction { try $0.revertSchema(of: run, by: Self.conversion()) }
        }
        func open() throws -> [QuarantineEntry] {
            try scene.read { try $0.quarantine.list(includingClosed: false) }
        }
        #expect(
            try change(Self.choices("a"), run: 7, .quarantine).map(\.kind) == [.changeType, .quarantineValues])
        #expect(try scene.items() == ["1 a n", "2 - n"])
        let undone = try undo(7)
        #expect(undone.map(\.kind) == [.changeType, .restoreValues] && undone.map(\.rows) == [0, 1])
        #expect(try scene.items() == ["1 a n", "2 x n"])
        #expect(try open() == [])
        // The pipeline that says the type of before does the same.
        _ = try change(Self.choices("a"), run: 8, .quarantine)
        #expect(try change(Self.before, run: 9, .refuse).map(\.kind) == [.changeType, .restoreValues])
        #expect(try scene.items() == ["1 a n", "2 x n"])
        // What somebody wrote since stays, and so does what was kept.
        _ = try change(Self.choices("a"), run: 10, .quarantine)
        try scene.place.update("items", set: ["code": .text("a")], where: "id", is: .integer(2))
        #expect(try undo(10).map(\.kind) == [.changeType])
        #expect(try scene.items() == ["1 a n", "2 a n"])
        let kept = try scene.read { store throws in
            try store.changes.entries(run: 10, order: .newestFirst, beyond: nil, limit: 9)
        }.filter { $0.subject == .quarantine }
        #expect(kept.map(\.action) == ["opened"])
        for entry in kept { #expect(try !scene.transaction { try $0.quarantine.revert(entry) }) }
        #expect(try open().map(\.value) == [#""x""#])
    }

    @Test(arguments: StoreUnderTest.all, [true, false])
    func whatWasKeptOfAFieldGoesByItsNewName(_ kind: StoreUnderTest, _ isUndone: Bool) throws {
        let scene = try StoreScene.items(kind, "1x")
        _ = try scene.transaction(recording: 7) {
            try $0.convertStored([Self.numbers], by: Self.conversion(.quarantine))
        }
        func renamed(_ type: FieldType) -> RecordSchema {
            var schema = RecordSchema.test([("id", .int), ("number", type), ("name", .string)])
            schema.fields[1].formerNames = ["code"]
            return schema
        }
        _ = try scene.transaction(recording: 8) { try $0.followNames(of: renamed(.int)) }
        let entry = try #require(try scene.read { try $0.quarantine.list(includingClosed: false) }.first)
        #expect(entry.reason == "type_changed:number" && entry.pointer == "/number")
        #expect(entry.message.hasPrefix("`number` is int now"), "\(entry.message)")
        let changes = try scene.transaction(recording: 9) { store throws in
            isUndone
                ? try store.revertSchema(of: 7, by: Self.conversion())
                : try store.convertStored([renamed(.string)], by: Self.conversion())
        }
        #expect(changes.map(\.kind) == [.changeType, .restoreValues])
        #expect(try scene.place.rows(of: "items", ["number"]).map { $0[0] } == [.text("1"), .text("x")])
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aFieldGetsANameAndATypeAtOnce(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "12")
        var renamed = RecordSchema.test([("id", .int), ("number", .int), ("name", .string)])
        renamed.fields[1].formerNames = ["code"]
        let changes = try scene.transaction(recording: 7) { store throws in
            try store.followNames(of: renamed) + store.convertStored([renamed], by: Self.conversion())
        }
        #expect(changes.map(\.kind) == [.renameColumn, .changeType])
        #expect(
            try scene.place.rows(of: "items", ["id", "number"]).map { $0.map(\.words) } == [["1", "1"], ["2", "2"]])
        try scene.table(renamed) { table throws in
            #expect(try table.localRow(key(.integer(1)))?[1] == .integer(1))
            #expect(try table.baseRow(key(.integer(1)))?.entries[1] == .value(.integer(1)))
        }
        // The name stays, the type goes back.
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: Self.conversion()) }
        #expect(try scene.place.rows(of: "items", ["number"]).map { $0[0] } == [.text("1"), .text("2")])
    }
}
