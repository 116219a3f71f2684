/// 64-bit digests of values in canonical form, the same on every machine, in every process and version.
///
/// Text and blobs use XXH64 with seed 0 (see the xxHash specification, "XXH64 algorithm description"), prefixed by
/// nothing; integers, reals and null use a fixed mixing of their 64 bits. Zero never occurs: it stands for "no value".
package enum FieldDigest {
    /// The digest of null.
    package static let null: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The digest of an integer or, with a different tag, of another 64-bit payload.
    @inlinable
    package static func integer(_ value: Int64) -> UInt64 {
        nonZero(mix(UInt64(bitPattern: value) ^ 0x2545_F491_4F6C_DD1D))
    }

    /// The digest of a double; both zeros are one value.
    @inlinable
    package static func real(_ value: Double) -> UInt64 {
        nonZero(mix((value == 0 ? 0 : value.bitPattern) ^ 0xD6E8_FEB8_6659_FD93))
    }

    /// The digest of text in its canonical form.
    package static func text(_ bytes: UnsafeRawBufferPointer) -> UInt64 { unsafe nonZero(xxh64(bytes)) }

    /// The digest of text in its canonical form.
    package static func text(_ bytes: [UInt8]) -> UInt64 { unsafe bytes.withUnsafeBytes { unsafe text($0) } }

    /// The digest of a blob.
    package static func blob(_ bytes: UnsafeRawBufferPointer) -> UInt64 { unsafe nonZero(mix(xxh64(bytes) ^ 0xB10B)) }

    /// Combines a field's digest with the digest of its name, so that a record's hash is a sum in any order.
    @inlinable
    package static func contribution(of digest: UInt64, nameDigest: UInt64) -> UInt64 {
        let product = (digest ^ nameDigest).multipliedFullWidth(by: 0xA076_1D64_78BD_642F | 1)
        return (product.high ^ product.low) &+ digest
    }

    /// Whether this digest says "no value".
    @inlinable
    static func nonZero(_ value: UInt64) -> UInt64 { value == 0 ? 1 : value }

    /// The finaliser of XXH64: every input bit changes every output bit.
    @inlinable
    static func mix(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* 0xC2B2_AE3D_27D4_EB4F
        hash = (hash ^ (hash >> 29)) &* 0x1656_67B1_9E37_79F9
        return hash ^ (hash >> 32)
    }

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        (value &<< count) | (value &>> (64 &- count))
    }

    @inline(__always)
    private static func round(_ accumulator: UInt64, _ lane: UInt64) -> UInt64 {
        rotate(accumulator &+ lane &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ accumulator: UInt64) -> UInt64 {
        (hash ^ round(0, accumulator)) &* prime1 &+ prime4
    }

    @inline(__always)
    private static func load64(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// XXH64 with seed 0.
    static func xxh64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let length = bytes.count
        guard let base = bytes.baseAddress else { return mix(prime5) }
        var offset = 0
        var hash: UInt64
        if length >= 32 {
            var (a, b, c, d) = (prime1 &+ prime2, prime2, 0 as UInt64, 0 &- prime1)
            while offset &+ 32 <= length {
                unsafe a = round(a, load64(base, offset))
                unsafe b = round(b, load64(base, offset &+ 8))
                unsafe c = round(c, load64(base, offset &+ 16))
                unsafe d = round(d, load64(base, offset &+ 24))
                offset &+= 32
            }
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            hash = merge(merge(merge(merge(hash, a), b), c), d)
        } else {
            hash = prime5
        }
        hash &+= UInt64(length)
        while offset &+ 8 <= length {
            hash = unsafe rotate(hash ^ round(0, load64(base, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if offset &+ 4 <= length {
            let lane = unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotate(hash ^ (UInt64(lane) &* prime1), 23) &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < length {
            let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
            hash = rotate(hash ^ (UInt64(byte) &* prime5), 11) &* prime1
            offset &+= 1
        }
        return mix(hash)
    }
}
