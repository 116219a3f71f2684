import SluiceModel
import TestSupport

/// The kinds of databases that a store is in.
enum StoreKind: String, CaseIterable, Sendable {
    case file, schema

    /// Has a workshop's store be in a database of the kind, in which tables can be made before the first run.
    func take(_ shop: Workshop) throws {
        guard self == .schema else { return }
        let schema = try WorkshopSchema()
        try schema.execute("CREATE SCHEMA \(schema.place.schema)")
        shop.database = schema
    }
}

/// A trigger of a table that refuses some of its rows, in the words of each kind of database.
struct TableRule: Sendable {
    let event: String
    let table: String
    let condition: String
    /// What it says; nil where it skips the row and says nothing.
    var message: String? = "not so"

    /// Makes it.
    func make(in shop: Workshop) throws { try shop.sql(shop.database is WorkshopSchema ? postgres : sqlite) }

    /// Takes it away.
    func drop(in shop: Workshop) throws {
        try shop.sql(shop.database is WorkshopSchema ? "DROP TRIGGER rule ON \(table)" : "DROP TRIGGER rule")
    }

    private var sqlite: String {
        let action = message.map { "RAISE(ABORT, '\($0)')" } ?? "RAISE(IGNORE)"
        return "CREATE TRIGGER rule BEFORE \(event) ON \(table) WHEN \(condition) BEGIN SELECT \(action); END"
    }

    private var postgres: String {
        let action = message.map { "RAISE EXCEPTION '\($0)'" } ?? "RETURN NULL"
        return """
            CREATE FUNCTION rule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF \(condition) THEN \(action); END IF; RETURN \(event == "DELETE" ? "OLD" : "NEW"); END $$;
            CREATE TRIGGER rule BEFORE \(event) ON \(table) FOR EACH ROW EXECUTE FUNCTION rule()
            """
    }
}
