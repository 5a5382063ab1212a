export type { CallDraft, CallEnd, CallStart, JsonDraft } from './call-halves.record.js';
export { CallWriteRepository } from './call-write.repository.js';
export { toJsonDraft } from './json-draft.js';
export { FileRepository } from './values/file.repository.js';
export { MAX_INLINE_BYTES, type StoredValue, ValueRepository } from './values/value.repository.js';
export { ValuesModule } from './values/values.module.js';
