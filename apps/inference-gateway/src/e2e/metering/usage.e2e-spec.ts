import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { CallEntry } from '../../call-log/call-entry.js';
import { readLogHeaders } from '../../call-log/log-headers.js';
import { Journal } from '../../metering/journal/journal.js';
import { NO_LIMITS } from '../../metering/limits/limits.js';
import { LimitsRepository } from '../../metering/limits/limits.repository.js';
import { UsageLimiter } from '../../metering/limits/usage-limiter.js';
import { MeteringUnavailableError } from '../../metering/recording/metering.errors.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { UsageHousekeeping } from '../../metering/recording/usage-housekeeping.service.js';
import { aUsageRecord, jsonOf } from '../../metering/records/usage-record.fixture.js';
import { startUsageApp, type UsageApp } from './usage-app.fixture.js';

const uids = async ({ sql }: UsageApp) =>
  (await sql<{ uid: string }>('SELECT uid FROM usage_records ORDER BY uid')).map(({ uid }) => uid);
const journals = (dataDir: string) => join(dataDir, 'gateway', 'journal');

describe('metering', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'metering-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('writes the journal that an earlier gateway left to the database, and empties it', async () => {
    const records = [aUsageRecord(), aUsageRecord()];
    await mkdir(journals(dataDir), { recursive: true });
    const earlier = await Journal.open({ folder: journals(dataDir), sync: 'write' });
    await Promise.all(records.map((record) => earlier.append(jsonOf(record))));
    await earlier.close();
    const gateway = await startUsageApp({ dataDir });
    await gateway.app.get(MeteringService).flush();
    expect(await uids(gateway)).toEqual(records.map(({ uid }) => uid).sort());
    await gateway.close();
    expect(await readdir(journals(dataDir))).toEqual([]);
  });

  it('writes all journalled records at a shutdown', async () => {
    const gateway = await startUsageApp({ dataDir });
    await gateway.app.get(MeteringService).record(aUsageRecord());
    await gateway.app.close();
    expect(await readdir(journals(dataDir))).toEqual([]);
    expect(await uids(gateway)).toHaveLength(1);
    await gateway.drop();
  });

  it.each(['refuse', 'serve'] as const)(
    'applies on_failure (%s) when the journal cannot be written',
    async (onFailure) => {
      const gateway = await startUsageApp({ dataDir, journal: { sync: 'write', onFailure } });
      const metering = gateway.app.get(MeteringService);
      const [home = ''] = await readdir(journals(dataDir));
      await rename(journals(dataDir), `${journals(dataDir)}-away`);
      await writeFile(journals(dataDir), home);
      const outcome = await metering.record(aUsageRecord()).catch((error: unknown) => error);
      const admission = () => metering.assertAvailable();
      if (onFailure === 'refuse') {
        expect(outcome).toBeInstanceOf(MeteringUnavailableError);
        expect(admission).toThrow(MeteringUnavailableError);
      } else {
        expect(outcome).toBe(27_000);
        expect(admission).not.toThrow();
      }
      expect((await gateway.as(undefined).get('/metrics')).text).toMatch(/^hone_gateway_usage_unjournalled_total 1$/m);
      await rm(journals(dataDir));
      await rename(`${journals(dataDir)}-away`, journals(dataDir));
      await gateway.close();
    },
  );

  it('says that the disk of the database is full, and writes the usage once there is space', async () => {
    const gateway = await startUsageApp({ dataDir });
    await gateway.sql(`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
    await gateway.sql('CREATE TRIGGER full_disk BEFORE INSERT ON usage_records EXECUTE FUNCTION disk_full()');
    await gateway.app.get(MeteringService).record(aUsageRecord());
    const checks = async () => (await gateway.as(undefined).get('/readyz')).json().checks;
    await until(async () => (await checks()).disk === 'full', 'a full disk in the readiness');
    await gateway.sql('DROP FUNCTION disk_full CASCADE');
    await until(async () => (await uids(gateway)).length === 1, 'the record');
    await gateway.close();
  });

  it('measures the lag of the database', async () => {
    const gateway = await startUsageApp({ dataDir });
    const metering = gateway.app.get(MeteringService);
    const lag = async () =>
      Number(
        /^hone_gateway_usage_journal_lag_bytes (\d+)$/m.exec((await gateway.as(undefined).get('/metrics')).text)?.[1],
      );
    await gateway.sql('ALTER TABLE usage_records RENAME TO away');
    await metering.record(aUsageRecord());
    await expect(metering.flush()).rejects.toThrow();
    expect(await lag()).toBeGreaterThan(500);
    await gateway.sql('ALTER TABLE away RENAME TO usage_records');
    await metering.flush();
    expect(await lag()).toBe(0);
    await gateway.close();
  });
});

describe('limits of a gateway', () => {
  let gateway: UsageApp;
  beforeAll(async () => {
    gateway = await startUsageApp();
  });
  afterAll(() => gateway.close());

  it('apply as soon as they are set', async () => {
    const limiter = gateway.app.get(UsageLimiter);
    const request = { keyId: newId(), projectId: newId(), tokens: 1, costNanoUsd: 0 };
    (await limiter.reserve(request)).settle(request);
    await gateway.app.get(LimitsRepository).put(
      { scope: 'project', id: request.projectId },
      {
        ...NO_LIMITS,
        requestsPerMinute: 0,
      },
    );
    const refusal = () =>
      Promise.resolve(limiter.reserve(request)).then(
        () => null,
        (error: unknown) => error,
      );
    expect(await until(refusal, 'a refusal')).toMatchObject({ code: 'rate_limit_requests', scope: 'project' });
  });

  it('count the recorded costs against the budget', async () => {
    const limiter = gateway.app.get(UsageLimiter);
    const metering = gateway.app.get(MeteringService);
    const [keyId, projectId] = [newId(), newId()];
    await gateway.app
      .get(LimitsRepository)
      .put({ scope: 'key', id: keyId }, { ...NO_LIMITS, monthlyBudgetNanoUsd: 54_000 });
    const spend = async () => {
      const reservation = await limiter.reserve({ keyId, projectId, tokens: 120, costNanoUsd: 1_000_000 });
      const costNanoUsd = await metering.record(aUsageRecord({ keyId, projectId, startedAt: new Date() }));
      reservation.settle({ tokens: 120, costNanoUsd });
      await metering.flush();
    };
    await spend();
    await spend();
    await expect(spend()).rejects.toMatchObject({ status: 402, code: 'budget_exceeded' });
  });
});

describe('a record that the database rejects', () => {
  const anEntry = (uid: string, length: number) =>
    new CallEntry({
      ...{
        uid,
        rid: uid,
        projectId: 'acme/demo',
        user: null,
        level: 'full',
        isStream: false,
        checkpoint: null,
        redaction: null,
      },
      ...{ headers: readLogHeaders(() => undefined), body: Buffer.from(JSON.stringify({ text: 'x'.repeat(length) })) },
    });

  // Small calls are stored with their records by one statement, large ones by a transaction of several.
  it.each([10, 400_000])('keeps no other one from being stored, beside calls of %d characters', async (length) => {
    const gateway = await startUsageApp();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const metering = gateway.app.get(MeteringService);
      const [bad, good] = [newId(), newId()];
      await metering.record(aUsageRecord({ uid: bad, keyId: 'no-uuid' }), anEntry(bad, length));
      await metering.record(aUsageRecord({ uid: good }), anEntry(good, length));
      await metering.flush();
      expect(await uids(gateway)).toEqual([good]);
      expect(await gateway.sql('SELECT id FROM calls')).toEqual([{ id: good }]);
      expect(logged).toHaveBeenCalledTimes(1);
    } finally {
      logged.mockRestore();
      await gateway.close();
    }
  });

  it('is set aside, with a line in the log that names it and nothing of its content', async () => {
    const gateway = await startUsageApp();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const metering = gateway.app.get(MeteringService);
      const uid = newId();
      await metering.record(aUsageRecord({ uid, keyId: 'no-uuid' }));
      await metering.flush();
      const [[line]] = logged.mock.calls as [[string]];
      expect(line).toContain(`usage record ${uid} is set aside in ${gateway.dataDir}/gateway/journal/rejected.jsonl`);
      expect(line).toContain('SQLSTATE 22');
      expect(line).not.toContain('no-uuid');
      expect(await readFile(join(gateway.dataDir, 'gateway/journal/rejected.jsonl'), 'utf8')).toContain(uid);
      expect((await gateway.as(undefined).get('/metrics')).text).toMatch(/^hone_gateway_usage_rejected_total 1$/m);
    } finally {
      logged.mockRestore();
      await gateway.close();
    }
  });
});

describe('housekeeping', () => {
  let gateway: UsageApp;
  beforeAll(async () => {
    gateway = await startUsageApp({ retentionDays: 40 });
  });
  afterAll(() => gateway.close());

  const partitions = async () =>
    (
      await gateway.sql<{ name: string }>(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = 'usage_records'::regclass ORDER BY 1`)
    ).map(({ name }) => name.slice(-8));

  it('creates partitions ahead, drops old ones, and checks the previous day', async () => {
    const metering = gateway.app.get(MeteringService);
    for (const day of ['2030-03-01', '2030-04-09', '2030-04-18']) {
      await metering.record(aUsageRecord({ startedAt: new Date(`${day}T12:00:00Z`) }));
    }
    await metering.flush();
    await gateway.sql(`UPDATE usage_hours SET requests = 7 WHERE hour >= '2030-04-18'`);
    await gateway.app.get(UsageHousekeeping).run(new Date('2030-04-19T03:00:00Z'));
    const days = await partitions();
    expect(days).not.toContain('20300301');
    expect(days).toEqual(expect.arrayContaining(['20300409', '20300418', '20300419', '20300420', '20300421']));
    expect((await gateway.as(undefined).get('/metrics')).text).toMatch(/^hone_gateway_usage_drift 1$/m);
  });
});
