internal import CSluiceZlib

/// Packs bytes that are in memory, and unpacks them (RFC 1950: a check sum tells what is damaged).
package enum Packing {
    /// Packs bytes.
    ///
    /// - Throws: ``GzipError`` where there is no memory left.
    package static func packed(_ bytes: [UInt8]) throws(GzipError) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        let code = unsafe packed.withUnsafeMutableBufferPointer { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe compress2(
                    target.baseAddress, &count, source.baseAddress, uLong(source.count), Z_BEST_SPEED)
            }
        }
        if code != Z_OK { throw GzipError(message: "there is no memory left to pack it") }
        packed.removeLast(packed.count - Int(count))
        return packed
    }

    /// Unpacks bytes.
    ///
    /// - Parameters:
    ///   - packed: What ``packed(_:)`` gave.
    ///   - count: How many bytes that was made of.
    /// - Returns: These bytes.
    /// - Throws: ``GzipError`` where it is damaged.
    package static func unpacked(_ packed: [UInt8], count: Int) throws(GzipError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var room = uLong(count)
        let code = unsafe bytes.withUnsafeMutableBufferPointer { target in
            unsafe packed.withUnsafeBufferPointer { source in
                unsafe uncompress(target.baseAddress, &room, source.baseAddress, uLong(source.count))
            }
        }
        if code != Z_OK || Int(room) != count { throw GzipError(message: "its packed data is damaged") }
        return bytes
    }
}
