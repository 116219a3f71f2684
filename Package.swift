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

let optimized: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

/// What computes for each value or record: optimised for tests too, which else spend most of their time in generic code of
/// the standard library.
func computing(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path,
        swiftSettings: settings + optimized)
}

/// A C library of the system, which its module map names to the linker.
///
/// Where its headers lie outside of the compiler's path, pkg-config says where. Elsewhere it is not asked: SwiftPM would warn whoever
/// depends on this package and lacks the library, used or not.
func systemLibrary(_ name: String, _ package: String, brew: String) -> Target {
    #if os(macOS)
        .systemLibrary(name: name, pkgConfig: package, providers: [.brew([brew])])
    #else
        .systemLibrary(name: name)
    #endif
}

/// Where Homebrew keeps the headers of a library that a target of C includes: on macOS a target that pkg-config is asked about, and nothing
/// elsewhere, where they lie in the compiler's path.
func headers(_ name: String) -> [Target.Dependency] {
    #if os(macOS)
        [.target(name: name)]
    #else
        []
    #endif
}

/// The targets that ``headers(_:)`` names.
func headerTargets(_ libraries: (name: String, package: String, brew: String)...) -> [Target] {
    #if os(macOS)
        libraries.map { .systemLibrary(name: $0.name, pkgConfig: $0.package, providers: [.brew([$0.brew])]) }
    #else
        []
    #endif
}

