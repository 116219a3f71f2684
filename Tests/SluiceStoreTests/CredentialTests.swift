import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite struct CredentialTests {

    @Test func aStoreOfAnOlderFormatHasNone() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.items()) { _ in }
        try fixture.execute(
            """
            DROP TABLE _sluice_pending; DROP TABLE _sluice_scans; DROP TABLE _sluice_scan_pages;
            DROP TABLE _sluice_credentials; DROP VIEW conflicts_items; ALTER TABLE _sluice_conflicts DROP COLUMN other_source;
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_hash;
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_within;
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '3' WHERE kind = 'format'
            """)
        let store = try fixture.open(.existing)
        #expect(try store.credentials.sealed("a") == nil)
        try store.credentials.keep([7], name: "a", at: "2026-01-01T00:00:00Z")
        #expect(try store.credentials.sealed("a") == [7])
    }
}
