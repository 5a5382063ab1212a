import { type AppOptions, appParts } from '@hone/platform';
import { type DynamicModule, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';

/** Replaces a provider: its token and what is injected in its place. */
export type Override = readonly [token: Type | symbol | string, value: unknown];

/** Makes and initialises the Nest application of a service, without a port, with providers replaced. */
export async function bootApp(
  module: Type | DynamicModule,
  options: AppOptions,
  overrides: readonly Override[],
): Promise<NestFastifyApplication> {
  const { root, adapter, settings, configure } = appParts(module, options);
  // Providers register metrics and hooks on the adapter while they are made; Nest's testing module sets it only after.
  const host = new HttpAdapterHost();
  host.httpAdapter = adapter;
  const builder = Test.createTestingModule({ imports: [root] })
    .overrideProvider(HttpAdapterHost)
    .useValue(host);
  for (const [token, value] of overrides) builder.overrideProvider(token).useValue(value);
  const testing = await builder.compile();
  const app = testing.createNestApplication<NestFastifyApplication>(adapter, settings);
  configure(app);
  try {
    await app.init();
    await adapter.getInstance().ready();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}
