import Glibc

/// A folder that is gone with its owner.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/sluice-XXXXXX".utf8CString)
        path = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return "" }
            return unsafe String(cString: made)
        }
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String) -> String {
        let file = "\(path)/\(name)"
        if let stream = unsafe fopen(file, "w") {
            unsafe fputs(text, stream)
            unsafe fclose(stream)
        }
        names.append(name)
        return file
    }

    private var names: [String] = []

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
