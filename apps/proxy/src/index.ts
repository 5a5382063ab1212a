export * from './proxy-server.js';
export * from './config/proxy.config.js';
export * from './routes/routes.js';
