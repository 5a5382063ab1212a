export { type ObjectVersion, ObjectVersionsRepository } from './object-versions.repository.js';
