import SluiceDiscovery
import Testing

/// Which paths ask for what belongs to one record of a list.
@Suite struct ParentPathTests {
    @Test(arguments: [
        ("/tickets/101/comments", "tickets", "101", "/tickets/{{ parent.id }}/comments"),
        ("/api/3/projects/12/issues", "projects", "12", "/api/3/projects/{{ parent.id }}/issues"),
        ("/orgs/7/teams/9/members", "teams", "9", "/orgs/7/teams/{{ parent.id }}/members"),
        (
            "/orders/0b9c7e52-6f0a-4c1e-9d57-2f8b1a3c4d5e/lines", "orders", "0b9c7e52-6f0a-4c1e-9d57-2f8b1a3c4d5e",
            "/orders/{{ parent.id }}/lines"
        ),
    ])
    func oneRecordIsNamed(_ path: String, list: String, record: String, pattern: String) throws {
        let parent = try #require(ParentPath(path))
        #expect(parent.list == list && parent.record == record && parent.path == pattern)
    }

    @Test(arguments: [
        "/tickets", "/tickets/101", "/101/comments", "/api/2/tickets", "/rest/API/3/search", "/v2/tickets", "/a b/1/c",
        "/tickets/101/", "/tickets/${ID}/7/comments", "", "/",
    ])
    func noRecordIsNamed(_ path: String) { #expect(ParentPath(path) == nil) }
}
