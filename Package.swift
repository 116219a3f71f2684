// swift-tools-version: 6.2
import CompilerPluginSupport
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

/// `make test` sets it. Without it no flag is unsafe, so that other packages may depend on this one.
let isOptimized = Context.environment["SLUICE_OPTIMIZED"] != nil

/// What computes for each value or record: optimised for tests too, which else spend most of their time in generic code of
/// the standard library.
func computing(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: settings + (isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []))
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceDecoding", targets: ["SluiceDecoding"]),
    ],
    targets: [
        // C libraries: made importable, with wrappers for what Swift cannot call.
        .systemLibrary(name: "CSluiceCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CSluiceJQ", linkerSettings: [.linkedLibrary("jq")]),
        .target(name: "CSluiceSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSluiceSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(
            name: "CSluiceMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSluicePostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSluiceYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSluiceZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Leaves: they know nothing of pipelines.
        computing("SluiceDiagnostics"),
        computing("SluiceDecoding", ["SluiceJSON"]),
        computing("SluiceGzip", ["CSluiceZlib"]),
        library("SluiceHTTP", ["CSluiceCurl", "SluiceGzip", "SluiceSystem"]),
        library("SluiceHTTPServer", ["CSluiceMicrohttpd"]),
        computing("SluiceJQ", ["CSluiceJQ", "SluiceJSON"]),
        computing("SluiceJSON", ["CSluiceSimdjson"]),
        computing("SluiceMerge", ["SluiceModel"]),
        computing("SluiceModel", ["SluiceJSON"]),
        library("SluicePostgres", ["CSluicePostgres"]),
        computing("SluiceSQLite", ["CSluiceSQLite"]),
        computing("SluiceSchedule", ["SluiceModel", "SluiceSystem"]),
        library("SluiceServeModel", ["SluiceDiagnostics"]),
        computing("SluiceSystem"),
        computing("SluiceYAML", ["CSluiceYAML"]),

        // From the file to the store.
        computing(
            "SluicePipeline",
            ["SluiceDiagnostics", "SluiceJQ", "SluiceJSON", "SluiceModel", "SluiceSchedule", "SluiceYAML"]),
        computing("SluiceStore", ["SluiceDiagnostics", "SluiceMerge", "SluiceModel", "SluiceSchedule"]),
        computing("SluiceSQLStore", ["SluiceJSON", "SluiceMerge", "SluiceModel", "SluiceStore"]),
        library(
            "SluicePostgresStore",
            ["SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePostgres", "SluiceSQLStore", "SluiceStore"]),
        computing(
            "SluiceSQLiteStore",
            [
                "SluiceDiagnostics", "SluiceMerge", "SluiceModel", "SluiceSchedule", "SluiceSQLStore", "SluiceSQLite",
                "SluiceStore",
                "SluiceSystem",
            ]),

        // From the source to the store, each a stage of a run.
        computing(
            "SluiceReport",
            [
                "SluiceHTTP", "SluiceJQ", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceStore",
                "SluiceSystem",
            ]),
        computing(
            "SluiceDecode",
            [
                "SluiceGzip", "SluiceHTTP", "SluiceJQ", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluiceReport",
                "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceFetch",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceGzip", "SluiceHTTP", "SluiceJQ", "SluiceJSON",
                "SluiceModel", "SluicePipeline", "SluiceReport", "SluiceStore", "SluiceSystem",
            ]),
        computing(
            "SluiceReconcile",
            [
                "SluiceDecode", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceReport",
                "SluiceSQLiteStore", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceReview",
            [
                "SluiceDecode", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluiceReconcile", "SluiceReport",
                "SluiceSQLiteStore", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceSync",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceFetch", "SluiceHTTP", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePipeline", "SluiceReconcile", "SluiceReport", "SluiceReview", "SluiceSQLiteStore",
                "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceServe",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluiceSQLiteStore",
                "SluiceSchedule", "SluiceServeModel", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceDiscovery",
            [
                "SluiceDecode", "SluiceFetch", "SluiceGzip", "SluiceHTTP", "SluiceJSON", "SluiceModel",
                "SluicePipeline",
                "SluiceReconcile", "SluiceReport", "SluiceSQLiteStore", "SluiceStore", "SluiceSync", "SluiceSystem",
            ]),
        library(
            "SluiceCommands",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceFetch", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePipeline", "SluiceReconcile", "SluiceReport", "SluiceReview", "SluiceSQLiteStore",
                "SluiceSchedule", "SluiceServe", "SluiceServeModel", "SluiceStore", "SluiceSync", "SluiceSystem",
            ]),
        library(
            "SluiceWeb",
            [
                "SluiceCommands", "SluiceDecode", "SluiceDiagnostics", "SluiceHTTPServer", "SluiceJSON", "SluiceModel",
                "SluicePipeline", "SluiceReview", "SluiceSQLiteStore", "SluiceServeModel", "SluiceStore",
                "SluiceSystem",
            ]),
        .executableTarget(name: "sluice", dependencies: ["SluiceCommands", "SluiceWeb"], swiftSettings: settings),

        // The library: values of Swift programs in and out of a store.
        library("SluiceSwift"),
        .macro(name: "SluiceMacros", dependencies: ["SluiceSwift"], swiftSettings: settings),
        library(
            "Sluice",
            [
                "SluiceDecoding", "SluiceJSON", "SluiceMacros", "SluiceModel", "SluiceSQLite", "SluiceSQLiteStore",
                "SluiceStore",
            ]),

        // What the tests stand on, and the demo's server.
        library("TestSupport", ["SluiceJSON"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "bookshop-server", dependencies: ["TestSupport"], path: "Tests/DemoServer", swiftSettings: settings),
        // The bench; its floor is C++ that the Makefile compiles for the very machine it runs on.
        .executableTarget(
            name: "sluice-bench", dependencies: ["TestSupport"], path: "Tests/Benchmarks", exclude: ["Floor"],
            swiftSettings: settings),
        .executableTarget(
            name: "sluice-fetch-bench",
            dependencies: [
                "SluiceDecode", "SluiceFetch", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceReport",
                "SluiceStore",
                "SluiceSync", "SluiceSystem",
            ],
            path: "Tests/FetchBenchmark", swiftSettings: settings),
        tests(
            "EndToEndTests",
            [
                "sluice", "SluiceCommands", "SluiceDiagnostics", "SluiceGzip", "SluiceJSON", "SluiceMerge",
                "SluiceModel",
                "SluiceReport", "SluiceSQLite", "SluiceSystem", "SluiceYAML", "TestSupport",
            ]),
        tests(
            "SluiceCommandsTests",
            [
                "SluiceCommands", "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePipeline", "SluiceReport", "SluiceReview", "SluiceSQLite", "SluiceSQLiteStore",
                "SluiceStore", "SluiceSync", "SluiceSystem", "TestSupport",
            ]),
        .executableTarget(
            name: "sluice-decoding-bench", dependencies: ["SluiceDecoding", "SluiceJSON"],
            path: "Tests/DecodingBenchmark", swiftSettings: settings),
        tests("SluiceDecodingTests", ["SluiceDecoding", "SluiceJSON"]),
        tests("SluiceSwiftTests", ["SluiceSwift", "TestSupport"]),
        tests("SluiceLibraryTests", ["Sluice", "TestSupport"]),
        tests("SluiceDiagnosticsTests", ["SluiceDiagnostics"]),
        tests("SluiceMergeTests", ["SluiceMerge", "SluiceModel", "TestSupport"]),
        tests(
            "SluicePipelineTests",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceSchedule",
                "SluiceYAML", "TestSupport",
            ]),
        tests("SluiceGzipTests", ["SluiceGzip", "TestSupport"]),
        tests("SluiceHTTPTests", ["SluiceHTTP", "SluiceSystem", "TestSupport"]),
        tests("SluiceHTTPServerTests", ["SluiceHTTPServer", "SluiceSystem", "TestSupport"]),
        tests("SluiceJQTests", ["SluiceJQ", "SluiceJSON", "TestSupport"]),
        tests("SluiceJSONTests", ["SluiceJSON", "TestSupport"]),
        tests("SluicePostgresTests", ["SluicePostgres", "TestSupport"]),
        tests(
            "SluiceScheduleTests", ["SluiceModel", "SluiceSQLiteStore", "SluiceSchedule", "SluiceStore", "TestSupport"]),
        tests(
            "SluiceServeTests",
            [
                "SluiceDiagnostics", "SluiceModel", "SluicePipeline", "SluiceSQLiteStore", "SluiceSchedule",
                "SluiceServe",
                "SluiceServeModel", "SluiceStore", "SluiceSystem", "TestSupport",
            ]),
        tests("SluiceSQLiteTests", ["SluiceSQLite", "TestSupport"]),
        tests(
            "SluiceStoreTests",
            [
                "SluiceMerge", "SluiceModel", "SluicePostgres", "SluicePostgresStore", "SluiceSQLite",
                "SluiceSQLStore", "SluiceSQLiteStore", "SluiceSchedule", "SluiceStore", "TestSupport",
            ]),
        tests(
            "SluiceSyncTests",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceFetch", "SluiceHTTP", "SluiceJSON",
                "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceReconcile", "SluiceReport", "SluiceReview",
                "SluiceSQLite", "SluiceSQLiteStore", "SluiceStore", "SluiceSync", "SluiceSystem", "TestSupport",
            ]),
        tests("SluiceSystemTests", ["SluiceSystem", "TestSupport"]),
        tests(
            "SluiceWebTests",
            [
                "sluice", "SluiceHTTPServer", "SluiceServeModel", "SluiceSystem", "SluiceWeb", "TestSupport",
            ]),
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
                "SluiceCommands", "SluiceDecode", "SluiceDecoding", "SluiceDiagnostics", "SluiceDiscovery",
                "SluiceFetch",
                "SluiceHTTP", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceReport",
                "SluiceSync",
                "SluiceYAML",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings))
}
