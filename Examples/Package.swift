// swift-tools-version: 6.0
import PackageDescription

// Programs that use the library as another package does: one package, so that the library is built once for all of them.
// `scripts/library.sh` builds and runs them, by path and by version, and runs the tests.
let sluice = Target.Dependency.product(name: "Sluice", package: "sluice")

let programs = [
    "values", "places", "notes", "cycle", "renamed", "renaming", "actors", "shown", "watched", "conflict", "stale",
    "authors", "labels", "shop",
]

let package = Package(
    name: "sluice-examples",
    dependencies: [.package(name: "sluice", path: "..")],
    targets: programs.map { .executableTarget(name: $0, dependencies: ["Checking", sluice]) } + [
        .target(name: "Checking"),
        // What pipelines need as well.
        .executableTarget(
            name: "pipeline", dependencies: ["Checking", sluice, .product(name: "SluicePipelines", package: "sluice")]),
        .target(name: "Users", dependencies: [sluice]),
        // The tutorial's.
        .target(name: "Bookshelf", dependencies: [sluice]),
        .executableTarget(name: "shelf", dependencies: ["Bookshelf", sluice]),
        .testTarget(
            name: "BookshelfTests",
            dependencies: ["Bookshelf", sluice, .product(name: "SluiceTesting", package: "sluice")]),
        .testTarget(
            name: "UsersTests",
            dependencies: ["Users", sluice, .product(name: "SluiceTesting", package: "sluice")]),
    ]
)