/// Tests; those that have models of their own are optimised like what they try.
func tests(_ name: String, _ dependencies: [Target.Dependency], isComputing: Bool = false) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, swiftSettings: isComputing ? settings + optimized : settings)
}

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluicePipelines", targets: ["SluicePipelines"]),
        .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
        .library(name: "SluiceDecoding", targets: ["SluiceDecoding"]),
    ],
    targets: [
        // C libraries: made importable, with wrappers for what Swift cannot call.
        systemLibrary("CSluiceCurl", "libcurl", brew: "curl"),
        .target(name: "CSluiceJQ", dependencies: headers("CHeadersJQ"), linkerSettings: [.linkedLibrary("jq")]),
        .target(
            name: "CSluiceSimdjson", dependencies: headers("CHeadersSimdjson"),
            cxxSettings: isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [],
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSluiceSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        systemLibrary("CSluiceMicrohttpd", "libmicrohttpd", brew: "libmicrohttpd"),
        systemLibrary("CSluicePostgres", "libpq", brew: "libpq"),
        systemLibrary("CSluiceYAML", "yaml-0.1", brew: "libyaml"),
        systemLibrary("CSluiceZlib", "zlib", brew: "zlib"),

        // Leaves: they know nothing of pipelines.
        computing("SluiceDiagnostics"),
        computing("SluiceDecoding", ["SluiceJSON"]),
        computing("SluiceGzip", ["CSluiceZlib"]),
        library("SluiceHTTP", ["CSluiceCurl", "SluiceDiagnostics", "SluiceGzip", "SluiceSystem"]),
        library("SluiceHTTPServer", ["CSluiceMicrohttpd", "SluiceDiagnostics", "SluiceSystem"]),
        computing("SluiceJQ", ["CSluiceJQ", "SluiceJSON"]),
        computing("SluiceJSON", ["CSluiceSimdjson"]),
        computing("SluiceMerge", ["SluiceModel"]),
        computing("SluiceModel", ["SluiceJSON"]),
        computing("SluicePostgres", ["CSluicePostgres", "SluiceSystem"]),
        computing("SluiceSQLite", ["CSluiceSQLite", "SluiceDiagnostics"]),
        computing("SluiceSchedule", ["SluiceModel", "SluiceSystem"]),
        library("SluiceServeModel", ["SluiceDiagnostics", "SluiceStores"]),
        computing("SluiceSystem"),
        computing("SluiceYAML", ["CSluiceYAML"]),

        // From the file to the store.
        computing(
            "SluicePipeline", ["SluiceDiagnostics", "SluiceJSON", "SluiceModel", "SluiceSchedule", "SluiceSystem"]),
        computing(
            "SluicePipelineFiles",
            [
                "SluiceDiagnostics", "SluiceJQ", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluiceSchedule",
                "SluiceSystem", "SluiceYAML",
            ]),
        computing(
            "SluiceStore", ["SluiceDiagnostics", "SluiceMerge", "SluiceModel", "SluiceSchedule", "SluiceSystem"]),
        computing(
            "SluiceSQLStore",
            ["SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluiceSchedule", "SluiceStore"]),
        computing(
            "SluicePostgresStore",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePostgres", "SluiceSQLStore",
                "SluiceSchedule", "SluiceStore", "SluiceSystem",
            ]),
        computing(
            "SluiceSQLiteStore",
            [
                "SluiceDiagnostics", "SluiceMerge", "SluiceModel", "SluiceSchedule", "SluiceSQLStore", "SluiceSQLite",
                "SluiceStore",
                "SluiceSystem",
            ]),
        library(
            "SluiceStores",
            [
                "SluicePipeline", "SluicePostgresStore", "SluiceSQLStore", "SluiceSQLiteStore", "SluiceStore",
                "SluiceSystem",
            ]),

        // From the source to the store, each a stage of a run.
        computing(
            "SluiceReport",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluiceStore",
                "SluiceSystem",
            ]),
        computing(
            "SluiceDecode",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluiceReport", "SluiceStore",
                "SluiceSystem",
            ]),
        computing(
            "SluicePages",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceGzip", "SluiceHTTP", "SluiceJQ", "SluiceJSON",
                "SluiceModel", "SluicePipeline", "SluiceReport", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceFetch",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceGzip", "SluiceHTTP", "SluiceJQ", "SluiceJSON",
                "SluiceModel", "SluicePages", "SluicePipeline", "SluiceReport", "SluiceStore", "SluiceSystem",
            ]),
        computing("SluicePlans", ["SluiceJSON", "SluiceMerge", "SluiceModel", "SluiceStore"]),
        computing(
            "SluiceReconcile",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline",
                "SluicePlans", "SluiceReport", "SluiceSchedule", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceReview",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePlans",
                "SluiceReconcile",
                "SluiceReport", "SluiceSchedule", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceSync",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceFetch", "SluiceHTTP", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePages", "SluicePipeline", "SluicePlans", "SluiceReconcile", "SluiceReport",
                "SluiceReview",
                "SluiceSchedule", "SluiceStore", "SluiceStores", "SluiceSystem",
            ]),
        library(
            "SluiceNotices",
            [
                "SluiceDiagnostics", "SluiceFetch", "SluiceHTTP", "SluiceModel", "SluicePipeline", "SluiceReport",
                "SluiceSchedule", "SluiceStore", "SluiceSystem",
            ]),
        library(
            "SluiceServe",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluicePipelineFiles",
                "SluiceSchedule", "SluiceServeModel", "SluiceStore", "SluiceStores", "SluiceSystem",
            ]),
        library(
            "SluiceDiscovery",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceFetch", "SluiceGzip", "SluiceHTTP", "SluiceJSON",
                "SluiceModel", "SluicePages", "SluicePipeline", "SluiceReconcile",
                "SluiceReport", "SluiceStore", "SluiceStores", "SluiceSync", "SluiceSystem",
            ]),
        library(
            "SluiceCommands",
            [
                "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceFetch", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluiceNotices", "SluicePipeline", "SluicePipelineFiles", "SluicePlans",
                "SluiceReconcile", "SluiceReport",
                "SluiceReview", "SluiceSchedule", "SluiceServe", "SluiceServeModel", "SluiceStore", "SluiceStores",
                "SluiceSwiftModels", "SluiceSync", "SluiceSystem",
            ]),
        library(
            "SluiceWeb",
            [
                "SluiceCommands", "SluiceDecode", "SluiceDiagnostics", "SluiceHTTPServer", "SluiceJSON", "SluiceModel",
                "SluicePipeline", "SluicePipelineFiles", "SluiceReview", "SluiceServeModel", "SluiceStore",
                "SluiceStores", "SluiceSystem",
            ]),
        .executableTarget(
            name: "sluice", dependencies: ["SluiceCommands", "SluiceSQLite", "SluiceWeb"], swiftSettings: settings),

        // The library: values of Swift programs in and out of a store.
        library("SluiceSwift", ["SluiceDiagnostics"]),
        library(
            "SluiceSwiftModels",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceModel", "SluicePipeline", "SluicePipelineFiles",
                "SluiceSwift",
            ]),
        .macro(name: "SluiceMacros", dependencies: ["SluiceSwift"], swiftSettings: settings),
        library(
            "Sluice",
            [
                "SluiceDecode", "SluiceDecoding", "SluiceDiagnostics", "SluiceJSON", "SluiceMacros", "SluiceMerge",
                "SluiceModel", "SluicePipeline", "SluiceReconcile", "SluiceReport", "SluiceReview", "SluiceSQLite",
                "SluiceSQLiteStore", "SluiceStore", "SluiceSystem",
            ]),
        // Pipeline files in a program's own process; it links what pipelines need.
        library(
            "SluicePipelines",
            [
                "Sluice", "SluiceDecode", "SluiceDiagnostics", "SluicePages", "SluicePipeline", "SluicePipelineFiles",
                "SluiceReconcile", "SluiceReport", "SluiceSQLiteStore", "SluiceStore", "SluiceStores", "SluiceSync",
                "SluiceSystem",
            ]),
        // For the tests of programs that use it.
        library("SluiceTesting", ["Sluice", "SluiceDiagnostics"]),

        // What the tests stand on, and the demo's server.
        .target(name: "CTestSQLite", dependencies: ["CSluiceSQLite"], path: "Tests/CTestSQLite"),
        computing("TestSupport", ["SluiceJSON"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "bookshop-server", dependencies: ["TestSupport"], path: "Tests/DemoServer", swiftSettings: settings),
        // The bench; its floor is C++ that the Makefile compiles for the very machine it runs on.
        .executableTarget(
            name: "sluice-bench", dependencies: ["TestSupport"], path: "Tests/Benchmarks", exclude: ["Floor"],
            swiftSettings: settings),
        .executableTarget(
            name: "sluice-fetch-bench",
            dependencies: [
                "SluiceDecode", "SluiceFetch", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluicePipelineFiles",
                "SluiceReport", "SluiceStore", "SluiceStores", "SluiceSync", "SluiceSystem",
            ],
            path: "Tests/FetchBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "sluice-library-bench", dependencies: ["CSluiceSQLite", "Sluice", "SluiceDecoding"],
            path: "Tests/LibraryBenchmark", swiftSettings: settings),
        tests(
            "EndToEndTests",
            [
                "sluice", "Sluice", "SluiceCommands", "SluiceDiagnostics", "SluiceGzip", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePostgres",
                "SluiceReport", "SluiceSQLite", "SluiceSystem", "SluiceTesting", "SluiceYAML", "TestSupport",
            ]),
        tests(
            "SluiceCommandsTests",
            [
                "SluiceCommands", "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceJSON", "SluiceMerge",
                "SluiceModel", "SluicePipeline", "SluicePipelineFiles", "SluiceReport", "SluiceReview", "SluiceSQLite",
                "SluiceSQLiteStore", "SluiceServe", "SluiceServeModel", "SluiceStore", "SluiceStores", "SluiceSync",
                "SluiceSystem", "TestSupport",
            ]),
        .executableTarget(
            name: "sluice-decoding-bench", dependencies: ["SluiceDecoding", "SluiceJSON"],
            path: "Tests/DecodingBenchmark", swiftSettings: settings),
        tests("SluiceDecodingTests", ["SluiceDecoding", "SluiceJSON"]),
        tests("SluiceSwiftTests", ["SluiceJSON", "SluiceSwift", "TestSupport"]),
        tests("SluiceLibraryTests", ["CTestSQLite", "Sluice", "SluiceSQLite", "SluiceTesting", "TestSupport"]),
        tests("SluicePipelinesTests", ["Sluice", "SluicePipelines", "TestSupport"]),
        tests("SluiceDiagnosticsTests", ["SluiceDiagnostics"]),
        tests("SluiceMergeTests", ["SluiceMerge", "SluiceModel", "SluicePlans", "SluiceStore", "TestSupport"]),
        tests(
            "SluicePipelineTests",
            [
                "SluiceDiagnostics", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline",
                "SluicePipelineFiles", "SluiceSchedule", "SluiceYAML", "TestSupport",
            ]),
        tests("SluiceGzipTests", ["SluiceGzip", "TestSupport"]),
        tests("SluiceHTTPTests", ["SluiceHTTP", "SluiceSystem", "TestSupport"]),
        tests("SluiceHTTPServerTests", ["SluiceHTTPServer", "SluiceSystem", "TestSupport"]),
        tests("SluiceJQTests", ["SluiceJQ", "SluiceJSON", "TestSupport"]),
        tests("SluiceJSONTests", ["SluiceJSON", "TestSupport"]),
        tests("SluicePostgresTests", ["SluicePostgres", "SluiceSystem", "TestSupport"]),
        tests(
            "SluiceScheduleTests", ["SluiceModel", "SluiceSQLiteStore", "SluiceSchedule", "SluiceStore", "TestSupport"]),
        tests(
            "SluiceServeTests",
            [
                "SluiceDiagnostics", "SluiceModel", "SluicePipeline", "SluicePipelineFiles", "SluicePostgres",
                "SluiceSQLiteStore", "SluiceSchedule", "SluiceServe", "SluiceServeModel", "SluiceStore", "SluiceStores",
                "SluiceSystem",
                "TestSupport",
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
                "SluiceStores",
                "SluiceDecode", "SluiceDiagnostics", "SluiceDiscovery", "SluiceFetch", "SluiceHTTP", "SluiceJSON",
                "SluiceMerge", "SluiceModel", "SluiceNotices", "SluicePages", "SluicePipeline", "SluicePipelineFiles",
                "SluicePlans",
                "SluicePostgres", "SluicePostgresStore", "SluiceReconcile", "SluiceReport", "SluiceReview",
                "SluiceSQLite",
                "SluiceSQLiteStore", "SluiceSchedule", "SluiceStore", "SluiceSync", "SluiceSystem", "TestSupport",
                "CTestSQLite",
            ], isComputing: true),
        tests("SluiceSystemTests", ["SluiceSystem", "TestSupport"]),
        tests(
            "SluiceWebTests",
            [
                "SluiceStores",
                "sluice", "SluiceDiagnostics", "SluiceHTTPServer", "SluiceServeModel", "SluiceSystem", "SluiceWeb",
                "TestSupport",
            ]),
        tests("SluiceYAMLTests", ["SluiceYAML", "TestSupport"]),
    ],
    cxxLanguageStandard: .cxx20
)

package.targets += headerTargets(("CHeadersJQ", "libjq", "jq"), ("CHeadersSimdjson", "simdjson", "simdjson"))

// Built by `make fuzz` alone: its `main` comes with the fuzzer.
if Context.environment["SLUICE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "sluice-fuzz",
            dependencies: [
                "SluiceCommands", "SluiceDecode", "SluiceDecoding", "SluiceDiagnostics", "SluiceDiscovery",
                "SluiceFetch",
                "SluiceHTTP", "SluiceJSON", "SluiceMerge", "SluiceModel", "SluicePipeline", "SluicePipelineFiles",
                "SluiceReport",
                "SluiceSwift", "SluiceSync",
                "SluiceYAML",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings))
}
