import SluiceModel

extension Publication {
    /// A map of records of many kinds: epochs, amounts, many nulls, and references that may be whole objects.
    static let stripe = Publication(
        name: "stripe-fixtures", folder: "stripe-fixtures",
        pipeline: """
            version: 1
            name: stripe
            source: {base_url: "file:BASE"}
            defaults: {path: fixtures3.json, delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Resource:
                table: resources
                primary_key: resource
                fields:
                  resource: string
                  id: string
                  object: string
                  created: {type: datetime, format: unix}
                  livemode: {type: enum, values: [live, test], map: {true: live, false: test}}
                  amount: {type: int, on_type_mismatch: set_null}
                  price: {from: unit_amount_decimal, type: decimal}
                  percentage: decimal
                  currency: string
                  customer: json
                  customer_id: {expr: '.customer | if type == "object" then .id else . end'}
                  metadata: json
                  has_more: {from: lines.has_more, type: bool}
                  whole: {from: $, type: json}
              Object:
                table: objects
                primary_key: [object, id]
                fields:
                  object: string
                  id: string
                  name: string
                  status: {type: string, on_null: keep}
                  amount: int
                  created: {type: datetime, format: [rfc3339, unix], on_missing: set_null}
                  expires_at: {type: datetime, format: unix}
            streams:
              - {name: resources, entity: Resource, records: $.resources, entries: resource}
              - name: objects
                entity: Object
                records: {jq: '.resources | to_entries[] | .value.kind = .key | .value'}
                filter: '.kind | startswith("deleted_") | not'
            """,
        collections: [
            Collection(
                name: "resources", key: ["resource"],
                columns: [
                    Column("resource", at: "RESOURCE"), Column("id"), Column("object"),
                    Column("created", .datetime, format: "unix"),
                    Column("livemode", .enumeration, values: ["live", "test"]) { resource in
                        resource["livemode"].map { .string($0 == .bool(true) ? "live" : "test") }
                    },
                    Column("amount", .int, forgives: true), Column("price", .decimal, at: "unit_amount_decimal"),
                    Column("percentage", .decimal), Column("currency"), Column("customer", .json),
                    Column("customer_id") { resource in
                        if case .object? = resource["customer"] { return resource.at("customer.id") ?? .null }
                        return resource["customer"] ?? .null
                    },
                    Column("metadata", .json), Column("has_more", .bool, at: "lines.has_more"),
                    Column("whole", .json) { resource in .object(resource.members.filter { $0.name != "RESOURCE" }) },
                ],
                published: [
                    105, .init(128, steps: [35, 12, 91, 2]), .init(164, steps: [38, 2, 118, 8]),
                    .init(176, steps: [12, 0, 49, 115]),
                ]
            ) { try resources($0, key: "RESOURCE") },
            Collection(
                name: "objects", key: ["object", "id"],
                columns: [
                    Column("object"), Column("id"), Column("name"),
                    Column("status") { $0["status"] == .null ? nil : $0["status"] },
                    // Of several records with a key only the last counts, and of these none has another type.
                    Column("amount", .int), Column("created", .datetime, format: "unix", clears: true),
                    Column("expires_at", .datetime, format: "unix"),
                ],
                keeps: { $0["kind"]?.text?.hasPrefix("deleted_") != true },
                published: [
                    .init(105, keyless: 6, filtered: 21), .init(128, keyless: 7, filtered: 21),
                    .init(164, keyless: 15, filtered: 26), .init(176, keyless: 18, filtered: 26),
                ]
            ) { try resources($0, key: "kind") },
        ])

    /// The members of the map, each with its name under a key.
    private static func resources(_ version: Version, key: String) throws -> [Tree] {
        try version.tree("fixtures3.json")["resources"]?.members.map { $0.value.adding(key, .string($0.name)) } ?? []
    }
}
