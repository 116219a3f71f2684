internal import SluiceSystem
internal import Synchronization

/// What tells a store from others within this program: the same for all that have one file open, and another one for each store that has
/// no file.
struct StoreHome: Equatable, Sendable {
    private let number: Int

    private static let known = Mutex<(last: Int, files: [String: Int])>((0, [:]))

    /// The home of what was read from no store.
    static let none = StoreHome(number: 0)

    private init(number: Int) { self.number = number }

    /// The home of a store.
    ///
    /// - Parameter path: Its file; nil for one that is gone with the program.
    init(_ path: String?) {
        let file = path.map { FileSystem.normalized($0) }
        number = Self.known.withLock { known in
            if let file, let number = known.files[file] { return number }
            known.last += 1
            if let file { known.files[file] = known.last }
            return known.last
        }
    }
}
