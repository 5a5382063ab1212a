import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newId } from '@hone/database';
import { until } from '@hone/testing';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

/** One request in the database. */
export interface UsedRequest {
  rid: string;
  status: string;
  errorCode: string | null;
  isBilled: boolean;
  costNanoUsd: number;
  promptTokens: number;
  completionTokens: number;
  target: string | null;
  source: string | null;
  isStream: boolean;
  attempts: { target: string; outcome: string }[];
}

/** The whole gateway on a real port, and its usage records. */
export interface FaultyGateway extends GatewayApp {
  readonly client: GatewayClient;
  /** The upstreams file. */
  readonly file: string;
  /** The only record of a request; fails when there is none, or more than one. */
  used(rid: string): Promise<UsedRequest>;
}

/** Writes the upstreams file of a spec and returns its path. */
export async function writeUpstreams(configuration: object): Promise<string> {
  const path = join(tmpdir(), `upstreams-${newId()}.json`);
  await writeFile(path, JSON.stringify(configuration));
  return path;
}

export async function startFaultyGateway(configuration: object): Promise<FaultyGateway> {
  const file = await writeUpstreams(configuration);
  process.env.HONE_UPSTREAMS = file;
  const gateway = await startGatewayApp();
  await gateway.app.listen(0, '127.0.0.1');
  const client = new GatewayClient(await gateway.app.getUrl(), gateway.writer.key);
  return { ...gateway, client, file, used: (rid) => usedRequest(gateway, rid) };
}

async function usedRequest({ app, db }: GatewayApp, rid: string): Promise<UsedRequest> {
  // A record of a request that failed is written after its answer.
  const row = await until(async () => {
    await app.get(MeteringService).flush();
    const rows = await db.client.usageRecord.findMany({ where: { rid } });
    if (rows.length > 1) throw new Error(`${rows.length} records of ${rid}`);
    return rows[0];
  }, `a record of ${rid}`);
  return { ...row, costNanoUsd: Number(row.costNanoUsd), attempts: row.attempts as UsedRequest['attempts'] };
}
