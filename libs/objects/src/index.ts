export { AliasRepository, type AliasTarget, type AliasWeights, type ObjectKey, toJson } from './alias.repository.js';
export {
  isMeant,
  type ObjectVersionDraft,
  type ObjectVersionRecord,
  type VersionFilter,
  type VersionSummary,
} from './object.record.js';
export { ObjectRepository } from './object.repository.js';
export { type CreatedVersion, ObjectStore } from './object-store.js';
export { type ObjectVersion, ObjectVersionsRepository } from './object-versions.repository.js';
export { StoredTablesRepository } from './stored-tables.repository.js';
