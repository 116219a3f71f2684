internal import SluiceJSON
internal import Synchronization

/// What changes while a decoding goes from value to value.
@safe
struct TapeSlot {
    /// Counts the decodings that have used this memory; what refers to an earlier one is out of date.
    var generation = 0
    var decoding: Unmanaged<TapeDecoding>?
    /// The value that a type decodes itself from.
    var present = JSONElement()
    var search = MemberSearch(JSONElement())
    /// How many names were compared in vain.
    var steps = 0
    /// The object whose members are found in a dictionary, since the search has taken long.
    var indexed = 0
    /// The object whose names are not converted, since it becomes a dictionary.
    var dictionary = 0
}

/// Slots that no decoding uses.
///
/// Their memory is never given back: a container that somebody has kept beyond its decoding still finds a slot, and
/// there another generation.
enum TapeSlotPool {
    // As numbers, since pointers cannot be shared between threads without further words.
    private static let free = Mutex<[UInt]>([])

    static func take() -> UnsafeMutablePointer<TapeSlot> {
        if let address = free.withLock({ $0.popLast() }),
            let slot = unsafe UnsafeMutablePointer<TapeSlot>(bitPattern: address)
        {
            return unsafe slot
        }
        let slot = UnsafeMutablePointer<TapeSlot>.allocate(capacity: 1)
        unsafe slot.initialize(to: TapeSlot())
        return unsafe slot
    }

    static func give(_ slot: UnsafeMutablePointer<TapeSlot>) {
        unsafe slot.pointee.decoding = nil
        let address = UInt(bitPattern: slot)
        free.withLock { $0.append(address) }
    }
}

/// A reference to a decoding that is not counted: containers are copied at each call, and counting would take more time
/// than finding the member. It knows when the decoding is over.
@safe
struct TapeReference {
    private let slot: UnsafeMutablePointer<TapeSlot>
    private let generation: Int

    init(_ decoding: TapeDecoding) {
        unsafe slot = decoding.slot
        unsafe generation = decoding.slot.pointee.generation
    }

    /// Calls a closure with the decoding.
    ///
    /// - Throws: `DecodingError` if it is over, and what the closure throws.
    @inline(__always)
    func with<Result>(_ body: (TapeDecoding) throws -> Result) throws -> Result {
        guard unsafe slot.pointee.generation == generation, let decoding = unsafe slot.pointee.decoding else {
            throw Self.isOver
        }
        return try unsafe decoding._withUnsafeGuaranteedRef { try body($0) }
    }

    private static var isOver: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The decoding that this container belongs to is over."))
    }
}
