/// The variables that libpq reads from the environment of the process, for what the URL of a store leaves out. See:
/// postgresql.org/docs/current/libpq-envars.html
enum LibpqVariables {
    /// Those that say where a database is, each with the part of a URL that takes its place.
    private static let places: [(name: String, part: URLPart)] = [
        ("PGHOST", .host), ("PGHOSTADDR", .host), ("PGPORT", .port), ("PGDATABASE", .database), ("PGUSER", .user),
        ("PGSERVICE", .service), ("PGPASSWORD", .password),
    ]

    private enum URLPart: String {
        case host, port, user, password, service
        case database = "dbname"
    }

    /// The variables that are set and say what a URL leaves out.
    ///
    /// - Parameters:
    ///   - url: A store on PostgreSQL.
    ///   - environment: The variables that are set.
    /// - Returns: Their names.
    static func completing(_ url: String, in environment: [String: String]) -> [String] {
        let said = parts(of: url)
        return places.filter { !said.contains($0.part) && environment[$0.name]?.isEmpty == false }.map(\.name)
    }

    /// What a URL says, be it in front or behind `?`.
    private static func parts(of url: String) -> Set<URLPart> {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parts = Set(
            halves.dropFirst().flatMap { $0.split(separator: "&") }.compactMap { pair in
                URLPart(rawValue: String(pair.prefix { $0 != "=" }))
            })
        guard let scheme = halves[0].firstRange(of: "://") else { return parts }
        let rest = halves[0][scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        if rest.dropFirst(authority.count + 1).contains(where: { $0 != "/" }) { parts.insert(.database) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if authority.contains("@") {
            parts.insert(.user)
            if authority.dropLast(host.count).contains(":") { parts.insert(.password) }
        }
        if host.contains(where: { $0 != ":" }) { parts.insert(.host) }
        if host.contains(":") { parts.insert(.port) }
        return parts
    }
}
