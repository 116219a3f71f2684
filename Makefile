# The things one does with this repository. `make` alone lists them.

PREFIX ?= /usr/local
DESTDIR ?=
# How many records `make bench` works on, and how often it runs each job (its own choice where empty).
SIZES ?= 100k 1m
ROUNDS ?=
# What `make fuzz` is to break, for how long, and where it begins (at the time of day where empty).
TARGET ?= json
SECONDS ?= 600
SEED ?=

# The suites that take their seeds from `Seeds`: each is called as its file is.
SEEDED = $(shell grep -rlE 'Seeds\.(first|some|isDeep)' Tests --include='*.swift' | sed 's|.*/||; s|\.swift$$||' | paste -sd'|')
# How often `make crash` has servers break down; it begins with SEED as well.
CRASHES ?= 200

# The program that `make install` installs; built where empty.
PROGRAM ?=
PROGRAM_TO_INSTALL = $(or $(PROGRAM),.build/release/sluice)

# Which tests `make test` runs: a regular expression over their names; all of them where empty.
FILTER ?=

# Builds for use: with the Swift runtime inside, so that `make install` has nothing to compile anew.
RELEASE := swift build -c release --static-swift-stdlib

CXX ?= g++
# The floor is a yardstick for the machine it runs on: it gets all that the compiler can do there.
FLOOR_FLAGS := -O3 -march=native -std=c++20 -Wall -Wextra
FLOOR_SOURCES := $(wildcard Tests/Benchmarks/Floor/*)

# Where toolchains put themselves when nobody has told the shell.
export PATH := $(PATH):/opt/swift/usr/bin:$(HOME)/.local/share/swiftly/bin

.DEFAULT_GOAL := help
.PHONY: help setup build demo pictures test deep crash examples reader docc bench fuzz format lint install deb clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that are missing; say how to get Swift if it is
	@sh scripts/setup.sh

build: setup ## compile the program for use: .build/release/sluice
	$(RELEASE) --product sluice

demo: build ## show the main job: a catalogue synced, corrected by hand, and synced again
	$(RELEASE) --product bookshop-server
	@bash fixtures/demo.sh

pictures: build ## draw the pictures of the manual anew
	@scripts/pictures.sh
	SLUICE_OPTIMIZED=1 swift build --build-tests --explicit-target-dependency-import-check error
	@SLUICE_PICTURES='$(CURDIR)/docs/pictures' sh scripts/test.sh ServedPageTests

test: setup ## compile everything with the import check, and run all tests (or FILTER=DeleteTests)
	SLUICE_OPTIMIZED=1 swift build --build-tests --explicit-target-dependency-import-check error
	@sh scripts/test.sh '$(FILTER)'

deep: setup ## run what goes by seeds with DEPTH=10 times as many (or FILTER=MergeModelTests)
	SLUICE_OPTIMIZED=1 swift build --build-tests --explicit-target-dependency-import-check error
	@SLUICE_DEPTH='$(or $(DEPTH),10)' sh scripts/test.sh '$(or $(FILTER),$(SEEDED))'

crash: setup ## have PostgreSQL break down under runs, and then connections cut, CRASHES=200 times each (SEED=1); about 8 minutes
	SLUICE_OPTIMIZED=1 swift build --build-tests --explicit-target-dependency-import-check error
	@SLUICE_CRASHES='$(CRASHES)' SLUICE_SEED='$(SEED)' sh scripts/test.sh PostgresCrashTests

examples: build ## build and run the programs of Examples as other packages would, by path and by version
	@SLUICE='$(CURDIR)/.build/release/sluice' sh scripts/library.sh

reader: ## compare what macros read of Swift declarations with what SwiftSyntax reads, where the toolchain has it; about 2 minutes
	@sh scripts/swift-reader.sh

docc: setup ## build the library's pages for a browser, without warnings: .build/docc*
	@sh scripts/docc.sh

bench: build .build/bench/sluice-floor .build/bench/sluice-related-floor .build/bench/sluice-fetch-floor .build/bench/sluice-postgres-floor .build/bench/sluice-library-floor ## compare with plain C++ on the same work (SIZES="100k 1m" ROUNDS=5)
	$(RELEASE) --product sluice-bench
	$(RELEASE) --product sluice-fetch-bench
	$(RELEASE) --product sluice-library-bench
	$(RELEASE) --product sluice-decoding-bench
	.build/release/sluice-bench $(if $(ROUNDS),--rounds $(ROUNDS)) $(SIZES)
	.build/release/sluice-decoding-bench
	@bash scripts/model-compile.sh
	@bash scripts/package-build.sh

.build/bench/sluice-floor: $(FLOOR_SOURCES) Makefile | setup
	@mkdir -p $(@D)
	$(CXX) $(FLOOR_FLAGS) -o $@ Tests/Benchmarks/Floor/Floor.cpp -lsimdjson -lsqlite3

.build/bench/sluice-related-floor: $(FLOOR_SOURCES) Makefile | setup
	@mkdir -p $(@D)
	$(CXX) $(FLOOR_FLAGS) -o $@ Tests/Benchmarks/Floor/Related.cpp -lsimdjson -lsqlite3

.build/bench/sluice-fetch-floor: $(FLOOR_SOURCES) Makefile | setup
	@mkdir -p $(@D)
	$(CXX) $(FLOOR_FLAGS) -o $@ Tests/Benchmarks/Floor/Fetch.cpp -lcurl

.build/bench/sluice-postgres-floor: $(FLOOR_SOURCES) Makefile | setup
	@mkdir -p $(@D)
	$(CXX) $(FLOOR_FLAGS) -o $@ Tests/Benchmarks/Floor/Postgres.cpp $$(pkg-config --cflags --libs libpq) -lsimdjson

.build/bench/sluice-library-floor: $(FLOOR_SOURCES) Makefile | setup
	@mkdir -p $(@D)
	$(CXX) $(FLOOR_FLAGS) -o $@ Tests/Benchmarks/Floor/Library.cpp -lsqlite3

fuzz: setup ## feed made-up inputs to the readers (TARGET=yaml|json|jsonpath|link|swift|text SECONDS=600 SEED=1)
	SLUICE_FUZZ=1 swift build -c release --product sluice-fuzz --scratch-path .build/fuzz \
	    --sanitize=fuzzer --sanitize=address -Xswiftc -enable-testing
	@sh scripts/fuzz.sh '$(TARGET)' '$(SECONDS)' $(SEED)

format: setup ## lay out the Swift sources as `make lint` wants them
	swift format --in-place --parallel --recursive Sources Tests Package.swift

lint: setup ## check layout, documentation comments, scripts and fixtures
	swift format lint --strict --parallel --recursive Sources Tests Package.swift
	@sh scripts/lint.sh
	@sh scripts/arrows.sh

install: $(if $(PROGRAM),,build) ## install to DESTDIR/PREFIX: the program with the Swift runtime inside, its manual page, and completions
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(PROGRAM_TO_INSTALL) '$(DESTDIR)$(PREFIX)/bin/sluice'
	install -d '$(DESTDIR)$(PREFIX)/share/man/man1'
	$(PROGRAM_TO_INSTALL) generate man --output '$(DESTDIR)$(PREFIX)/share/man/man1/sluice.1'
	chmod 644 '$(DESTDIR)$(PREFIX)/share/man/man1/sluice.1'
	@set -e; for place in bash:bash-completion/completions/sluice zsh:zsh/vendor-completions/_sluice \
	    fish:fish/vendor_completions.d/sluice.fish; do \
	    file='$(DESTDIR)$(PREFIX)/share/'$${place#*:}; install -d "$${file%/*}"; \
	    $(PROGRAM_TO_INSTALL) completions $${place%%:*} --output "$$file"; chmod 644 "$$file"; \
	done

deb: build ## build a Debian package with the program, its service, manual page and completions: .build/deb
	sh scripts/deb.sh .build/release/sluice .build/deb

clean: ## remove everything that was built
	rm -rf .build
