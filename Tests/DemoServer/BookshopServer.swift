import Glibc
import TestSupport

/// Serves the bookshop's catalogue page by page on 127.0.0.1, for the demonstration.
///
/// `bookshop-server FOLDER [--port N]` prints its URL on a line of its own and serves until it is told to stop, or until
/// the program that started it is gone.
@main
enum BookshopServer {
    static func main() {
        guard let (folder, port) = arguments() else {
            complain("usage: bookshop-server FOLDER [--port N]")
            exit(64)
        }
        // Blocked before any thread exists, the signals wait for this one.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let parent = getppid()
        do {
            let catalogue = Catalogue(folder: folder)
            let server = try LoopbackServer(port: port) { catalogue.response(to: $0) }
            write(server.url + "\n", to: STDOUT_FILENO)
            var second = timespec(tv_sec: 1, tv_nsec: 0)
            while unsafe sigtimedwait(&signals, nil, &second) < 0, getppid() == parent {}
            server.stop()
        } catch {
            complain("bookshop-server: port \(port) cannot be had: \(error)")
            exit(1)
        }
    }

    private static func arguments() -> (folder: String, port: UInt16)? {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, !folder.hasPrefix("-") else { return nil }
        let options = Array(arguments.dropFirst())
        if options.isEmpty { return (folder, 0) }
        guard options.count == 2, options[0] == "--port", let port = UInt16(options[1]) else { return nil }
        return (folder, port)
    }

    private static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
