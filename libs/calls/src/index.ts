export type { CallDraft, CallEnd, CallStart, JsonDraft } from './call-halves.record.js';
export { CallWriteRepository } from './call-write.repository.js';
export { type ChunkKeys } from './call-row.js';
export { hasLargeValue, putLargeValues } from './call-rows.sql.js';
export { draftOfText, toJsonDraft } from './json-draft.js';
export { type KeyedCall, newCalls } from './new-calls.sql.js';
export { FileRepository } from './values/file.repository.js';
export { MAX_INLINE_BYTES, type StoredValue, ValueRepository } from './values/value.repository.js';
export { ValuesModule } from './values/values.module.js';
