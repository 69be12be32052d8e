/** What shows that a command of the documents works. */
export type Shown =
  /** `npm test -- commands` runs it like this: the same program on less. */
  | { readonly run: string; readonly needs?: Need }
  /** It starts a server: `npm test -- commands` runs it like this, asks for the page at the address it prints, and ends it. */
  | { readonly serve: string }
  /** A check of `npm test` or `.ci/run` runs it, or all that it runs; a filter behind `--` names one of these files. */
  | { readonly check: string; readonly among?: string }
  /** This test or check does what it says. */
  | { readonly test: string }
  /** Nothing runs it. */
  | { readonly notRun: string };

/** A folder that is not part of the repository, as the command names it. */
export type Need = '../shared/data' | '../shared/families';

const NO_CORPUS = 'needs the corpora of the training';
const NO_ENGINE = 'needs a container engine; test/e2e/deploy/nginx.spec.ts serves the page by the same configuration';
const GIGABYTES = 'downloads 4 GB of packages';
const OBSERVABLE = 'downloads Observable Framework; the README says with which version it was tried';
const HOURS = 'trains for hours; `training/tests` runs the chain of its steps with fakes';

/** Every command of the documents, as they show it. */
export const COMMANDS: Readonly<Record<string, Shown>> = {
  'npm start': { serve: 'npm start -- --port 0 --no-open' },
  'npm run dev': { serve: 'npm run dev -- --port 0' },
  'npm test': { check: '.ci/run' },
  'npm run check': { check: 'test' },
  'npm test -- browsers': { check: '.ci/run' },
  'npm run fix': { check: 'format' },
  'npm run build': { check: 'build' },
  'npm test -- size': { check: 'size' },
  'npm test -- golden': { check: 'golden' },
  'npm test -- webgpu': { check: 'webgpu' },
  'npm test -- types': { check: 'types' },
  'npm test -- unit explain': { check: 'unit', among: 'test/unit' },
  'npm test -- unit fuzz': { check: 'unit', among: 'test/conformance' },
  'npm test -- golden formulas': { check: 'golden', among: 'test/golden' },
  'npm test -- e2e pages/explain': { check: 'e2e', among: 'test/e2e' },
  'npm test -- e2e models/own/hub': { check: 'e2e', among: 'test/e2e' },
  'npm test -- e2e transports/contract': { check: 'e2e', among: 'test/e2e' },
  'npx vitest run -c test/vitest.config.ts --project golden-node context': {
    check: 'golden',
    among: 'test/golden',
  },
  'npx vitest run -c test/vitest.config.ts --project unit test/unit/server': { check: 'unit', among: 'test/unit' },
  'LIGHTWELL_DATA=DIR npm test -- golden': { check: 'golden' },
  'npm run structure': { run: 'npm run structure' },
  'npm run bench -- soak': { run: 'npm run bench -- soak --requests 100' },
  'npm test -- fuzz': { run: 'npm test -- fuzz --bodies 100' },
  'npm test -- real': { notRun: GIGABYTES },
  'OPENAI_API_KEY=$LIGHTWELL_TOKEN lm_eval run --model local-completions --tasks TASK --model_args model=lightwell-base,base_url=http://localhost:5448/v1/completions,tokenizer=FOLDER':
    { test: 'test/conformance/lm-eval/run.mjs' },
  'npm test -- faults': { test: 'test/e2e/faults/faults.spec.ts' },
  'npm run bench': { run: 'npm run bench -- --quick --only overhead,memory' },
  ...benches([
    'contrast',
    'lengths,lengths-memory',
    'long-memory',
    'refusals',
    'interleaving',
    'batch',
    'json',
    'main-thread',
    'first-visit',
    'map',
    'long-text',
    'large-input',
  ]),
  'npm run bench -- --only kills --count 1000 --log kills.jsonl': {
    run: 'npm run bench -- --only kills --count 2 --ways terminate',
  },
  'npm run bench -- --only kills --count 100 --victim documents': {
    run: 'npm run bench -- --only kills --count 2 --victim documents --ways close',
  },
  'npm run bench -- plan --parameters 70e9 --layers 80 --width 8192 --kv-heads 8 --head-size 128 --kv-bytes 2 --is-fed-embeddings 0 --sections 1000 --tokens-per-section 4':
    {
      run: 'npm run bench -- plan --parameters 70e9 --layers 80 --width 8192 --kv-heads 8 --head-size 128 --kv-bytes 2 --is-fed-embeddings 0 --sections 1000 --tokens-per-section 4',
    },
  'npm run bench -- --only gpu,devices': { notRun: 'needs a GPU' },
  'npm run bench -- visits': { run: 'npm run bench -- visits' },
  'npm run bench -- graphs --data ../shared/data --families ../shared/families': {
    run: 'npm run bench -- graphs --data ../shared/data --families ../shared/families',
    needs: '../shared/families',
  },
  'npm run bench -- headless': { run: 'npm run bench -- headless --rounds 1 --each 1 --requests 20' },
  'npm run bench -- heat-maps': { run: 'npm run bench -- heat-maps' },
  'npm run bench -- generation': { run: 'npm run bench -- generation --rounds 1' },
  'npm run bench -- generation --model DIR --dtype q8': { notRun: 'needs a folder that npm test -- real makes' },
  'npm run pictures -- charts': { test: 'test/architecture/prose/charts.test.ts' },
  'npm run bench -- embeddings --rounds 15': { run: 'npm run bench -- embeddings --rounds 1' },
  'npm run bench -- memory': { run: 'npm run bench -- memory' },
  'npm run bench -- memory --models DIR --changes 12': {
    run: 'npm run bench -- memory --models public/models --changes 2',
  },
  ...evaluations(['faithfulness --sample 100', 'picture-atman --sample 20', 'sts,qa --sample 50']),
  ...evaluations([
    'everyday',
    'atman',
    'deletion',
    'methods',
    'citations',
    'newcomers',
    'steering',
    'captions,picture-questions',
    'sts,retrieval,intents',
    'qa,answerable',
  ]),
  'npm run evaluate -- --only contract-questions': {
    run: 'npm run evaluate -- --only contract-questions --sample 30', // fewer leave no question for some row
    needs: '../shared/data',
  },
  'npm run evaluate -- --only budget --records evaluation/records/budget.jsonl': {
    run: 'npm run evaluate -- --only picture-budget --sample 1 --records "$(mktemp -d)/records.jsonl"',
  },
  'npm run evaluate -- --only picture-budget,story-budget': {
    run: 'npm run evaluate -- --only story-budget --sample 1',
    needs: '../shared/data',
  },
  'npm run evaluate -- --only story-budget --records evaluation/records/story-budget.jsonl': {
    run: 'npm run evaluate -- --only story-budget --sample 1 --records "$(mktemp -d)/records.jsonl"',
    needs: '../shared/data',
  },
  'npm run evaluate -- --only picture-budget --sample 24 --records evaluation/records/picture-budget.jsonl': {
    run: 'npm run evaluate -- --only picture-budget --sample 1 --records "$(mktemp -d)/records.jsonl"',
  },
  'npm run evaluate -- tables': { run: 'npm run evaluate -- tables' },
  'npm run bench -- mutations --kinds pdf,word': {
    run: 'npm run bench -- mutations --files 10 --kinds pdf,word',
  },
  'npm run evaluate -- files': { run: 'npm run evaluate -- files --each 1' },
  'npm run evaluate': { run: 'npm run evaluate -- --only everyday --sample 2', needs: '../shared/data' },
  'npm run evaluate -- --only perplexity --corpus DIR': { notRun: NO_CORPUS },
  'npm run evaluate -- --data DIR --corpus DIR --json FILE': { notRun: NO_CORPUS },
  'npm run evaluate -- pages documents': { run: 'npm run evaluate -- pages documents --list', needs: '../shared/data' },
  'npm run evaluate -- pages meaning': { run: 'npm run evaluate -- pages meaning --list', needs: '../shared/data' },
  'npm run evaluate -- pages sinks': { run: 'npm run evaluate -- pages sinks --list', needs: '../shared/data' },
  'npm run evaluate -- pages': { run: 'npm run evaluate -- pages --list', needs: '../shared/data' },
  'python3 -m http.server --directory dist 8000': { test: 'test/e2e/deploy/sub-path.spec.ts' },
  'docker build -t lightwell .': { notRun: NO_ENGINE },
  'docker run --rm --read-only --tmpfs /var/cache/nginx -p 127.0.0.1:8080:8080 lightwell': { notRun: NO_ENGINE },
  'curl -s http://localhost:5448/health': { test: 'test/e2e/transports/headless.spec.ts' },
  'npx lightwell serve --port 5448': { test: 'test/e2e/package/package.spec.ts' },
  'LIGHTWELL_TOKEN=$(cat token) npx lightwell serve --host 10.0.0.5 --behind-tls-proxy': {
    test: 'test/unit/server/options.test.ts',
  },
  'npx lightwell render record.json --html > record.html': { test: 'test/e2e/package/package.spec.ts' },
  'npx lightwell render record.json --html --interactive > record.html': { test: 'test/e2e/package/package.spec.ts' },
  'npx lightwell render record.json --png > record.png': { test: 'test/e2e/package/package.spec.ts' },
  'npx lightwell render record.json --svg > record.svg': { test: 'test/e2e/package/package.spec.ts' },
  'mkdir -p src/lightwell': { notRun: OBSERVABLE },
  'cp node_modules/lightwell/dist/heat-map.js node_modules/lightwell/dist/formats.js src/lightwell': {
    notRun: OBSERVABLE,
  },
  'npx @observablehq/framework preview': { notRun: OBSERVABLE },
  'npx lightwell verify record.json --token TOKEN': { test: 'test/e2e/exports/record.spec.ts' },
  'npm start -- export-engine public/models/lightwell-base engine': { test: 'test/e2e/transports/cluster/run.mjs' },
  'LIGHTWELL_ENGINE_TOKEN=… npm start -- --engine https://engine.example --engine-models lightwell-base': {
    test: 'test/e2e/transports/remote-engine.spec.ts',
  },
  'npm pack': { test: 'test/e2e/package/package.spec.ts' },
  'npm install lightwell-0.2.0.tgz': { test: 'test/e2e/package/package.spec.ts' },
  'npx serve .': { test: 'test/e2e/package/package.spec.ts' },
  'npm install': { test: 'test/e2e/package/package.spec.ts' },
  'python test/golden/foreign/make-families.py ../shared/families': { notRun: 'needs PyTorch and two exporters' },
  ...training(),
};

