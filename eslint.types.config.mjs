import tseslint from 'typescript-eslint';

/**
 * The rules that need types, for every file of the repository: one program for all of them takes a fraction of the time
 * of one program per project, which each would load the libraries again.
 */
export default tseslint.config(
  { ignores: ['**/dist', '**/generated', '**/node_modules', '**/.venv', '.engines', '**/coverage', '.nx', '.hone'] },
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // A `default` speaks for all that is not listed. Where a new member needs a decision there is none.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
);
