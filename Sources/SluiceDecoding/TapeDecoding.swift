internal import SluiceJSON

/// One decoding: the `Decoder` that types see.
///
/// The present value changes while a type decodes the values within it, and changes back, as in Foundation.
@safe
final class TapeDecoding {
    let options: TapeOptions
    let usesDefaultKeys: Bool
    // A pointer, since each access to a variable of a class is checked for exclusive use.
    let slot: UnsafeMutablePointer<TapeSlot>
    private var root: JSONElement
    /// Keeps the tape.
    private var parser: JSONParser?
    /// The path of the root.
    private let prefix: [any CodingKey]
    private var locator: JSONLocator?
    /// Names in the manner of Swift, by those of the text; kept from one text to the next, up to a limit.
    private var camelNames: [String: String] = [:]
    /// Members by name, of objects where names are converted or the search takes long.
    private var indexes: [Int: [String: JSONElement]] = [:]

    /// Makes a decoding of null.
    init(options: TapeOptions, prefix: [any CodingKey] = []) {
        self.options = options
        self.prefix = prefix
        usesDefaultKeys = options.usesDefaultKeys
        root = JSONElement()
        unsafe slot = TapeSlotPool.take()
        unsafe slot.pointee.decoding = .passUnretained(self)
        begin(root, parser: nil)
    }

    deinit {
        unsafe slot.pointee.generation &+= 1
        unsafe TapeSlotPool.give(slot)
    }

    /// Goes over to another value, and keeps the parser that its tape belongs to.
    func begin(_ root: JSONElement, parser: JSONParser?) {
        self.root = root
        self.parser = parser
        unsafe slot.pointee.generation &+= 1
        unsafe slot.pointee.present = root
        unsafe slot.pointee.search = MemberSearch(root)
        unsafe slot.pointee.steps = 0
        unsafe slot.pointee.indexed = 0
        unsafe slot.pointee.dictionary = 0
        if locator != nil { locator = nil }
        if !indexes.isEmpty { indexes = [:] }
    }

    /// A decoding of its own for a value of the same tape.
    func branch(at element: JSONElement) -> TapeDecoding {
        let branch = TapeDecoding(options: options, prefix: prefix)
        branch.begin(root, parser: parser)
        unsafe branch.slot.pointee.present = element
        return branch
    }

    var present: JSONElement {
        @inline(__always) get { unsafe slot.pointee.present }
    }

    /// Calls a closure while another value is the present one.
    @inline(__always)
    func with<Result>(_ element: JSONElement, _ body: () throws -> Result) rethrows -> Result {
        let present = unsafe slot.pointee.present
        let search = unsafe slot.pointee.search
        let indexed = unsafe slot.pointee.indexed
        unsafe slot.pointee.present = element
        defer {
            unsafe slot.pointee.present = present
            unsafe slot.pointee.search = search
            unsafe slot.pointee.indexed = indexed
        }
        return try body()
    }

    // MARK: Members

    /// The value of a member; nil if there is none.
    @inline(__always)
    func find(_ name: String, in object: JSONElement, isDictionary: Bool) -> JSONElement? {
        guard usesDefaultKeys || isDictionary else { return index(of: object, isConverted: true)[name] }
        if unsafe slot.pointee.indexed == object.identity { return index(of: object, isConverted: false)[name] }
        var name = name
        let steps = unsafe slot.pointee.steps
        let found = name.withUTF8 { bytes in
            unsafe slot.pointee.search.find(UnsafeRawBufferPointer(bytes), in: object, steps: &slot.pointee.steps)
        }
        // So long a search pays off once or twice; then a dictionary is made.
        if unsafe slot.pointee.steps - steps > 64 { return findInLarge(name, in: object) ?? found }
        return found
    }

    @inline(never)
    private func findInLarge(_ name: String, in object: JSONElement) -> JSONElement? {
        guard unsafe slot.pointee.steps > 4 * object.count else { return nil }
        unsafe slot.pointee.indexed = object.identity
        return index(of: object, isConverted: false)[name]
    }

    private func index(of object: JSONElement, isConverted: Bool) -> [String: JSONElement] {
        if let index = indexes[object.identity] { return index }
        var index: [String: JSONElement] = [:]
        index.reserveCapacity(object.count)
        var members = object.members()
        while members.next() {
            let name = isConverted ? convert(members.name, in: object) : members.name
            if index[name] == nil { index[name] = members.value }
        }
        indexes[object.identity] = index
        return index
    }

    /// The names of an object's members as coding keys, each once.
    func names(of object: JSONElement, isDictionary: Bool) -> [String] {
        var names: [String] = []
        names.reserveCapacity(object.count)
        let isConverted = !usesDefaultKeys && !isDictionary
        var seen: Set<String>? = isConverted || object.firstDuplicateName != nil ? [] : nil
        var members = object.members()
        while members.next() {
            let name = isConverted ? convert(members.name, in: object) : members.name
            if seen?.insert(name).inserted ?? true { names.append(name) }
        }
        return names
    }

    private func convert(_ name: String, in object: JSONElement) -> String {
        switch options.keyStrategy {
        case .useDefaultKeys: name
        case .convertFromSnakeCase: camelName(name)
        case .custom(let convert): convert(path(of: object) + [TapeKey(name)]).stringValue
        }
    }

    private func camelName(_ name: String) -> String {
        if let known = camelNames[name] { return known }
        let converted = SnakeCase.converted(name)
        if camelNames.count < 4096 { camelNames[name] = converted }
        return converted
    }

    // MARK: Paths

    /// The coding path of a value, found on the tape: it is needed for errors alone.
    func path(of element: JSONElement) -> [any CodingKey] {
        var locator = self.locator ?? JSONLocator(root: root)
        var path = prefix
        locator.forEachStep(to: element) { step in
            switch step {
            case .index(let index): path.append(TapeKey(index: index))
            case .name(let name):
                let name = name.string ?? ""
                switch options.keyStrategy {
                case .useDefaultKeys: path.append(TapeKey(name))
                case .convertFromSnakeCase: path.append(TapeKey(SnakeCase.converted(name)))
                case .custom(let convert): path.append(convert(path + [TapeKey(name)]))
                }
            }
        }
        self.locator = locator
        return path
    }
}

/// How values are read.
struct TapeOptions {
    let keyStrategy: TapeDecoder.KeyStrategy
    let dateStrategy: TapeDecoder.DateStrategy
    let dataStrategy: TapeDecoder.DataStrategy
    let nonConformingFloatStrategy: TapeDecoder.NonConformingFloatStrategy
    let userInfo: [CodingUserInfoKey: Any]

    var usesDefaultKeys: Bool {
        if case .useDefaultKeys = keyStrategy { true } else { false }
    }
}

/// A key of a path that no type has named.
struct TapeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