/** @param names  what `--only` takes */
function benches(names: readonly string[]): Record<string, Shown> {
  return Object.fromEntries(
    names.map((name) => [`npm run bench -- --only ${name}`, { run: `npm run bench -- --quick --only ${name}` }]),
  );
}

/** @param names  what `--only` takes, with what follows it */
function evaluations(names: readonly string[]): Record<string, Shown> {
  const shown = (name: string): Shown => ({
    run: `npm run evaluate -- --only ${name.replace(/ .*/, '')} --sample 2`,
    needs: '../shared/data',
  });
  return Object.fromEntries(names.map((name) => [`npm run evaluate -- --only ${name}`, shown(name)]));
}

function training(): Record<string, Shown> {
  const checked: Shown = { test: 'test/training.mjs' };
  const python = '.venv/bin/python -m lightwell_training';
  return {
    'python3 -m venv .venv': checked,
    '.venv/bin/pip install -r training/requirements.lock': checked,
    '.venv/bin/pip install --no-deps --editable training': checked,
    'cd training': checked,
    '../.venv/bin/ruff check . && ../.venv/bin/ruff format --check . && ../.venv/bin/python -m pytest': checked,
    'export LIGHTWELL_DATA=path/to/corpora': checked,
    [`${python} corpora check`]: { test: 'training/tests/test_corpora.py' },
    [`${python} base run --out OUT`]: { notRun: HOURS },
    [`${python} embedder run --out OUT`]: { notRun: HOURS },
    [`${python} reader run --out OUT`]: { notRun: HOURS },
    'python -m lightwell_training embedder run --data DATA --out OUT': { notRun: HOURS },
    'python -m lightwell_training reader run --data DATA --out OUT': { notRun: HOURS },
  };
}
