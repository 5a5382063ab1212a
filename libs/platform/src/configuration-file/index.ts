export { ConfigurationError } from './configuration.errors.js';
export { SourceFile } from './source-file.js';
export { type ReadVariable, readServerKey, readServerUrl } from './read-server.js';
export { readSource } from './read-source.js';
export { validated } from './validated.js';
