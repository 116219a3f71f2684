// swift-tools-version: 6.0
import PackageDescription

// Programs that use the library as another package does: one package, so that the library is built once for all of them.
// `scripts/library.sh` builds and runs them, by path and by version, and runs the tests.
let sluice = Target.Dependency.product(name: "Sluice", package: "sluice")

let package = Package(
    name: "sluice-examples",
    dependencies: [.package(name: "sluice", path: "..")],
    targets: ["conflict", "stale", "notes"].map { .executableTarget(name: $0, dependencies: [sluice]) } + [
        .target(name: "Users", dependencies: [sluice]),
        .testTarget(
            name: "UsersTests",
            dependencies: ["Users", sluice, .product(name: "SluiceTesting", package: "sluice")]),
    ]
)
