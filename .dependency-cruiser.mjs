/**
 * The layer table: what each folder may import besides itself and `src/domain`. Type imports count.
 * The table is the whole rule: a folder that is not in it may import nothing and be imported by nobody.
 */
export const layers = {
  'src/domain': [],
  'src/config': [],
  'src/observe': [],
  'src/parse': [],
  'src/context': [],
  machines: [],
  'src/bus': ['src/observe', 'src/config'],
  'src/llm': ['src/observe', 'src/config'],
  'src/tools': ['src/observe', 'src/config'],
  'src/safety': ['src/bus', 'src/observe'],
  'src/control': ['src/bus', 'src/observe'],
  'src/host': ['src/bus', 'src/observe'],
  'src/inspector': ['src/control', 'src/bus', 'src/observe'],
  agents: ['machines', 'src/parse', 'src/context', 'src/llm', 'src/tools', 'src/safety', 'src/host', 'src/observe'],
  'src/app': [
    'agents',
    'machines',
    'src/inspector',
    'src/host',
    'src/safety',
    'src/control',
    'src/bus',
    'src/llm',
    'src/tools',
    'src/parse',
    'src/context',
    'src/observe',
    'src/config',
  ],
  'src/cli': ['src/control', 'src/app', 'src/inspector', 'src/config', 'src/observe'],
};

/** Outside libraries and the only folders that may import them. Every runtime dependency stands here. */
export const libraries = {
  zod: ['src', 'agents', 'machines'],
  xstate: ['machines', 'agents', 'src/host'],
  nats: ['src/bus'],
  openai: ['src/llm'],
  undici: ['src/llm', 'src/inspector'],
  'gpt-tokenizer': ['src/llm'],
  ajv: ['src/tools'],
  'fastest-levenshtein': ['src/tools', 'src/parse', 'src/config'],
  jsonrepair: ['src/parse'],
  yaml: ['src/config'],
  pino: ['src/observe'],
  commander: ['src/cli'],
};

/** Folders without any Node module: what they do depends on their arguments alone. */
export const pure = ['src/domain', 'src/parse', 'src/context', 'machines'];

/** Folders that reach the world through ports only; modules that merely compute are allowed. */
const throughPorts = ['src/host', 'agents'];
const computing = ['assert', 'buffer', 'crypto', 'events', 'path', 'string_decoder', 'url', 'util'];

const anyOf = (words) => `(${words.map((word) => word.replaceAll(/[.]/g, '\\.')).join('|')})`;
const below = (folders) => `^${anyOf(folders)}/`;

const folderRules = Object.entries(layers).map(([folder, allowed]) => ({
  name: `layer ${folder}`,
  comment: `${folder} may import ${['src/domain', ...allowed].join(', ')} and nothing else of ours.`,
  severity: 'error',
  from: { path: below([folder]) },
  to: { path: below(['src', 'agents', 'machines']), pathNot: below([folder, 'src/domain', ...allowed]) },
}));

const libraryRules = Object.entries(libraries).map(([library, folders]) => ({
  name: `library ${library}`,
  comment: `${library} is imported in ${folders.join(', ')} only.`,
  severity: 'error',
  from: { pathNot: below(folders) },
  to: { path: `^node_modules/${library}/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...folderRules,
    ...libraryRules,
    {
      name: 'library without a folder',
      comment: 'A new dependency gets its line, and its folder, in the table `libraries`.',
      severity: 'error',
      from: {},
      to: { path: '^node_modules/', pathNot: `^node_modules/(@types/)?${anyOf(Object.keys(libraries))}/` },
    },
    {
      name: 'folder without a layer',
      comment: 'A new folder gets its line in the table `layers`. The door `src/index.ts` is nobody’s import.',
      severity: 'error',
      from: {},
      to: { path: '^(src|agents|machines)/', pathNot: below(Object.keys(layers)) },
    },
    {
      name: 'the door stands above everything but the CLI',
      severity: 'error',
      from: { path: '^src/index[.]ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'no Node module in pure folders',
      severity: 'error',
      from: { path: below(pure) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the world through ports only',
      severity: 'error',
      from: { path: below(throughPorts) },
      to: { dependencyTypes: ['core'], pathNot: `^(node:)?${anyOf(computing)}$` },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'nothing of tests in the product',
      severity: 'error',
      from: { path: '^(src|agents|machines)/' },
      to: { path: '^test/' },
    },
    {
      name: 'only declared dependencies',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'deprecated'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules/' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
