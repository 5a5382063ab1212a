export * from './describe-openapi.js';
