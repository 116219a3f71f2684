/// A set of 64-bit integers that takes two bytes for each where they lie close together, as identifiers mostly do.
///
/// The upper 48 bits choose a container; it holds the lower 16 as a sorted list, or as a bitmap once that is smaller.
/// This is the layout of Roaring bitmaps (see roaringbitmap.org, "Better bitmap performance with Roaring bitmaps").
struct IntegerSet {
    private static let longestList = 4096
    private var containers: [Container] = []
    private var positions: [Int64: Int] = [:]
    /// The container that was used last: neighbours come together.
    private var current = -1
    private var currentUpper: Int64 = 0
    /// The number of integers.
    private(set) var count = 0

    /// How many of them stand in lists, and how many containers are bitmaps.
    private var (listed, bitmaps) = (0, 0)

    /// The memory that was taken at most: a container with its place in the dictionary, and arrays that are up to half
    /// empty.
    var allocatedBytes: Int { containers.count &* 120 &+ listed &* 4 &+ bitmaps &* 8192 }

    /// Whether the integers lie so far apart that hashes would take less memory, or, beyond a limit, that they take
    /// more than a byte each: hashes can leave the memory.
    func isBetterHashed(limit: Int) -> Bool {
        allocatedBytes > max(32 << 10, count &* 8) || allocatedBytes > max(limit, count)
    }

    /// Adds an integer.
    ///
    /// - Returns: Whether it is new.
    mutating func insert(_ value: Int64) -> Bool {
        let upper = value >> 16
        if current < 0 || upper != currentUpper {
            current = positions[upper] ?? makeContainer(upper)
            currentUpper = upper
        }
        let wasList = !containers[current].isBitmap
        let isNew = containers[current].insert(UInt16(truncatingIfNeeded: value))
        if !isNew { return false }
        count &+= 1
        if !containers[current].isBitmap {
            listed &+= 1
        } else if wasList {
            listed &-= Self.longestList
            bitmaps &+= 1
        }
        return true
    }

    /// Whether an integer was added.
    func contains(_ value: Int64) -> Bool {
        guard let position = positions[value >> 16] else { return false }
        return containers[position].contains(UInt16(truncatingIfNeeded: value))
    }

    /// Calls a closure with every integer, in no particular order.
    func forEach(_ body: (Int64) throws -> Void) rethrows {
        for (upper, position) in positions {
            for low in containers[position].members { try body(upper << 16 | Int64(low)) }
        }
    }

    /// Calls a closure with every integer that another set does not have, in no particular order.
    func forEach(besides other: IntegerSet, _ body: (Int64) throws -> Void) rethrows {
        for (upper, position) in positions {
            let others = other.positions[upper].map { other.containers[$0] }
            try containers[position].forEach(besides: others) { try body(upper << 16 | Int64($0)) }
        }
    }

    private mutating func makeContainer(_ upper: Int64) -> Int {
        containers.append(Container())
        positions[upper] = containers.count - 1
        return containers.count - 1
    }

    private struct Container {
        private var list: [UInt16] = []
        /// 1024 words once the list has become too long, else empty.
        private var bitmap: [UInt64] = []

        var isBitmap: Bool { !bitmap.isEmpty }

        var members: [UInt16] {
            bitmap.isEmpty ? list : (0...UInt16.max).filter { contains($0) }
        }

        /// Those that another container does not have: two lists are walked along, and of two bitmaps most words tell that there is none.
        func forEach(besides other: Container?, _ body: (UInt16) throws -> Void) rethrows {
            guard let other, isBitmap == other.isBitmap else {
                for low in members where other?.contains(low) != true { try body(low) }
                return
            }
            if !isBitmap {
                var place = 0
                for low in list {
                    while place < other.list.count && other.list[place] < low { place += 1 }
                    if place == other.list.count || other.list[place] != low { try body(low) }
                }
                return
            }
            for index in bitmap.indices {
                var word = bitmap[index] & ~other.bitmap[index]
                while word != 0 {
                    try body(UInt16(truncatingIfNeeded: index << 6 + word.trailingZeroBitCount))
                    word &= word - 1
                }
            }
        }

        func contains(_ low: UInt16) -> Bool {
            if !bitmap.isEmpty { return bitmap[Int(low >> 6)] & 1 << UInt64(low & 63) != 0 }
            let position = position(of: low)
            return position < list.count && list[position] == low
        }

        mutating func insert(_ low: UInt16) -> Bool {
            if !bitmap.isEmpty {
                let mask = (1 as UInt64) << UInt64(low & 63)
                if bitmap[Int(low >> 6)] & mask != 0 { return false }
                bitmap[Int(low >> 6)] |= mask
                return true
            }
            if let last = list.last, last >= low {
                let position = position(of: low)
                if list[position] == low { return false }
                list.insert(low, at: position)
            } else {
                list.append(low)
            }
            if list.count > IntegerSet.longestList { becomeBitmap() }
            return true
        }

        private mutating func becomeBitmap() {
            bitmap = Array(repeating: 0, count: 1024)
            for low in list { bitmap[Int(low >> 6)] |= 1 << UInt64(low & 63) }
            list = []
        }

        /// The first position whose member is not below a value.
        private func position(of low: UInt16) -> Int {
            var (start, end) = (0, list.count)
            while start < end {
                let middle = (start + end) / 2
                if list[middle] < low { start = middle + 1 } else { end = middle }
            }
            return start
        }
    }
}
