export * from './launcher.js';
export * from './config/launcher.config.js';
