import SluiceSQLite
import TestSupport

extension WorkshopFile {
    func shape() throws -> [String] {
        let tables =
            "sqlite_schema AS m WHERE m.type = 'table' AND m.name NOT GLOB '_sluice*' AND m.name NOT GLOB 'sqlite_*'"
        return try [
            """
            SELECT 'column', m.name, c.name, c.type, c."notnull", c.pk
            FROM (SELECT m.name FROM \(tables)) AS m, pragma_table_xinfo(m.name) AS c
            """,
            """
            SELECT 'foreign key', m.name, group_concat(k."from"), k."table", group_concat(k."to"), k.on_delete
            FROM (SELECT m.name FROM \(tables)) AS m, pragma_foreign_key_list(m.name) AS k
            GROUP BY m.name, k.id, k."table", k.on_delete
            """,
            """
            SELECT 'index', m.name, i.name, i."unique", i.partial,
                (SELECT group_concat(p.name) FROM pragma_index_info(i.name) AS p)
            FROM (SELECT m.name FROM \(tables)) AS m, pragma_index_list(m.name) AS i WHERE i.origin = 'c'
            """,
            "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')",
        ].flatMap { try rows($0) }.map { $0.map(Workshop.text).joined(separator: "|") }.sorted()
    }
}

extension WorkshopSchema {
    func shape() throws -> [String] {
        let isOurs = "n.nspname = '\(place.schema)' AND c.relname NOT LIKE '\\_sluice%'"
        let classes = "pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
        return try [
            """
            SELECT 'column', c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull::text
            FROM \(classes) JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE \(isOurs) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            """,
            """
            SELECT 'constraint', c.relname::text, CASE k.contype WHEN 'u' THEN k.conname::text ELSE '' END,
                pg_get_constraintdef(k.oid)
            FROM \(classes) JOIN pg_constraint AS k ON k.conrelid = c.oid WHERE \(isOurs)
            """,
            """
            SELECT 'index', c.relname::text, pg_get_indexdef(i.indexrelid)
            FROM \(classes) JOIN pg_index AS i ON i.indrelid = c.oid WHERE \(isOurs) AND c.relkind = 'r'
                AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
            """,
            "SELECT 'view', c.relname::text, pg_get_viewdef(c.oid) FROM \(classes) WHERE \(isOurs) AND c.relkind = 'v'",
        ].flatMap { try rows($0) }.map { $0.map(Workshop.text).joined(separator: "|") }.sorted()
    }
}
