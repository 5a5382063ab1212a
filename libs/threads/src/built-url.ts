/**
 * URL of the built file of a module, or of one beside it. Specs run from TypeScript, which neither a thread nor a process
 * of Node.js can start: they use the last build.
 *
 * @param moduleUrl `import.meta.url` of the module
 * @param beside file name of the other module without its ending, for example `loader.worker`
 */
export function builtUrl(moduleUrl: string, beside?: string): URL {
  const built = moduleUrl.endsWith('.ts') ? moduleUrl.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js') : moduleUrl;
  return new URL(beside === undefined ? built : `./${beside}.js`, built);
}
