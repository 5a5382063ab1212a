import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AppOptions, createApp, type ServiceConfig } from '@hone/platform';

import { createTestUser, type TestUser, type TestUserOptions } from '../database/accounts.builder.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';

/** What a test asks for beyond method, path and body. */
export interface RequestOptions {
  headers?: Record<string, string>;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The body as it came. */
  bytes: Buffer;
  text: string;
  /** The body parsed; free numbers lose their text here. */
  json: () => any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** Sends requests with one `Authorization` header, without a network. */
export interface TestClient {
  get: (path: string, options?: RequestOptions) => Promise<TestResponse>;
  /** An object is sent as JSON; a string or Buffer as it is. */
  post: (path: string, body?: unknown, options?: RequestOptions) => Promise<TestResponse>;
  put: (path: string, body?: unknown, options?: RequestOptions) => Promise<TestResponse>;
  delete: (path: string, body?: unknown, options?: RequestOptions) => Promise<TestResponse>;
}

/** A real service on a real database of its own. */
export interface TestApp extends TestDatabase {
  app: NestFastifyApplication;
  /** A writer on the entity `acme`. */
  writer: TestUser;
  user: (username: string, options?: TestUserOptions) => Promise<TestUser>;
  /** Acts as a user with Basic credentials (username `api`), or with a raw `Authorization` header; undefined: none. */
  as: (who: TestUser | string | undefined) => TestClient;
  close: () => Promise<void>;
}

/** @param more what a spec wants besides, for example to read the log */
export async function startTestApp(
  module: Type | DynamicModule,
  config: Partial<ServiceConfig> = {},
  more: Pick<AppOptions, 'logStream' | 'replica'> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const app = await createApp(module, { ...testAppOptions(database.url, config), ...more });
  try {
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  } catch (error) {
    await app.close();
    await database.drop();
    throw error;
  }
  const user = (username: string, options?: TestUserOptions) => createTestUser(database.db, username, options);
  return {
    ...database,
    app,
    user,
    writer: await user('wendy', { roles: { acme: 'writer' } }),
    as: (who) => client(app, typeof who === 'object' ? basic('api', who.key) : who),
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

export const testAppOptions = (databaseUrl: string, config: Partial<ServiceConfig> = {}): AppOptions => ({
  name: 'test',
  description: 'Under test.',
  config: { ...TEST_CONFIG, databaseUrl, ...config },
});

const TEST_CONFIG: Omit<ServiceConfig, 'databaseUrl'> = {
  host: '127.0.0.1',
  port: 0,
  refScheme: 'hone',
  logLevel: 'silent',
  bodyLimitBytes: 33_554_432,
  trustedProxies: [],
  poolSize: 8,
};

export const basic = (username: string, key: string): string =>
  `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}`;

function client(app: NestFastifyApplication, authorization: string | undefined): TestClient {
  const send =
    (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
    async (url: string, body?: unknown, { headers = {} }: RequestOptions = {}): Promise<TestResponse> => {
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
      const response = await app.inject({
        method,
        url,
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        bytes: response.rawPayload,
        text: response.payload,
        json: () => JSON.parse(response.payload),
      };
    };
  return {
    get: (path, options) => send('GET')(path, undefined, options),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
  };
}
