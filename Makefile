# Names for the tasks; each is what CI runs. Needs Python 3.11+, git and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(abspath $(VENV))/bin
Q ?= 애플 주가 추세 분석해줘

# Tests start hundreds of processes; each would compile the whole house anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: ask up seed test test-long test-deploy check format lint types imports agents protos protos-check protos-break bench watchers locks images scope clean

$(VENV)/.run: pyproject.toml constraints.txt
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q --no-compile --disable-pip-version-check -c constraints.txt -e '.[sample]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

ask: $(VENV)/.run ## Ask one question: make ask Q="..."
	@$(BIN)/hapju ask "$(Q)"

up: $(VENV)/.run ## Run every service in this process until interrupted
	@$(BIN)/hapju up

seed: $(VENV)/.run ## Load the sample data set
	@$(BIN)/hapju seed

# What holds something to a clock runs alone, after the others, with one retry that is told. A worker that dies ends
# the run: one that is put in its place can wait for ever for work that nobody gives (pytest-dev/pytest-xdist#1378). It
# is a crash below Python (tests/conftest.py, WORKER_DIED), whose threads stand in the output, and is tried once more.
# What is timed is looked for in the files that say so: to collect all of them takes longer than many a test.
TIMED = $$(grep -rl --include='test_*.py' 'mark\.timed' tests)
SIDE_BY_SIDE = $(BIN)/pytest -n 3 --dist loadgroup --max-worker-restart 0 --durations 30
# The sample data is loaded once for both, beside the first of them.
define run_tests
@failed=0; export TESTS_SHARED=$$(mktemp -d); trap 'rm -rf "$$TESTS_SHARED"' EXIT; \
$(BIN)/python -m tests.support.seeding & \
$(SIDE_BY_SIDE) -m "$(1) and not timed and not slow and not bench and not deploy" || failed=$$?; \
if [ $$failed = 70 ]; then echo "A worker has died; the tests are run once more."; failed=0; \
$(SIDE_BY_SIDE) -m "$(1) and not timed and not slow and not bench and not deploy" || failed=$$?; fi; \
$(BIN)/pytest -m "$(1) and timed and not slow and not bench and not deploy" --reruns 1 -rR $(TIMED) || failed=$$?; \
exit $$failed
endef

test: $(VENV)/.dev ## Run the tests
	$(call run_tests,not long)

test-long: $(VENV)/.dev ## Run those that take many seconds each: whole sets, several processes, kills, wheels
	$(call run_tests,long)

scope: $(VENV)/.dev ## Fit the router's scope voter on services/catalog/utterances (a test tells when it is due)
	@$(BIN)/python -m services.router.training

check: format lint types imports protos-check test test-long ## Everything that CI decides by

format: $(VENV)/.dev
	@$(BIN)/ruff format --check

lint: $(VENV)/.dev
	@$(BIN)/ruff check

types: $(VENV)/.dev
	@$(BIN)/mypy services gateway prompts observability tests protos/generate.py protos/dataclasses_of.py

imports: $(VENV)/.dev
	@$(BIN)/lint-imports

agents: $(VENV)/.dev ## Write the domains' agents into the chart's values and the Compose files
	@$(BIN)/python -m tests.deploy.writing

protos: $(VENV)/.dev ## Generate protos/gen anew
	@$(BIN)/python protos/generate.py

protos-check: $(VENV)/.dev
	@cd protos && $(BIN)/buf lint
	@cd protos && $(BIN)/buf breaking --against contract.binpb
	@$(BIN)/python protos/generate.py --check

protos-break: $(VENV)/.dev ## Take the contract as it is now for what clients rest on: a decision, for it breaks them
	@cd protos && $(BIN)/buf build -o contract.binpb

test-deploy: $(VENV)/.dev ## Build the image, bring Compose up, play the chart, ask a small model; each where its tools are here
	@$(BIN)/python -m tests.deploy.tier

watchers: ## Build Prometheus, a collector and Jaeger for the tests of the deploy tier, into a cache; needs Go
	@tests/deploy/watchers/build.sh

bench: $(VENV)/.dev ## Print what a cold question costs, or what else NAME says: make bench NAME=flow
	@$(BIN)/python -m tests.bench $(or $(NAME),--quick)

LOCK = $(BIN)/uv pip compile -q -c constraints.txt --generate-hashes --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links --python-version 3.11 --python-platform linux
IMAGE = --extra a2a --extra oidc --extra postgres --extra mysql

locks: $(VENV)/.dev ## Write what the image installs, with hashes, from pyproject.toml and constraints.txt
	@$(LOCK) pyproject.toml $(IMAGE) -o services/requirements.txt
	@$(LOCK) pyproject.toml $(IMAGE) --extra sample -o services/requirements-sample.txt \
		$$(sed -n 's/==.*/ /p' services/requirements.txt | sed 's/^/--no-emit-package /')
	@printf 'pip\nhatchling\ncyclonedx-bom\n' | $(LOCK) --no-emit-package setuptools - -o services/requirements-build.txt

images: ## Build the one image that every service runs from
	@docker build -f services/Dockerfile -t hapju:latest .

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
