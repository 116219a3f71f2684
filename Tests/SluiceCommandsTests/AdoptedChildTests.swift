import SluiceSQLite
import Testing

/// Tables of other programs that hold the keys of others in columns with names of their own, as Django's and Rails' do.
@Suite struct AdoptedChildTests {
    private func makeShop(
        line: String = ", column: order_id", tags: String = ", owner_column: order_id, target_column: tag_id"
    )
        throws -> Workshop
    {
        let shop = try Workshop()
        try shop.make(
            """
            CREATE TABLE shop_order (number varchar(20) NOT NULL PRIMARY KEY);
            CREATE TABLE shop_tag (name varchar(20) NOT NULL PRIMARY KEY);
            CREATE TABLE shop_line (
                id integer NOT NULL PRIMARY KEY AUTOINCREMENT, sku varchar(20) NOT NULL, quantity integer NOT NULL,
                order_id varchar(20) NOT NULL REFERENCES shop_order (number) DEFERRABLE INITIALLY DEFERRED,
                UNIQUE (order_id, sku));
            CREATE TABLE shop_order_tags (
                id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
                order_id varchar(20) NOT NULL REFERENCES shop_order (number) DEFERRABLE INITIALLY DEFERRED,
                tag_id varchar(20) NOT NULL REFERENCES shop_tag (name) DEFERRABLE INITIALLY DEFERRED,
                UNIQUE (order_id, tag_id))
            """)
        try write(shop, line, tags)
        try put(#"[{"sku":"POT","quantity":2},{"sku":"CUP","quantity":1}]"#, #"[{"name":"gold"}]"#, in: shop)
        return shop
    }

    private func write(_ shop: Workshop, _ line: String, _ tags: String) throws {
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Order:
                table: shop_order
                primary_key: number
                fields: {number: string, tags: {refs: Tag, from: "tags[*]", via: shop_order_tags\(tags)}}
                children: {lines: {entity: Line, key: sku\(line)}}
              Line: {table: shop_line, fields: {sku: string, quantity: int}}
              Tag: {table: shop_tag, primary_key: name, fields: {name: string}}
            streams:
              - {name: orders, entity: Order, path: orders.json}
            """, to: "shop.yaml")
    }

    private func put(_ lines: String, _ tags: String, in shop: Workshop) throws {
        try shop.write(#"[{"number":"A-1","lines":\#(lines),"tags":\#(tags)}]"#, to: "orders.json")
    }

    private func rows(_ shop: Workshop) throws -> [String] {
        try shop.rows(
            """
            SELECT order_id || ' ' || sku || ' ' || quantity FROM shop_line
            UNION ALL SELECT order_id || ' ' || tag_id FROM shop_order_tags ORDER BY 1
            """
        ).map { $0.joined() }
    }

    @Test func theColumnsAreNamedByTheirKeys() throws {
        let shop = try makeShop()
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let before = ["A-1 CUP 1", "A-1 POT 2", "A-1 gold"]
        #expect(try rows(shop) == before)
        #expect(shop.sluice("run", shop.pipeline).output.contains("nothing changed"))
        try put(#"[{"sku":"POT","quantity":3}]"#, "[]", in: shop)
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(try rows(shop) == ["A-1 POT 3"])
        let undone = shop.sluice("undo", "3")
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(try rows(shop) == before)
    }

    /// Tables that runs made follow the keys.
    @Test func columnsOfTablesThatAreThereFollow() throws {
        let shop = try Workshop()
        try write(shop, "", "")
        try put(#"[{"sku":"POT","quantity":2}]"#, #"[{"name":"gold"}]"#, in: shop)
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try write(shop, ", column: order_id", ", owner_column: order_id, target_column: tag_id")
        let run = shop.sluice("run", shop.pipeline)
        #expect(
            run.code == 0 && run.output.contains(#"RENAME COLUMN "order_number" TO "order_id""#),
            "\(run.output)\(run.errors)")
        #expect(try rows(shop) == ["A-1 POT 2", "A-1 gold"])
    }

    /// The message names the keys.
    @Test(
        arguments: [
            ("", nil, "name it with `column` of the list in `children`"),
            (nil, "", "`owner_column` and `target_column`"),
        ]
            as [(String?, String?, String)])
    func aTableWithOtherColumnsIsRefusedWithTheKeysThatNameThem(_ line: String?, _ tags: String?, _ words: String)
        throws
    {
        let shop = try makeShop(
            line: line ?? ", column: order_id", tags: tags ?? ", owner_column: order_id, target_column: tag_id")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 4 && run.output.contains(words), "\(run.output)\(run.errors)")
    }

    @Test func eachFieldOfAKeyNeedsAColumn() throws {
        let shop = try makeShop(line: ", column: [order_id, x]", tags: ", target_column: []")
        let told = shop.run(["validate", shop.pipeline])
        #expect(told.code == 78)
        let text = told.output + told.errors
        #expect(
            text.contains(
                "`entities.Order.children.lines.column` names 2 columns, and the key of `Order` has 1 field."),
            "\(text)")
        #expect(text.contains("`entities.Order.fields.tags.target_column`"), "\(text)")
    }
}
