# The commands of the project: `make help` lists them.

.DEFAULT_GOAL := help
SHELL := /bin/bash
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
# Paths of this machine are removed from the binary, so that builds in different folders are identical. Packed relocations
# take 10 KB instead of 0.5 MB; a linker that does not know them ignores the option.
CARGO_FOLDER := $(or $(CARGO_HOME),$(HOME)/.cargo)
FLAGS := "-Ctarget-feature=+crt-static","--remap-path-prefix=$(CURDIR)=flagdeck","--remap-path-prefix=$(CARGO_FOLDER)=cargo","-Clink-arg=-Wl,-z,pack-relative-relocs"
STATIC := --target $(HOST) --config 'target.$(HOST).rustflags=[$(FLAGS)]'
BINARY := target/$(HOST)/release/flagdeck
MAX_SIZE := 28000000
# Commit in the output of --version: from the environment, or else from git.
FLAGDECK_COMMIT ?= $(shell git describe --always --abbrev=40 --dirty=-modified --exclude='*' 2>/dev/null)

## run: build and start the console on http://127.0.0.1:4242 (UPSTREAM=http://host:port forwards the API to a flag service)
run:
	cargo build
	target/debug/flagdeck $(if $(UPSTREAM),--upstream $(UPSTREAM))

## demo: build and start the console in memory, with example toggles and simulated applications
demo:
	cargo build
	target/debug/flagdeck --demo

## test: run the checks and tests of a change: formatting, lints, types, dead code, unit, integration and browser tests; .ci/run adds those that take long
test:
	@.ci/test

## check: run all checks and tests without a browser, Clippy, and the audit of the dependencies
check:
	@.ci/test check
	@.ci/audit

## postgres: run all Rust tests, and all browser tests of the embedded flag service, on PostgreSQL
postgres:
	@.ci/postgres

## reach: run the browser tests against servers 3.10 to 8.2, and write a table of versions and calls to target/reach.md (REACH=8.2 for one version)
reach:
	cargo build --quiet --locked
	@.ci/reach $(REACH)

## sdk: compare real client libraries (Unleash, OpenFeature; Node, browser, Python, Rust) with the evaluation, for the embedded service and servers 3.17.6 and 8.2.0, and poll a replica with 10,000 instances during outages of 10 minutes and while a toggle is held; needs Python 3.10 and a C compiler
sdk:
	cargo build --quiet --locked
	@.ci/sdk

## fuzz: fuzz the API of the embedded flag service for 3 minutes (FUZZ_SECONDS) and each fuzz target of the proxy, the evaluation and files for 1 minute (FUZZ_TARGET_SECONDS); needs Python 3.10 and a C++ compiler
fuzz:
	@.ci/fuzz

## build: build the release binary (static, at most 28 MB) and its bill of materials (.cdx.json); prints the path in the last line
build:
	$(if $(FLAGDECK_COMMIT),FLAGDECK_COMMIT=$(FLAGDECK_COMMIT)) cargo build --locked --release $(STATIC)
	@[ "$$(wc -c <$(BINARY))" -le $(MAX_SIZE) ] || { echo "$(BINARY) is larger than $(MAX_SIZE) bytes" >&2; exit 1; }
	@node .ci/bill-of-materials.mjs $(HOST) >$(BINARY).cdx.json
	@echo $(BINARY)

## image: build the release binary, write a container image of it as an OCI layout to target/image, and run its program; prints the path in the last line
image: build
	@node .ci/image.mjs $(BINARY)

## smoke: build the release binary and run the main tasks of the console against it in Chromium, before a release
smoke: build
	@. .ci/install.sh && install_npm frontend frontend/e2e/browsers
	@FLAGDECK_BIN=$(abspath $(BINARY)) npm --prefix frontend run --silent browsers -- --project chromium

## webkit: run the main tasks of the console in WebKitGTK, the engine of Safari; needs webkit2gtk-driver and xvfb, which it installs on Debian
webkit:
	cargo build --quiet --locked
	@. .ci/install.sh && install_npm frontend frontend/e2e/browsers && \
		{ command -v WebKitWebDriver >/dev/null || install_debian webkit2gtk-driver xvfb; }
	@xvfb-run --auto-servernum npm --prefix frontend run --silent browsers -- --project webkit

## reproducible: build the current commit twice, in different folders, and compare the binaries
reproducible:
	@.ci/reproducible

## manual: write the manual pages and the shell completions to target/manual
manual:
	cargo run --quiet --example manual target/manual
	@echo target/manual

## package: build a Debian package with a systemd unit, settings, manual pages and completions, and test it in a folder; prints the path in the last line
package: build manual
	@.ci/package

## audit: check the dependencies: advisories, licences, sources and duplicate versions
audit:
	@.ci/audit

## bench: benchmark the evaluation, the flag service, the proxy and the console in 15 minutes (BENCH_SECONDS=60 for a short run), and then the builds in a fresh clone; needs nginx, haproxy and wrk, and measures unleash-edge if it is installed
# Uses its own target folder, because cargo builds dependencies for tests with more features than the measured binary.
bench: export FLAGDECK_BIN = $(abspath $(BINARY))
bench: build
	@. .ci/install.sh && install_npm frontend/e2e/{upstream,sdk,oidc,servers/8.2.0}
	ulimit -n $$(ulimit -Hn) && cargo bench --bench evaluation --bench service --bench proxy --bench sdk --bench recorder --target-dir target/bench
	@npm --prefix frontend run --silent bench
	@node .ci/bench-builds.mjs

## screenshots: render every screen and state in five sizes and three themes, in about 8 minutes; target/screenshots/index.html shows them
screenshots:
	cargo build --quiet
	@npm --prefix frontend run --silent screenshots
	@echo target/screenshots/index.html

## types: regenerate the TypeScript types, the OpenAPI document and the tables of examples/settings.md from the Rust definitions
types:
	FLAGDECK_UPDATE_TYPES=1 cargo test --lib generated

## clean: remove all build output and installed packages
clean:
	cargo clean
	rm -rf frontend/dist frontend/node_modules frontend/e2e/{browsers,upstream,sdk,oidc,servers/*}/node_modules frontend/e2e/results

## help: list the targets
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST)) | awk -F': ' '{ printf "  make %-12s %s\n", $$1, substr($$0, length($$1) + 3) }'

.PHONY: run demo test check postgres reach sdk audit fuzz build image smoke webkit reproducible manual package bench screenshots types clean help
