export * from './backoff.js';
export { KeyRequests, type KeyRequest, type ServiceResponse } from './key-requests.js';
export * from './service-client.module.js';
export * from './service-errors.js';
