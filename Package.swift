// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .library(name: "SluiceDecoding", targets: ["SluiceDecoding"]),
    ],
    targets: [
        // C libraries: made importable, with wrappers for what Swift cannot call.
        .systemLibrary(name: "CSluiceCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CSluiceJQ", linkerSettings: [.linkedLibrary("jq")]),
        .target(name: "CSluiceSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSluiceSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "CSluiceYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSluiceZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Leaves: they know nothing of pipelines.
        library("SluiceDiagnostics"),
        library("SluiceDecoding", ["SluiceJSON"]),
        library("SluiceGzip", ["CSluiceZlib"]),
        library("SluiceHTTP", ["CSluiceCurl", "SluiceGzip", "SluiceSystem"]),
        library("SluiceJQ", ["CSluiceJQ", "SluiceJSON"]),
        library("SluiceJSON", ["CSluiceSimdjson"]),
        library("SluiceMerge"),
        library("SluiceSQLite", ["CSluiceSQLite"]),
        library("SluiceSystem"),
        library("SluiceYAML", ["CSluiceYAML"]),

        // From the file to the store.
        library("SluicePipeline", ["SluiceDiagnostics", "SluiceJQ", "SluiceJSON", "SluiceMerge", "SluiceYAML"]),
        library("SluiceStore", ["SluiceDiagnostics", "SluiceMerge"]),
        library("SluiceSQLiteStore", ["SluiceDiagnostics", "SluiceMerge", "SluiceSQLite", "SluiceStore"]),
        library(
            "SluiceSync",
            [
                "SluiceDiagnostics", "SluiceGzip", "SluiceHTTP", "SluiceJQ", "SluiceJSON", "SluiceMerge",
                "SluicePipeline", "SluiceSQLiteStore", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceCommands",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluicePipeline", "SluiceSQLiteStore", "SluiceStore",
                "SluiceSync", "SluiceSystem",
            ]),
        .executableTarget(name: "sluice", dependencies: ["SluiceCommands"], swiftSettings: settings),

        // What the tests stand on, and the demo's server.
        library("TestSupport", path: "Tests/TestSupport"),
        .executableTarget(
            name: "bookshop-server", dependencies: ["TestSupport"], path: "Tests/DemoServer", swiftSettings: settings),
        // The bench; its floor is C++ that the Makefile compiles for the very machine it runs on.
        .executableTarget(
            name: "sluice-bench", dependencies: ["TestSupport"], path: "Tests/Benchmarks", exclude: ["Floor"],
            swiftSettings: settings),
        .executableTarget(
            name: "sluice-fetch-bench",
            dependencies: ["SluiceMerge", "SluicePipeline", "SluiceStore", "SluiceSync", "SluiceSystem"],
            path: "Tests/FetchBenchmark", swiftSettings: settings),
        tests(
            "EndToEndTests",
            [
                "sluice", "SluiceCommands", "SluiceDiagnostics", "SluiceMerge", "SluiceSQLite", "SluiceSystem",
                "TestSupport",
            ]),
        tests(
            "SluiceCommandsTests",
            [
                "SluiceCommands", "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluicePipeline", "SluiceSQLite",
                "SluiceStore",
                "SluiceSync", "SluiceSystem",
            ]),
        .executableTarget(
            name: "sluice-decoding-bench", dependencies: ["SluiceDecoding", "SluiceJSON"],
            path: "Tests/DecodingBenchmark", swiftSettings: settings),
        tests("SluiceDecodingTests", ["SluiceDecoding", "SluiceJSON"]),
        tests("SluiceDiagnosticsTests", ["SluiceDiagnostics"]),
        tests("SluiceMergeTests", ["SluiceMerge", "TestSupport"]),
        tests(
            "SluicePipelineTests",
            ["SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluicePipeline", "SluiceYAML", "TestSupport"]),
        tests("SluiceGzipTests", ["SluiceGzip", "TestSupport"]),
        tests("SluiceHTTPTests", ["SluiceHTTP", "SluiceSystem", "TestSupport"]),
        tests("SluiceJQTests", ["SluiceJQ", "SluiceJSON", "TestSupport"]),
        tests("SluiceJSONTests", ["SluiceJSON", "TestSupport"]),
        tests("SluiceSQLiteTests", ["SluiceSQLite", "TestSupport"]),
        tests("SluiceStoreTests", ["SluiceMerge", "SluiceSQLite", "SluiceSQLiteStore", "SluiceStore", "TestSupport"]),
        tests(
            "SluiceSyncTests",
            [
                "SluiceDiagnostics", "SluiceHTTP", "SluiceJSON", "SluiceMerge", "SluicePipeline", "SluiceSQLite",
                "SluiceSQLiteStore", "SluiceStore", "SluiceSync", "SluiceSystem", "TestSupport",
            ]),
        tests("SluiceSystemTests", ["SluiceSystem", "TestSupport"]),
        tests("SluiceYAMLTests", ["SluiceYAML", "TestSupport"]),
    ],
    cxxLanguageStandard: .cxx20
)

// Built by `make fuzz` alone: its `main` comes with the fuzzer.
if Context.environment["SLUICE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "sluice-fuzz",
            dependencies: [
                "SluiceCommands", "SluiceDecoding", "SluiceDiagnostics", "SluiceHTTP", "SluiceJSON", "SluiceMerge",
                "SluicePipeline", "SluiceSync", "SluiceYAML",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings))
}
