# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# A thin front of the CMake presets: 'make help' lists what there is.

JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX   ?=
FLAGSHIP ?= excavator-digging
OUT      ?= out/flagship
SECONDS  ?= 60
SEED     ?= $(shell date +%Y%m%d%H%M%S)

PACKAGES  := tools/install-packages
CTEST     := ctest -j$(JOBS) --output-on-failure --output-junit junit.xml --test-output-size-passed 1000000
quiet_log := >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

.DEFAULT_GOAL := build
.PHONY: build run test bench validate install format check-format viewer gallery docs debug asan tsan clang fuzz clean help

build: ## build the library and the command line into build/
	@command -v cmake >/dev/null || { echo "cmake was not found: 'tools/install-packages build' installs what the build needs"; exit 1; }
	@mkdir -p build
	@cmake --preset release $(quiet_log)
	@cmake --build --preset release -j $(JOBS)

run: ## install missing packages, build, run the flagship scene (FLAGSHIP=name OUT=folder)
	@$(PACKAGES) build
	@$(MAKE) --no-print-directory build
	build/bin/kairos run $(FLAGSHIP) -o $(OUT)
	@echo
	@echo "Results of '$(FLAGSHIP)' are in $(OUT)/:"
	@ls -1 $(OUT) | sed 's/^/    /'
	@echo
	@echo "Open this page in a browser: file://$(abspath $(OUT))/index.html"

test: ## install missing packages, build, pass every test
	@$(PACKAGES) build test
	@mkdir -p build
	@cmake --preset release -DKAIROS_TESTS=ON $(quiet_log)
	@cmake --build --preset release -j $(JOBS)
	@$(CTEST) --preset release

bench: ## benchmarks, with peers where installed (CSV in bench/)
	@$(PACKAGES) build bench
	@$(MAKE) --no-print-directory build
	@if [ -x bench/run ]; then bench/run; else echo "make bench: there is no bench/run yet"; exit 1; fi

validate: ## only the validation cases, long runs at their full length: closed forms, published figures, energy
	@$(PACKAGES) build test
	@mkdir -p build
	@cmake --preset release -DKAIROS_TESTS=ON $(quiet_log)
	@cmake --build --preset release -j $(JOBS)
	@KAIROS_VALIDATE=1 $(CTEST) --preset release -L validate

install: ## install library, headers, command line, CMake package, pkg-config file (PREFIX=/usr/local)
	@mkdir -p build
	@cmake --preset release $(if $(PREFIX),-DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))) $(quiet_log)
	@cmake --build --preset release -j $(JOBS)
	@cmake --install build

format: ## lay out all C files as .clang-format says
	@tools/format

check-format: ## say which files are not laid out so
	@tools/format --check

viewer: ## build viewer/dist/viewer.html, which every run's page is made from (needs npm)
	@cd viewer && npm ci --no-audit --no-fund && npm run check && npm run build

gallery: build ## render the scenes that ship into docs/gallery (needs chromium)
	@tools/gallery

docs: build ## write the generated pages of docs/
	build/bin/kairos-gendocs docs

debug: ## build and test without optimisation
asan: ## build and test with the address and undefined-behaviour sanitizers (build-asan/)
tsan: ## build and run the unit tests with the thread sanitizer (build-tsan/)
clang: ## build and test with clang (build-clang/)
debug asan tsan clang:
	@$(PACKAGES) build test
	@mkdir -p build
	@cmake --preset $@ -DKAIROS_TESTS=ON $(quiet_log)
	@cmake --build --preset $@ -j $(JOBS)
	@$(CTEST) --preset $@

fuzz: ## fuzz every reader (SECONDS=60 each), then mutants of all inputs in a sanitizer build (SECONDS, SEED)
	@$(PACKAGES) build test
	@KAIROS_FUZZ_SECONDS=$(SECONDS) tools/fuzz
	@KAIROS_FUZZ_SECONDS=$(SECONDS) KAIROS_FUZZ_SEED=$(SEED) tools/fuzz --mutants

clean: ## remove all that was built (not out/)
	rm -rf build build-debug build-asan build-tsan build-clang

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
	    awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'
