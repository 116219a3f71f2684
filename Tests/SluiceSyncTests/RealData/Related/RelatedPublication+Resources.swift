extension RelatedPublication {
    /// References that are an identifier in one record and the whole object in another one.
    static let resources = RelatedPublication(
        name: "stripe-fixtures",
        pipeline: """
            version: 1
            name: resources
            source: {base_url: "file:BASE"}
            defaults: {path: fixtures3.json, delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Resource:
                table: resources
                primary_key: name
                fields:
                  name: string
                  kind: {from: object}
                  customer: {ref: Customer, on_missing: set_null}
                  charge: {ref: Charge, on_missing: set_null}
                children: {lines: {entity: Line, from: "lines.data[*]", key: id}}
              Line: {table: lines, fields: {id: string, amount: int}}
              Customer: {table: customers, primary_key: id, fields: {id: string, description: string}}
              Charge: {table: charges, primary_key: id, fields: {id: string, amount: int, balance: {from: balance_transaction}}}
            streams:
              - {name: resources, entity: Resource, records: $.resources, entries: name}
              - {name: charges, entity: Charge, records: $.resources.charge}
            """,
        tables: [
            Table(
                origin: .stream("resources"), key: 1,
                stored: """
                    SELECT name, kind, coalesce(customer_id, \(waiting("customer"))),
                    coalesce(charge_id, \(waiting("charge"))) FROM resources
                    """,
                published: """
                    SELECT r.key, r.value->>'object', coalesce(r.value->>'$.customer.id', r.value->>'customer'),
                    coalesce(r.value->>'$.charge.id', r.value->>'charge') FROM \(members)
                    """),
            Table(
                origin: .children("Line", of: "resources"), key: 2,
                stored: "SELECT resource_name, id, amount FROM lines",
                published: """
                    SELECT r.key, l.value->>'id', l.value->>'amount' FROM published,
                    json_each(body, '$.resources') AS r, json_each(r.value, '$.lines.data') AS l
                    """),
            Table(
                origin: .stream("charges"), key: 1, stored: "SELECT id, amount, balance FROM charges",
                published: """
                    SELECT body->>'$.resources.charge.id', body->>'$.resources.charge.amount',
                    body->>'$.resources.charge.balance_transaction' FROM published
                    """),
        ], waiting: ["customer": ("customers", "id"), "charge": ("charges", "id")])

    private static let members = "published, json_each(body, '$.resources') AS r"

    private static func waiting(_ field: String) -> String {
        """
        (SELECT json_extract(target_key, '$[0]') FROM _sluice_pending WHERE "table" = 'resources'
        AND key = json_array(name) AND field = '\(field)')
        """
    }
}
