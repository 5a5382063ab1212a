export * from './proxy-server.js';
export * from './proxy.config.js';
export * from './routes.js';
