export { Prisma } from './generated/client.js';
export { Database, type DatabaseClient } from './prisma/database.js';
export { type DatabaseConfig } from './prisma/database.config.js';
export { DatabaseModule } from './prisma/database.module.js';
export * from './prisma/database-errors.js';
export { EmbeddedPostgres, freePort, type EmbeddedPostgresOptions } from './embedded/embedded-postgres.js';
export { migrate } from './migrations/migrate.js';
export { NotificationListener } from './notifications/notification-listener.js';
export { newId } from './ids.js';
