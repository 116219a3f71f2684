package import SluiceSystem

/// Reads small files as a whole.
package enum FileReader {
    /// Why a file could not be read.
    package struct Failure: Error {
        /// What goes after the file's name: "does not exist".
        package var reason: String
        /// What to do about it, as a sentence.
        package var help: String

        init(reason: String, help: String) {
            self.reason = reason
            self.help = help
        }

        init(notAFile kind: String) {
            self.init(
                reason: "is \(kind)", help: "Name a regular file; what a program writes can be kept in one first.")
        }

        /// The failure that a call of the system tells.
        package init(_ error: SystemError) {
            if error.isMissing {
                self.init(reason: "does not exist", help: "Check how the path is written.")
            } else if error.isRefused {
                self.init(reason: "may not be read by this user", help: "`ls -l` shows who may read it.")
            } else if error.isOfFolder {
                self.init(reason: "is a folder", help: "Name a file in it.")
            } else {
                self.init(reason: "cannot be read: \(error.reason)", help: "Check the path with `ls -lL`.")
            }
        }
    }

    /// Whether a path stands for something that this process was given open, which whoever gave it will also end:
    /// standard input, and what a shell makes of `<(…)`.
    private static func isGivenOpen(_ path: String) -> Bool {
        ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    }

    /// The bytes of a file.
    ///
    /// - Throws: ``Failure`` where there is none, it is no regular file, or it is larger than allowed.
    package static func read(_ path: String, maximumBytes: Int) throws(Failure) -> [UInt8] {
        do {
            return try WholeFile.read(path, maximumBytes: maximumBytes, isGivenOpen: isGivenOpen(path))
        } catch {
            switch error {
            case .system(let error): throw Failure(error)
            case .pipe: throw Failure(notAFile: "a named pipe")
            case .socket: throw Failure(notAFile: "a socket")
            case .device: throw Failure(notAFile: "a device")
            case .tooLarge:
                throw Failure(
                    reason: "is larger than \(maximumBytes) bytes", help: "Check that it is the file that is meant.")
            }
        }
    }
}
