export * from './app/route-walk.js';
export * from './app/service-basics.js';
export * from './app/test-app.js';
export * from './database/accounts.builder.js';
export * from './database/test-database.js';
export * from './process/service-process.js';
