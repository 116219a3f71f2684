import Glibc

/// What the fuzzer calls with each input. A trap, a failed ``require(_:_:)``, a hang and too much memory are findings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = FuzzTarget.chosen else {
        print("SLUICE_FUZZ_TARGET names none of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
        exit(64)
    }
    target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// What is fuzzed.
enum FuzzTarget: String, CaseIterable {
    case yaml, json, jsonpath, link, swift, text

    /// The one that the environment names.
    static let chosen: FuzzTarget? = unsafe getenv("SLUICE_FUZZ_TARGET").flatMap {
        unsafe FuzzTarget(rawValue: String(cString: $0))
    }

    func run(_ bytes: [UInt8]) {
        switch self {
        case .yaml: YAMLTarget.run(bytes)
        case .json: JSONTarget.run(bytes)
        case .jsonpath: JSONPathTarget.run(bytes)
        case .link: LinkTarget.run(bytes)
        case .swift: SwiftTarget.run(bytes)
        case .text: TextTarget.run(bytes)
        }
    }
}

/// Ends the process, which saves the input, where something does not hold that always should.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
