import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const HTTP = ['fastify', '@fastify/*', '@nestjs/*', 'undici'];
const DATABASE = ['pg', 'pg-*', '@prisma/*', 'prisma'];
/** The platform has its decorators, and loads it when the document is asked for. */
const SWAGGER = '@nestjs/swagger';

/** Which project may import which, by the `nx.tags` of their package.json. Every project has one scope and one type. */
const BOUNDARIES = [
  ...['trace', 'training', 'inference', 'evaluation', 'accounts'].map((scope) => ({
    sourceTag: `scope:${scope}`,
    onlyDependOnLibsWithTags: [`scope:${scope}`, 'scope:shared'],
  })),
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  only(
    'type:app',
    [
      ...[
        'auth',
        'service-client',
        'platform',
        'queries',
        'data-access',
        'contracts',
        'artifacts',
        'engine',
        'remote-engine',
        'testing',
      ],
      'statistics',
      'threads',
    ],
    [...DATABASE, SWAGGER],
  ),
  only(
    'type:worker',
    [
      'service-client',
      'platform',
      'data-access',
      'contracts',
      'artifacts',
      'engine',
      'remote-engine',
      'threads',
      'testing',
    ],
    [...DATABASE, SWAGGER],
  ),
  only('type:proxy', ['platform', 'contracts', 'testing'], DATABASE),
  only('type:auth', ['platform', 'data-access', 'contracts', 'testing'], DATABASE),
  only('type:service-client', ['auth', 'platform', 'data-access', 'contracts', 'testing'], DATABASE),
  only('type:queries', ['queries', 'platform', 'data-access', 'contracts', 'testing'], DATABASE),
  only('type:platform', ['data-access', 'contracts', 'threads', 'testing'], DATABASE),
  only('type:data-access', ['data-access', 'contracts', 'testing'], ['fastify', '@fastify/*', 'undici']),
  only('type:artifacts', ['platform', 'contracts', 'testing'], DATABASE),
  only('type:testing', ['auth', 'platform', 'data-access', 'contracts', 'engine']),
  only('type:console', ['client', 'contracts', 'testing'], [...HTTP, ...DATABASE]),
  only('type:client', ['contracts', 'testing'], [...HTTP, ...DATABASE]),
  only('type:e2e', ['platform', 'contracts', 'client', 'engine', 'testing'], DATABASE),
  only('type:remote-engine', ['platform', 'contracts', 'engine', 'testing'], DATABASE),
  only('type:engine', ['contracts', 'threads', 'testing'], [...HTTP, ...DATABASE]),
  only('type:statistics', ['testing'], [...HTTP, ...DATABASE]),
  only('type:threads', ['testing'], [...HTTP, ...DATABASE]),
  only('type:contracts', [], [...HTTP, ...DATABASE]),
  { sourceTag: 'type:json', onlyDependOnLibsWithTags: [], bannedExternalImports: [...HTTP, ...DATABASE] },
];

/** Every project may import `@hone/json`, which itself imports nothing. */
function only(sourceTag, types, bannedExternalImports = []) {
  const onlyDependOnLibsWithTags = [...types, 'json'].map((type) => `type:${type}`);
  return { sourceTag, onlyDependOnLibsWithTags, bannedExternalImports };
}

