extension PageBytes {
    /// The first bytes of the page that are not blank.
    package func firstBytes() throws -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var filled = 0
        // What shows whether the page is packed comes by itself.
        while filled < buffer.count {
            let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
                try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
            }
            if count == 0 { break }
            filled += count
        }
        return buffer[..<filled].drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
