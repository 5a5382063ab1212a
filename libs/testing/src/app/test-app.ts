import type { AppOptions, ServiceConfig } from '@hone/platform';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { createTestUser, type TestUser, type TestUserOptions } from '../database/accounts.builder.js';
import type { TestDatabase } from '../database/test-database.js';
import { appPool, type BootedApp, bootOnDatabase, closeBooted } from './app-pool.js';
import { bootApp, type Override } from './boot-app.js';

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

/** A real service on a real database that no other test uses meanwhile. */
export interface TestApp extends TestDatabase {
  app: NestFastifyApplication;
  /** A writer on the entity `acme`. */
  writer: TestUser;
  user: (username: string, options?: TestUserOptions) => Promise<TestUser>;
  /** Acts as a user with Basic credentials (username `api`), or with a raw `Authorization` header; undefined: none. */
  as: (who: TestUser | string | undefined) => TestClient;
  close: () => Promise<void>;
}

export interface TestAppOptions extends Pick<AppOptions, 'logStream' | 'runsJobs'> {
  /** Providers that are replaced. */
  overrides?: readonly Override[];
  /** Boots the service for this test alone, because the test changes it or asks what its boot does. */
  isOwn?: boolean;
}

/**
 * A booted service whose database holds the user `wendy` and what the boot stored. Unless options or a database are
 * named, it is one that an earlier test file of this process has used (see `AppPool`).
 *
 * @param module of a service; one configuration of a dynamic module is one object, so that its service is used again
 */
export async function startTestApp(
  module: Type | DynamicModule,
  config: Partial<ServiceConfig> = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  const { overrides = [], isOwn = false, ...more } = options;
  const boot = (url: string) => bootApp(module, { ...testAppOptions(url, config), ...more }, overrides);
  if (isOwn || Object.keys(options).length > 0 || config.databaseUrl !== undefined) {
    const booted = await bootOnDatabase(boot);
    return testApp(booted, () => closeBooted(booted));
  }
  const key = { module, config: JSON.stringify(config) };
  const booted = await appPool.take(key, boot);
  return testApp(booted, () => appPool.release(key, booted));
}

async function testApp({ app, database }: BootedApp, close: () => Promise<void>): Promise<TestApp> {
  const user = (username: string, options?: TestUserOptions) => createTestUser(database.db, username, options);
  const remoteAddress = nextAddress();
  return {
    ...database,
    app,
    user,
    writer: await user('wendy', { roles: { acme: 'writer' } }),
    as: (who) => client(app, remoteAddress, typeof who === 'object' ? basic('api', who.key) : who),
    close,
  };
}

let addresses = 0;

/** A loopback address for each test file, because services limit the failed attempts of an address. */
function nextAddress(): string {
  addresses++;
  return `127.1.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export const testAppOptions = (databaseUrl: string, config: Partial<ServiceConfig> = {}): AppOptions => ({
  name: 'test',
  description: 'Under test.',
  config: { ...TEST_CONFIG, databaseUrl, ...config },
  runsJobs: false, // what they send to the database would be counted among the statements of a test
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

function client(app: NestFastifyApplication, remoteAddress: string, authorization: string | undefined): TestClient {
  const send =
    (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
    async (url: string, body?: unknown, { headers = {} }: RequestOptions = {}): Promise<TestResponse> => {
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
      const response = await app.inject({
        method,
        url,
        remoteAddress,
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
