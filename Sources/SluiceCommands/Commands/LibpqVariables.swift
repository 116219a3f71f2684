internal import SluiceStores

/// The variables that libpq reads from the environment of the process, for what the URL of a store leaves out. See:
/// postgresql.org/docs/current/libpq-envars.html
enum LibpqVariables {
    /// Those that say where a database is and who asks, each with the keyword that takes its place.
    private static let places = [
        ("PGHOST", "host"), ("PGHOSTADDR", "host"), ("PGPORT", "port"), ("PGDATABASE", "dbname"), ("PGUSER", "user"),
        ("PGSERVICE", "service"), ("PGPASSWORD", "password"),
    ]

    /// The variables that are set and say what a store's URL leaves out.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - environment: The variables that are set.
    /// - Returns: Their names.
    static func completing(_ store: StoreAddress, in environment: [String: String]) -> [String] {
        let said = store.keywords
        return places.filter { !said.contains($1) && environment[$0]?.isEmpty == false }.map(\.0)
    }
}
