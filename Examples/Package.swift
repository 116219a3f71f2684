// swift-tools-version: 6.0
import PackageDescription

// Programs that use the library as another package does: one package, so that the library is built once for all of them.
// `scripts/library.sh` builds and runs them, by path and by version.
let package = Package(
    name: "sluice-examples",
    dependencies: [.package(name: "sluice", path: "..")],
    targets: ["conflict", "stale", "notes"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "Sluice", package: "sluice")])
    }
)
