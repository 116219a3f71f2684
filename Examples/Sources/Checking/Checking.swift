import Foundation

/// Says what holds, and ends the program where it does not.
public func check(_ isTrue: Bool, _ what: String) {
    if isTrue { return print("ok: \(what)") }
    FileHandle.standardError.write(Data("FAILED: \(what)\n".utf8))
    exit(1)
}
