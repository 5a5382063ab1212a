export { ADAPTER_FILES } from './archive-entry.js';
export { ArchiveError, ArchiveTooLargeError } from './archive.errors.js';
export { unpackAdapter } from './unpack-adapter.js';
