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
    static var isMissing: Bool { path == nil || TestCertificate.isMissing }

    let folder: TemporaryDirectory
    /// Over TLS, with HTTP/2.
    let url: String
    /// In the clear, with HTTP/1.1.
    let plainURL: String
    /// The file of the authority to trust.
    var authority: String { folder.file("authority.pem") }
    private let process: Process
    /// The shell's standard input, with which the server ends, however this process does.
    private let leash: FileHandle

    /// Starts a server of the files in `files`.
    ///
    /// - Parameters:
    ///   - files: Their texts by their paths.
    ///   - certificate: What it proves itself with.
    /// - Throws: Where it does not start.
    init(files: [String: String], certificate: TestCertificate = .own) throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("tmp"), withIntermediateDirectories: true)
        try certificate.write(in: folder)
        (process, leash, url, plainURL) = try Self.start(in: folder)
        for (name, text) in files { try write(name, text) }
    }

    /// Starts the program on ports that the system chooses.
    ///
    /// - Returns: What holds it, and where it listens with and without TLS.
    private static func start(
        in folder: TemporaryDirectory
    ) throws -> (Process, leash: FileHandle, url: String, plainURL: String) {
        let nginx = "\(path ?? "") -p '\(folder.path)' -c nginx.conf -e error.log"
        // Somebody else may take a port between its choice and the start.
        for _ in 1...5 {
            let (port, plainPort) = (try ClosedPort().port, try ClosedPort().port)
            try configuration(port, plainPort)
                .write(toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(filePath: "/bin/sh")
            // It goes into the background when the ports are open.
            process.arguments = ["-c", "\(nginx) || exit; echo; cat; exec \(nginx) -s stop"]
            (process.standardInput, process.standardOutput) = (input, output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            if try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false {
                return (
                    process, input.fileHandleForWriting, "https://127.0.0.1:\(port)", "http://127.0.0.1:\(plainPort)"
                )
            }
            process.waitUntilExit()
        }
        throw Failure(text: "nginx does not start")
    }

    deinit {
        try? leash.close()
        process.waitUntilExit()
    }

    /// Why something could not be started.
    struct Failure: Error { let text: String }

    func write(_ name: String, _ text: String) throws {
        let path = folder.file("data/\(name)")
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        // A time is believed once its second is over.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
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
}
