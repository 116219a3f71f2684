import Foundation
import TestSupport

/// A server that others wrote, with a certificate of its own, on ports that the system chooses.
///
/// It is found where Debian puts it; tests that need it are skipped, saying so, where it is missing.
final class Nginx {
    /// A request as the server's log has it.
    struct Line: Equatable {
        let connection: String
        let proto: String
        let status: String
        let isPacked: Bool
        let target: String
    }

    static let path = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isMissing: Bool { path == nil || !FileManager.default.isExecutableFile(atPath: openssl) }
    private static let openssl = "/usr/bin/openssl"

    let folder: TemporaryDirectory
    /// Over TLS, with HTTP/2.
    let url: String
    /// In the clear, with HTTP/1.1.
    let plainURL: String
    /// The file of the authority to trust.
    var certificate: String { folder.file("certificate.pem") }

    /// Starts a server of the files in `files`.
    ///
    /// - Parameter files: Their texts by their paths.
    /// - Throws: Where it does not start.
    init(files: [String: String]) throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("tmp"), withIntermediateDirectories: true)
        try Self.run(
            Self.openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days",
            "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("key.pem"),
            "-out", folder.file("certificate.pem"))
        (url, plainURL) = try Self.start(in: folder)
        for (name, text) in files { try write(name, text) }
    }

    /// Starts the program on ports that the system chooses.
    ///
    /// - Returns: Where it listens with and without TLS.
    private static func start(in folder: TemporaryDirectory) throws -> (url: String, plainURL: String) {
        var attempts = 0
        while true {
            attempts += 1
            let (port, plainPort) = (try ClosedPort().port, try ClosedPort().port)
            try configuration(port, plainPort)
                .write(toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
            do {
                // It returns when the ports are open.
                try run(path ?? "", "-p", folder.path, "-c", "nginx.conf", "-e", "error.log")
                return ("https://127.0.0.1:\(port)", "http://127.0.0.1:\(plainPort)")
            } catch  where attempts < 5 {
                // Somebody else took a port between its choice and the start.
                continue
            }
        }
    }

    deinit {
        try? Self.run(Self.path ?? "", "-p", folder.path, "-c", "nginx.conf", "-e", "error.log", "-s", "stop")
    }

    func write(_ name: String, _ text: String) throws {
        let path = folder.file("data/\(name)")
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The requests so far, in the order in which they were answered.
    func requests() throws -> [Line] {
        let text = try String(contentsOfFile: folder.file("access.log"), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Line(
                connection: words[0], proto: words[1], status: words[2], isPacked: words[3] != "-", target: words[4])
        }
    }

    private static func configuration(_ port: Int, _ plainPort: Int) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path tmp/\($0);" }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid nginx.pid;
            error_log error.log;
            events {}
            http {
              log_format short '$connection $server_protocol $status $gzip_ratio $request_uri';
              access_log access.log short;
              \(temporary.joined(separator: " "))
              types { application/json json; text/html html; }
              gzip on;
              gzip_types application/json;
              gzip_min_length 1;
              limit_req_zone $server_port zone=few:1m rate=20r/s;
              map $arg_page $following { default ""; 1 '</linked?page=2>; rel="next"'; 2 '</linked?page=3>; rel="next"'; }
              server {
                listen 127.0.0.1:\(port) ssl http2;
                listen 127.0.0.1:\(plainPort);
                ssl_certificate certificate.pem;
                ssl_certificate_key key.pem;
                root data;
                location = /items { try_files /$arg_page.json =404; }
                location = /linked { add_header Link $following; try_files /$arg_page.json =404; }
                location = /few { limit_req zone=few; limit_req_status 429; try_files /$arg_page.json =404; }
                location = /busy { limit_req zone=few; try_files /$arg_page.json =404; }
              }
            }
            """
    }

    /// Runs a program to its end. What it leaves behind holds no file of ours, so nobody waits for that.
    private static func run(_ program: String, _ arguments: String...) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var strings = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        var child: pid_t = 0
        var status: Int32 = 0
        guard unsafe posix_spawn(&child, program, &actions, nil, &strings, environ) == 0,
            unsafe waitpid(child, &status, 0) == child, status == 0
        else { throw Failure(text: "\(program) \(arguments.joined(separator: " ")) failed") }
    }

    /// Why something could not be started.
    struct Failure: Error { let text: String }
}
