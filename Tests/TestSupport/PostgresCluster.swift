import FoundationEssentials
import Glibc
import Synchronization

/// A PostgreSQL server of the tests' own: its data and its socket are in a temporary folder, and nobody else can reach it.
///
/// A shell holds it on a leash, and ends it and removes the folder when this process ends, however it does. Durability is
/// off. The superuser is `postgres`; the role `locked` has the password `open sesame`, and needs it.
public final class PostgresCluster: Sendable {
    /// Where tests connect to: the server that `SLUICE_TEST_POSTGRES` names, or else one for this whole process.
    ///
    /// - Returns: A URL.
    /// - Throws: ``Failure`` where no server starts.
    public static func sharedURL() throws -> String {
        if let named = unsafe getenv("SLUICE_TEST_POSTGRES") { return unsafe String(cString: named) }
        return try shared.get().url
    }

    private static let shared = Result { try PostgresCluster() }

    private let folder: TemporaryDirectory
    private let leash: Mutex<UInt>
    /// Where the server is, with its superuser.
    public var url: String { url(user: "postgres") }

    /// Where the server is, with a role and what else a URL says.
    public func url(user: String, password: String? = nil, database: String = "postgres") -> String {
        "postgres://\(user)\(password.map { ":\($0)" } ?? "")@/\(database)?host=\(folder.path)"
    }

    /// The socket that it listens on.
    public var socketPath: String { folder.file(".s.PGSQL.5432") }

    /// The variables by which programs find the server.
    public var environment: [String: String] {
        ["PGHOST": folder.path, "PGUSER": "postgres", "PGDATABASE": "postgres"]
    }

    /// Starts a server.
    ///
    /// - Throws: ``Failure`` where that is not possible.
    public init() throws {
        folder = try TemporaryDirectory()
        let start = try Self.command(Self.script(folder.path), in: folder, named: "start")
        guard unsafe mkfifo(folder.file("ready"), 0o600) == 0, let opened = unsafe popen(start, "we") else {
            throw Failure(text: "no shell can be started")
        }
        leash = Mutex(UInt(bitPattern: opened))
        // The shell opens the other end at once, and closes it when the server is ready.
        try Self.expectReady(try Self.contents(folder.file("ready")), log: folder.file("log"))
    }

    deinit {
        let address = leash.withLock { $0 }
        if let opened = unsafe UnsafeMutablePointer<FILE>(bitPattern: address) { _ = unsafe pclose(opened) }
    }

    /// Kills the server's processes, as a crash would. What is committed stays.
    ///
    /// - Throws: ``Failure``.
    public func crash() throws { try run("pg_ctl -D data -m immediate stop") }

    /// Starts the server again.
    ///
    /// - Throws: ``Failure``.
    public func restart() throws { try run("pg_ctl -D data -l log -w start") }

    /// Why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        let text: String
        /// What happened, with the end of the server's log.
        public var description: String { text }
    }

    private func run(_ command: String) throws {
        let text = "\(Self.prelude(folder.path)) $as \"$bin\"/\(command) </dev/null >/dev/null 2>&1"
        guard unsafe system(try Self.command(text, in: folder, named: "command")) == 0 else {
            throw Failure(text: "`\(command)` failed: \(Self.end(of: folder.file("log")))")
        }
    }

    /// A command that runs a script. Not `sh`, which cannot close descriptors above 9.
    private static func command(_ script: String, in folder: TemporaryDirectory, named name: String) throws -> String {
        let path = folder.file("\(name).sh")
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        return "exec bash -c \"$(cat '\(path)')\""
    }

    private static func expectReady(_ answer: String, log: String) throws {
        guard answer == "ready\n" else {
            throw Failure(
                text: "PostgreSQL does not start (`make setup` installs it): \(answer) \(end(of: log))")
        }
    }

    private static func contents(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "re") else { throw Failure(text: "cannot read \(path)") }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func end(of log: String) -> String { String(((try? contents(log)) ?? "").suffix(2000)) }

    /// Goes to the folder, and finds the programs and as whom they run: PostgreSQL refuses to be root.
    ///
    /// The server outlives whatever another test has open just then. Who reads a pipe to its end would wait for the server as well, so it
    /// keeps none.
    private static func prelude(_ folder: String) -> String {
        """
        for descriptor in /dev/fd/*; do
            number=${descriptor##*/}
            if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
        done
        cd '\(folder)' || exit 1
        as=
        if [ "$(id -u)" = 0 ]; then as='setpriv --reuid=postgres --regid=postgres --init-groups'; fi
        for bin in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin "$(dirname "$(command -v initdb)")"; do
            if [ -x "$bin/initdb" ]; then break; fi
        done
        export LC_ALL=C
        """ + "\n"
    }

    private static func script(_ folder: String) -> String {
        prelude(folder) + """
            trap '' INT HUP QUIT TERM
            {
                if [ -n "$as" ]; then chown postgres . ; fi
                $as "$bin"/initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions >log 2>&1 &&
                cat >>data/postgresql.conf <<END &&
            listen_addresses = ''
            unix_socket_directories = '\(folder)'
            fsync = off
                full_page_writes = off
            shared_buffers = 64MB
            max_connections = 100
            max_prepared_transactions = 8
            deadlock_timeout = 100ms
            jit = off
            timezone = 'UTC'
            END
                printf '%s\\n' 'local all locked scram-sha-256' 'local all all trust' >data/pg_hba.conf &&
                echo "CREATE ROLE locked LOGIN PASSWORD 'open sesame'" |
                    $as "$bin"/postgres --single -D data postgres >>log 2>&1 &&
                touch log && if [ -n "$as" ]; then chown postgres log; fi &&
                $as "$bin"/pg_ctl -D data -l log -w start >/dev/null </dev/null && echo ready || echo failed
            } >ready
            cat >/dev/null
            $as "$bin"/pg_ctl -D data -m immediate stop >/dev/null 2>&1
            cd / && rm -rf '\(folder)'
            """
    }
}
