/** `@hone/platform/config`: reading the environment, for processes that are no Nest service and should not load it. */
export * from './environment.js';
export * from './service.config.js';
export * from './trusted-proxies.js';
