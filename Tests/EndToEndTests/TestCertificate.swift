import Foundation
import TestSupport

/// Certificates for a server on 127.0.0.1, made when a test asks for one.
enum TestCertificate: Sendable {
    /// It is its own authority.
    case own
    /// An authority signed it.
    case signed
    /// An authority signed it, for another host.
    case ofAnotherHost
    /// An authority signed it, for a time that has passed.
    case expired

    private static let openssl = "/usr/bin/openssl"
    static var isMissing: Bool { !FileManager.default.isExecutableFile(atPath: openssl) }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    private var host: String { self == .ofAnotherHost ? "DNS:books.example" : "IP:127.0.0.1" }
    private var days: String { self == .expired ? "-1" : "2" }

    /// Writes `certificate.pem` and `key.pem`, and the certificate to trust as `authority.pem`.
    ///
    /// - Parameter folder: Where they go.
    /// - Throws: Where openssl does not make them.
    func write(in folder: TemporaryDirectory) throws {
        let (authority, certificate) = (folder.file("authority.pem"), folder.file("certificate.pem"))
        if self == .own {
            try make(["-x509", "-days", days], key: "key.pem", certificate, for: host, in: folder)
            return try FileManager.default.copyItem(atPath: certificate, toPath: authority)
        }
        try make(
            ["-x509", "-days", "2"], key: "authority-key.pem", authority, for: "DNS:authority.example", in: folder)
        try make([], key: "key.pem", folder.file("request.pem"), for: host, in: folder)
        try Self.run([
            "x509", "-req", "-in", folder.file("request.pem"), "-CA", authority, "-CAkey",
            folder.file("authority-key.pem"), "-CAcreateserial", "-copy_extensions", "copy", "-days", days, "-out",
            certificate,
        ])
    }

    private func make(
        _ options: [String], key: String, _ path: String, for host: String, in folder: TemporaryDirectory
    ) throws {
        let names = ["-subj", "/CN=\(host)", "-addext", "subjectAltName=\(host)"]
        try Self.run(["req"] + Self.newKey + options + names + ["-keyout", folder.file(key), "-out", path])
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: openssl)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Nginx.Failure(text: "openssl \(arguments.joined(separator: " "))") }
    }
}
