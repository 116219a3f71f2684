internal import CSluicePostgres

/// Where a database is and how to connect to it, as libpq takes it: `postgres://user@host:5432/shop?sslmode=verify-full`,
/// or `host=… dbname=…`. What it leaves out comes from the environment (`PGHOST`, …), a service file (`service=…`), and
/// for the password a file like `~/.pgpass`. See: postgresql.org/docs/current/libpq-connect.html
///
/// It shows no password: neither as text, nor in the errors that it causes.
package struct PostgresAddress: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What libpq is given.
    let text: String
    /// The passwords that the text names.
    package let secrets: [String]
    /// The keywords of libpq for which the text has values.
    package let keywords: Set<String>
    /// What may be shown.
    package let description: String
    /// The hosts that the address names.
    package let hosts: [String]
    /// The name of the database, where the address says it.
    package let database: String?
    /// What tells where the database is and who asks, and what proves it: not to be told where the address is a secret.
    package let parts: [String]

    /// Reads an address. Nothing is connected.
    ///
    /// - Parameter text: A URL or a list of `keyword=value`; empty for all that the environment says.
    /// - Throws: ``PostgresError`` where libpq cannot read it, or where a character of the password ends it early.
    package init(_ text: String) throws(PostgresError) {
        if text.utf8.contains(0) { throw Self.unreadable("it has a NUL") }
        let options = try Self.options(of: text)
        self.text = text
        secrets = options.filter(\.isSecret).map(\.value)
        keywords = Set(options.map(\.keyword))
        let isURL = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
        var shown: [String: String] = [:]
        for option in options where !option.isSecret { shown[option.keyword] = option.value }
        // A password with one of these characters makes libpq take a part of it for the host, the port or the database,
        // and then tell it: better not to try.
        let isPlain = (shown["port"] ?? "").utf8.allSatisfy { "0123456789,".utf8.contains($0) }
        let hasStray =
            isURL && [shown["host"], shown["dbname"]].contains { $0?.utf8.contains(UInt8(ascii: "@")) == true }
        guard isPlain && !hasStray else {
            throw Self.unreadable(
                isURL
                    ? "its host, port or database has a character that is not allowed there"
                    : "its port is not a number",
                remedy: isURL ? "In a URL, write `@ : / ? # %` of a password as %40 %3A %2F %3F %23 %25" : nil)
        }
        let order = ["service", "user", "host", "hostaddr", "port", "dbname"]
        description = order.compactMap { key in shown[key].map { "\(key)=\($0)" } }.joined(separator: " ")
        database = shown["dbname"]
        parts = secrets + order.filter { $0 != "port" }.compactMap { shown[$0] }
        hosts = ["host", "hostaddr"].compactMap { shown[$0] }
    }

    /// As ``description``.
    package var debugDescription: String { description }
    /// Without the text, which has the password.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private struct Option {
        let keyword: String
        let value: String
        let isSecret: Bool
    }

    private static func options(of text: String) throws(PostgresError) -> [Option] {
        var reason: UnsafeMutablePointer<CChar>?
        guard let first = unsafe PQconninfoParse(text, &reason) else {
            let message = unsafe reason.map { unsafe String(cString: $0) } ?? "out of memory"
            unsafe PQfreemem(reason)
            // libpq quotes what it could not read, and that may be the password.
            throw unreadable(ErrorText.withoutQuoted(ErrorText.line(message)))
        }
        defer { unsafe PQconninfoFree(first) }
        var options: [Option] = []
        var next = unsafe first
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                // Options that libpq marks so are not to be shown. See: the manual of PQconndefaults, `dispchar`
                let mark = unsafe next.pointee.dispchar.map { unsafe String(cString: $0) } ?? ""
                options.append(
                    unsafe Option(
                        keyword: String(cString: keyword), value: String(cString: value),
                        isSecret: mark.hasPrefix("*")))
            }
            unsafe next += 1
        }
        return options
    }

    private static func unreadable(_ reason: String, remedy: String? = nil) -> PostgresError {
        let advice = remedy.map { ". \($0)" } ?? ""
        return PostgresError(
            code: .cannotConnect, message: "the address of the database cannot be read: \(reason)\(advice)")
    }
}
