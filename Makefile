# The commands of the project: `make help` lists them.

.DEFAULT_GOAL := help
SHELL := /bin/bash
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
# Where the sources lie on this machine is in no binary: two builds give the same bytes wherever they are made.
CARGO_FOLDER := $(or $(CARGO_HOME),$(HOME)/.cargo)
FLAGS := "-Ctarget-feature=+crt-static","--remap-path-prefix=$(CURDIR)=flagdeck","--remap-path-prefix=$(CARGO_FOLDER)=cargo"
# What to build for speed and what for size, by `make profile`; another rustc gives the functions other names.
PROFILE := src/benches/rustc-$(word 2,$(shell rustc --version)).profdata.gz
ifneq ($(wildcard $(PROFILE)),)
# Named by what is in it: that alone tells cargo of a new one.
HOT := $(CURDIR)/target/$(word 1,$(shell cksum <$(PROFILE))).profdata
LAYOUT := ,"-Cprofile-use=$(HOT)","-Cllvm-args=-no-pgo-warn-mismatch"
endif
STATIC := --target $(HOST) --config 'target.$(HOST).rustflags=[$(FLAGS)$(LAYOUT)]'
BINARY := target/$(HOST)/release/flagdeck
LARGEST := 15000000
# What --version tells: told from outside, else by git where there is a repository, else nothing.
FLAGDECK_COMMIT ?= $(shell git describe --always --abbrev=40 --dirty=-modified --exclude='*' 2>/dev/null)

## run: build what is missing and start the console on http://127.0.0.1:4242 (UPSTREAM=http://host:port to run beside a flag service)
run:
	cargo build --quiet
	target/debug/flagdeck $(if $(UPSTREAM),--upstream $(UPSTREAM))

## demo: the same with everything in memory, with example toggles and simulated applications that use them
demo:
	cargo build --quiet
	target/debug/flagdeck --demo

## test: everything: formatting, lints, types, dead code, unit, integration and browser tests
test:
	@.ci/test

## check: what of it needs no browser, with the size of the first page and the tests that the specification asks for
check:
	@.ci/test check
	@.ci/audit

## fuzz: ask the embedded flag service all sorts of things for three minutes (FUZZ_SECONDS), and the rules of the proxy for a minute each (FUZZ_TARGET_SECONDS); needs Python 3.10 or newer and a C++ compiler
fuzz:
	@.ci/fuzz

## build: the release binary of at most 15 MB, fully static where the platform allows it, and its bill of materials (.cdx.json) beside it; its path is the last line
build: $(HOT)
	$(if $(FLAGDECK_COMMIT),FLAGDECK_COMMIT=$(FLAGDECK_COMMIT)) cargo build --locked --release $(STATIC)
	@[ "$$(wc -c <$(BINARY))" -le $(LARGEST) ] || { echo "$(BINARY) is larger than $(LARGEST) bytes" >&2; exit 1; }
	@node .ci/bill-of-materials.mjs $(HOST) >$(BINARY).cdx.json
	@echo $(BINARY)

ifdef HOT
$(HOT): $(PROFILE)
	@mkdir -p $(@D)
	@gzip --decompress --stdout $< >$@
endif

## profile: learn anew what `make build` builds for speed and what for size, from the benchmark of the proxy; after a new rustc or much new code
profile:
	@FLAGS='$(FLAGS)' PROFILE=$(PROFILE) .ci/profile

## reproducible: build what is committed twice, in two folders, and compare the bytes; takes as long as two builds
reproducible:
	@.ci/reproducible

## manual: the manual pages and the completions of shells, into target/manual
manual:
	cargo run --quiet --example manual target/manual
	@echo target/manual

## audit: advisories, licences, sources and duplicates of everything that the binary is made of
audit:
	@.ci/audit

## bench: measure the flag service beside a real one, the proxy beside nginx and haproxy (both and wrk must be installed), and the console, in 15 minutes after it was built (BENCH_SECONDS=60 for a quick look)
# In a folder of its own: what is built with tests has more features, and must not take the place of what is measured.
bench: export FLAGDECK_BIN = $(abspath $(BINARY))
bench: build
	@[ frontend/e2e/upstream/node_modules/.package-lock.json -nt frontend/e2e/upstream/package-lock.json ] || \
		npm --prefix frontend/e2e/upstream ci --no-audit --no-fund
	ulimit -n $$(ulimit -Hn) && cargo bench --bench service --bench proxy --target-dir target/bench
	@npm --prefix frontend run --silent bench

## types: write the console's types and the OpenAPI document anew from the Rust definitions
types:
	FLAGDECK_UPDATE_TYPES=1 cargo test --lib generated

## clean: remove everything that was built or installed
clean:
	cargo clean
	rm -rf frontend/dist frontend/node_modules frontend/e2e/{upstream,sdk}/node_modules frontend/e2e/results

## help: list the targets
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST)) | awk -F': ' '{ printf "  make %-12s %s\n", $$1, substr($$0, length($$1) + 3) }'

.PHONY: run demo test check audit fuzz build profile reproducible manual bench types clean help