const PRISMA_CLIENT = {
  name: '@hone/database',
  importNames: ['Prisma'],
  message: 'Only a *.repository.ts, or a part of its SQL, sees Prisma.',
};
const TEST_BENCH = ['', '/engine-conformance', '/fakes', '/openapi'].map((part) => ({
  name: `@hone/testing${part}`,
  message: 'Only specs and *.fixture.ts use the test bench.',
}));
const PRISMA_PACKAGES = { group: ['@prisma/*'], message: 'Only libs/database imports Prisma itself.' };
const GENERATED = { group: ['**/generated/**'], message: 'Import from @hone/database.' };
const NODE_SERVERS = {
  group: ['http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((name) => [name, `node:${name}`]),
  message: 'The engine knows no network.',
};

/** `database.client`, and `const { client } = this.database`. */
const QUERIES = [
  'MemberExpression[property.name="client"][object.property.name=/^(database|db)$/]',
  'MemberExpression[property.name="client"][object.name=/^(database|db)$/]',
  'VariableDeclarator[init.property.name="database"] > ObjectPattern > Property[key.name="client"]',
].map((selector) => ({ selector, message: 'Only a *.repository.ts queries the database.' }));
const ONE_FORM = {
  selector: ':matches(PropertyDefinition, MethodDefinition) > PrivateIdentifier.key',
  message: 'Private members are `private`, as everywhere.',
};

const NODE = { group: ['node:*'], message: 'Statistics are pure functions, for browsers as well.' };

const restrictImports = (paths, patterns) => ({ 'no-restricted-imports': ['error', { paths, patterns }] });

const SPECS = ['spec', 'e2e-spec', 'engines-spec', 'browser-spec', 'lint-spec', 'fixture'].map(
  (kind) => `**/*.${kind}.ts`,
);
const TESTING = 'libs/testing/**';
/** Repositories, and the files that build parts of their SQL and run none. */
const SQL = [
  '**/*.repository.ts',
  '**/*.sql.ts',
  'libs/call-queries/src/expressions/**',
  'apps/trace/src/streams/row-stream.ts',
];

export default tseslint.config(
  { ignores: ['**/dist', '**/generated', '**/node_modules', '**/.venv', '.engines', '**/coverage', '.nx', '.hone'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.recommended,
  prettier,
  {
    rules: {
      eqeqeq: 'error',
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, namespaceFrom: true } },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only *.config.ts reads the environment, once, through Environment.',
        },
      ],
      'no-restricted-syntax': ['error', ...QUERIES, ONE_FORM],
      // Control characters and lone surrogates are what several of our patterns are about.
      'no-control-regex': 'off',
      'no-misleading-character-class': 'off',
    },
  },
  {
    ignores: ['**/*.generated.ts'],
    plugins: { 'simple-import-sort': importSort },
    // What an import does first, then Node.js, packages, our own files.
    rules: { 'simple-import-sort/imports': ['error', { groups: [['^\\u0000'], ['^node:'], ['^[^.]'], ['^\\.']] }] },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: BOUNDARIES,
          // The specs of these libraries use the test bench, which is made of them.
          ignoredCircularDependencies: [
            'artifacts',
            'auth',
            'calls',
            'database',
            'engine',
            'platform',
            'threads',
            'training-jobs',
          ].map((name) => [`@hone/${name}`, '@hone/testing']),
        },
      ],
      ...restrictImports([PRISMA_CLIENT, ...TEST_BENCH], [PRISMA_PACKAGES, GENERATED]),
    },
  },
  { files: SPECS, rules: restrictImports([PRISMA_CLIENT], [PRISMA_PACKAGES, GENERATED]) },
  { files: SQL, rules: restrictImports(TEST_BENCH, [PRISMA_PACKAGES, GENERATED]) },
  { files: ['libs/database/**'], ignores: SPECS, rules: restrictImports(TEST_BENCH, []) },
  {
    files: ['libs/engine/**'],
    ignores: SPECS,
    rules: restrictImports([PRISMA_CLIENT, ...TEST_BENCH], [PRISMA_PACKAGES, GENERATED, NODE_SERVERS]),
  },
  {
    files: ['libs/statistics/**'],
    ignores: SPECS,
    rules: restrictImports(TEST_BENCH, [PRISMA_PACKAGES, NODE]),
  },
  { files: [...SQL, ...SPECS, 'libs/database/**', TESTING], rules: { 'no-restricted-syntax': ['error', ONE_FORM] } },
  { files: ['**/*.mjs'], rules: { 'no-restricted-syntax': 'off' } },
  {
    // What starts other processes hands the environment on; tests have one of their own.
    files: [
      '**/*.config.ts',
      'libs/platform/src/config/environment.ts',
      'libs/database/src/embedded/**',
      '**/bin/**',
      'apps/launcher/**',
      'bench/**',
      '**/*.mjs',
      TESTING,
      ...SPECS,
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['apps/console/src/**/*.tsx'], ...a11y.flatConfigs.recommended },
  {
    files: ['apps/console/src/**/*.tsx'],
    rules: {
      'jsx-a11y/label-has-associated-control': ['error', { controlComponents: ['Input', 'Select', 'TextArea'] }],
      // Long lists take the keys of all their rows.
      'jsx-a11y/click-events-have-key-events': 'off',
      'jsx-a11y/no-autofocus': 'off',
      // Audio of a call comes as it was sent: nobody wrote captions.
      'jsx-a11y/media-has-caption': 'off',
      // A region that scrolls must be reachable by keys.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: [], roles: ['tabpanel', 'region', 'separator'] }],
    },
  },
  // A separator that has the focus and a value is a control: WAI-ARIA 1.2, "separator".
  {
    files: ['apps/console/src/shared/ui/resize-handle.tsx'],
    rules: { 'jsx-a11y/no-noninteractive-element-interactions': 'off' },
  },
  { files: ['apps/console/src/**'], ...hooks.configs.flat.recommended },
  // It is about React's compiler, which does not run here.
  { files: ['apps/console/src/**'], rules: { 'react-hooks/incompatible-library': 'off' } },
  {
    // Tools want a default export of these; so does a page that is loaded when it is opened.
    files: [
      'apps/console/vite.config.ts',
      'apps/console/src/features/**/*-page.tsx',
      '*.config.mjs',
      '*.preset.mjs',
      '.ci/imports/rules.mjs',
      'tools/jest/*.mjs',
      'libs/testing/src/jest/**',
    ],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'AbortController',
          'AbortSignal',
          'Blob',
          'Buffer',
          'FormData',
          'Response',
          'URL',
          'clearTimeout',
          'console',
          'fetch',
          'performance',
          'process',
          'setTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
