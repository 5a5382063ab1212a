/** Reads an environment variable; undefined: it is not set. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * The address of a server, without slashes at its end.
 *
 * @param keyField of the file, where the server's key belongs
 * @param fail gets a sentence
 */
export function readServerUrl(text: string, keyField: string, fail: (reason: string) => never): string {
  const url = URL.canParse(text) ? new URL(text) : fail('Input should be a URL');
  if (!['http:', 'https:'].includes(url.protocol)) fail('Input should begin with http:// or https://');
  if (url.username || url.password) fail(`Input should hold no credentials; name a variable in ${keyField}`);
  if (url.search || url.hash) fail('Input should end with its path');
  return text.replace(/\/+$/, '');
}

/** A server's key. @param name of the variable that holds it */
export function readServerKey(name: string, readVariable: ReadVariable, fail: (reason: string) => never): string {
  const key = readVariable(name)?.trim();
  if (!key) return fail(`The environment variable ${name} is not set`);
  // Any other character would end the header, or the request.
  return /^[\x21-\x7e]+$/.test(key) ? key : fail(`${name} should hold visible ASCII characters only`);
}
