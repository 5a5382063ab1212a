/**
 * Work that can be done in this thread or in another one. The module that makes it exports it as `TASK`, and imports
 * little: every thread loads it.
 */
export interface ThreadTask<Input, Output> {
  /** `import.meta.url` of that module. */
  readonly module: string;
  /** Input and output travel between threads by structured clone. */
  run(input: Input): Output;
}

/** Path of the built module: a thread runs no TypeScript, so specs use the last build. */
export const builtUrl = (moduleUrl: string): string =>
  moduleUrl.endsWith('.ts') ? moduleUrl.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js') : moduleUrl;
