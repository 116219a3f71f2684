internal import SluiceSystem
internal import Synchronization

/// What tells a store from others within this program: the same for all that have one file open, by whatever path, and another one for each
/// store that has no file.
struct StoreHome: Equatable, Sendable {
    private let number: Int

    private static let known = Mutex<(last: Int, files: [[UInt64]: Int])>((0, [:]))

    /// The home of what was read from no store.
    static let none = StoreHome(number: 0)

    private init(number: Int) { self.number = number }

    /// The home of a store.
    ///
    /// - Parameters:
    ///   - path: Its file, which is there; nil for one that is gone with the program.
    ///   - isNew: Whether the file was just made, be it in the place of another one.
    init(_ path: String?, isNew: Bool = false) {
        let file = path.flatMap { FileSystem.identity(of: $0) }
        number = Self.known.withLock { known in
            if !isNew, let file, let number = known.files[file] { return number }
            known.last += 1
            if let file { known.files[file] = known.last }
            return known.last
        }
    }
}
