import Foundation
import TestSupport
import Testing

/// Servers that cannot prove who they are: nobody reads from them.
@Suite(.disabled(if: Nginx.isMissing, "nginx or openssl is not installed; `make setup` installs them"))
struct HostileCertificateTests {
    struct Proof: Sendable, CustomTestStringConvertible {
        let name: String
        let certificate: TestCertificate
        /// Whether the pipeline trusts the authority, so that nothing else is wrong.
        let isTrusted: Bool
        let words: [String]
        var testDescription: String { name }
    }

    static let proofs = [
        Proof(
            name: "signed by itself", certificate: .own, isTrusted: false,
            words: ["self-signed certificate", "`tls.ca_file`"]),
        Proof(
            name: "signed by nobody who is known", certificate: .signed, isTrusted: false,
            words: ["issuer certificate", "`tls.ca_file`"]),
        Proof(
            name: "of another host", certificate: .ofAnotherHost, isTrusted: true,
            words: ["'127.0.0.1'", "`base_url` names the host of the certificate"]),
        Proof(
            name: "expired", certificate: .expired, isTrusted: true,
            words: ["certificate has expired", "this machine's clock", "must renew the certificate"]),
    ]

    @Test(arguments: proofs)
    func aCertificateThatProvesNothingIsRefused(proof: Proof) throws {
        let nginx = try Nginx(files: ["books": "[]"], certificate: proof.certificate)
        let fault = HostileServerTests.Fault(
            name: proof.name, source: proof.isTrusted ? "tls: {ca_file: \(nginx.authority)}" : "",
            words: ["the certificate of 127.0.0.1 is not valid"] + proof.words
        ) { _ in .hangUp }
        try HostileServerTests().expectFailure(at: nginx.url, fault)
        #expect(try nginx.requests() == [], "nothing was sent to it")
    }

    @Test func oneThatAnAuthoritySignedIsTakenWhereThatIsTrusted() throws {
        let nginx = try Nginx(files: ["books": #"[{"id": 1, "title": "x", "price": 1}]"#], certificate: .signed)
        let scene = try Scene(url: nginx.url)
        try scene.write(
            "books.yaml",
            try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8).replacing(
                "retry: {", with: "tls: {ca_file: \(nginx.authority)}, retry: {"))
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id FROM books") == ["1"])
    }
}
