import SluicePipeline
import SluicePostgres
import SluiceReport
import TestSupport
import Testing

/// Runs whose connection the server ends: where it answers again, the history says that they failed, once.
@Suite struct PostgresLostRunTests {
    private static func json(_ text: String) -> String { #"[{"id": 1, "a": "\#(text)", "b": "same"}]"# }

    @Test func aRunWhoseConnectionEndsIsInTheHistory() throws {
        let shop = try Workshop()
        shop.database = try WorkshopSchema()
        try shop.put(Self.json("v1"))
        #expect(shop.sync().report.status == .succeeded)
        try shop.database.execute(
            """
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NEW; END';
            CREATE TRIGGER cut BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION cut()
            """)
        try shop.put(Self.json("v2"))
        let failed = shop.sync().report
        #expect(failed.status == .failed && failed.run == 2, "\(failed.problems)")
        try shop.database.execute("DROP TRIGGER cut ON items")
        #expect(try shop.rows("SELECT status FROM _sluice_runs ORDER BY id") == ["'succeeded'", "'failed'"])
        #expect(try shop.rows("SELECT a FROM items") == ["'v1'"])
        let next = shop.sync().report
        #expect(next.status == .succeeded && next.run == 3, "\(next.problems)")
        #expect(try shop.rows("SELECT a FROM items") == ["'v2'"])
    }

    /// Somebody cancels a statement, or it takes longer than the server allows: nobody stopped the run.
    @Test func aRunWhoseStatementIsCancelledFails() throws {
        let shop = try Workshop()
        shop.database = try WorkshopSchema()
        try shop.put(Self.json("v1"))
        #expect(shop.sync().report.status == .succeeded)
        try shop.database.execute(
            """
            CREATE FUNCTION cancel() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NEW; END';
            CREATE TRIGGER cancel BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION cancel()
            """)
        try shop.put(Self.json("v2"))
        let failed = shop.sync().report
        #expect(failed.status == .failed)
        let problem = try #require(failed.problems.first { $0.severity == .error }, "\(failed.problems)")
        #expect(problem.message.contains("ended a statement: canceling statement due to user request"), "\(problem)")
        #expect(failed.problemsBesideStop.contains(problem))
        #expect(try shop.rows("SELECT a FROM items") == ["'v1'"])
    }
}
