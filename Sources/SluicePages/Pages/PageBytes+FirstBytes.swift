extension PageBytes {
    /// The first bytes of the page that are not blank.
    package func firstBytes() throws -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        // What shows whether the page is packed comes by itself.
        while bytes.count < 4096 {
            let more = try read(upTo: 4096 - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes[...].drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
