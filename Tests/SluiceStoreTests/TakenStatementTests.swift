import SluiceSQLStore
import Testing

/// Which statements reports tell of, and which table they are about.
@Suite struct TakenStatementTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        var table: String?
        var isTold = true
        var testDescription: String { sql }
    }

    static let cases = [
        Case(sql: #"ALTER TABLE "items" ADD COLUMN "x" TEXT"#, table: "items"),
        Case(sql: #"ALTER TABLE "sales"."items" DROP COLUMN "x""#, table: "items"),
        Case(sql: #"UPDATE "a ""b" SET "x" = ?1"#, table: #"a "b"#),
        Case(sql: #"UPDATE items AS o SET x = 1"#, table: "items"),
        Case(sql: #"INSERT INTO "_sluice_new_items" ("id") SELECT "id" FROM "items""#, table: "items"),
        Case(sql: #"CREATE TABLE "_sluice_new_items" ("id" TEXT)"#, table: "items"),
        Case(sql: #"CREATE UNIQUE INDEX "n" ON "sales"."items" ("code")"#, table: "items"),
        Case(sql: #"DROP INDEX "items_code""#), Case(sql: #"DROP TRIGGER "t""#),
        Case(sql: "create trigger t after update on items begin select 1; end"),
        Case(sql: #"DROP VIEW "sales"."totals""#),
        Case(sql: #"DROP VIEW "conflicts_items""#, isTold: false),
        Case(sql: #"CREATE VIEW "sales"."conflicts_items" AS SELECT 1"#, isTold: false),
        Case(sql: #"UPDATE "_sluice_changes" SET old = ?2 WHERE id = ?1"#, isTold: false),
        Case(sql: #"DROP TABLE "sales"."_sluice_base_a_b_C""#, isTold: false),
        Case(sql: #"COMMENT ON VIEW "sales"."conflicts_items" IS 'x'"#, isTold: false),
    ]

    @Test(arguments: cases)
    func tablesOfPeopleAreTold(test: Case) {
        let statement = TakenStatement(test.sql)
        #expect((statement != nil) == test.isTold)
        #expect(statement?.table == test.table)
        #expect(!test.isTold || statement?.sql == test.sql)
    }

    @Test func oneThatRunsAgainAndAgainSaysSo() {
        let statement = TakenStatement(#"UPDATE "items" SET "x" = ?1 WHERE "id" = ?2"#, isRepeated: true)
        #expect(
            statement?.sql
                == "-- for each row, with values that Sluice makes:\n" + #"UPDATE "items" SET "x" = ?1 WHERE "id" = ?2"#
        )
    }
}
