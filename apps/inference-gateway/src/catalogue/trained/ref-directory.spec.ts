import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { RefDirectory } from './ref-directory.js';
import type { ResolvedRef } from './trained-model.js';
import type { RefName } from './trained-models.repository.js';

const KEY = 'key-1';
const AWAY = Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });

const nameOf = (name: string, step: RefName['step'] = 'latest') => ({ entity: 'acme', project: 'demo', name, step });

function aRef(name: string, step: number): ResolvedRef {
  const createdAt = new Date(0);
  const model = { id: `id of ${name}`, entity: 'acme', project: 'demo', name, baseModel: 'hone-tiny', createdAt };
  const checkpoint = { id: `${name}-${step}`, step, uri: 'local:x', manifestSha256: '', createdAt };
  return { model, checkpoint: step === 0 ? null : checkpoint, split: null };
}

/** Names and their newest steps, as the database has them. */
class Tables {
  readonly steps = new Map<string, number>();
  lookups = 0;
  isAway = false;
  /** Called between a statement and its answer. */
  onRead: () => void | Promise<void> = () => undefined;

  async find({ name }: RefName): Promise<ResolvedRef | null> {
    this.lookups++;
    if (this.isAway) throw AWAY;
    const step = this.steps.get(name);
    await this.onRead();
    return step === undefined ? null : aRef(name, step);
  }
}

describe('RefDirectory', () => {
  let clock: FakeClock;
  let tables: Tables;
  let directory: RefDirectory;
  let isListening: boolean;
  beforeEach(async () => {
    clock = new FakeClock();
    await clock.advance(1_000_000);
    tables = new Tables();
    tables.steps.set('agent', 1);
    isListening = true;
    directory = new RefDirectory(tables, clock, () => isListening);
  });

  const stepOf = async (name = 'agent') => (await directory.find(nameOf(name), KEY))?.checkpoint?.step ?? null;

  it('asks the database once, however many ask at a time, and remembers', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => stepOf()))).toEqual(Array(50).fill(1));
    expect(await stepOf()).toBe(1);
    expect(tables.lookups).toBe(1);
  });

  it('remembers nothing that is not there', async () => {
    expect(await stepOf('new')).toBeNull();
    tables.steps.set('new', 2);
    expect(await stepOf('new')).toBe(2);
  });

  it('forgets a model at once', async () => {
    await stepOf();
    tables.steps.set('agent', 2);
    expect(await stepOf()).toBe(1);
    directory.invalidate('id of agent');
    expect(await stepOf()).toBe(2);
  });

  it('keeps nothing that was read before a message, and does not let later callers join that read', async () => {
    let goOn: () => void = () => undefined;
    tables.onRead = () => new Promise((resolve) => (goOn = resolve));
    const before = stepOf();
    await clock.advance(0);
    tables.steps.set('agent', 2);
    directory.invalidate('id of agent');
    tables.onRead = () => undefined;
    const after = stepOf();
    goOn();
    expect([await before, await after, await stepOf()]).toEqual([1, 2, 2]);
  });

  it('tells whether a model was in use, until ten minutes after the last request', async () => {
    expect(directory.invalidate('id of agent')).toBe(false);
    await stepOf();
    expect(directory.invalidate('id of agent')).toBe(true);
    await clock.advance(599_000);
    expect(directory.invalidate('id of agent')).toBe(true);
    await clock.advance(2_000);
    expect(directory.invalidate('id of agent')).toBe(false);
  });

  it('counts as a use what was asked for while a message came, of this model or any other', async () => {
    tables.onRead = () => void directory.invalidate('id of another');
    expect(await stepOf()).toBe(1);
    expect(directory.invalidate('id of agent')).toBe(true);
  });

  it('goes by what it knows for half a minute, and for a second while it hears nothing', async () => {
    await stepOf();
    tables.steps.set('agent', 2);
    await clock.advance(29_000);
    expect(await stepOf()).toBe(1);
    isListening = false;
    expect(await stepOf()).toBe(2);
    tables.steps.set('agent', 3);
    await clock.advance(900);
    expect(await stepOf()).toBe(2);
    await clock.advance(200);
    expect(await stepOf()).toBe(3);
    isListening = true;
    await clock.advance(31_000);
    tables.steps.set('agent', 4);
    expect(await stepOf()).toBe(4);
  });

  it('reads everything again after messages may have been missed', async () => {
    await stepOf();
    tables.steps.set('agent', 2);
    directory.invalidateAll();
    expect(await stepOf()).toBe(2);
  });

  it('goes on for ten minutes while the database is away, asking it once a second', async () => {
    await stepOf();
    tables.isAway = true;
    isListening = false;
    directory.invalidateAll();
    await clock.advance(2_000);
    const { lookups } = tables;
    for (let n = 0; n < 10; n++) expect(await stepOf()).toBe(1);
    expect(tables.lookups).toBe(lookups + 1);
    await expect(stepOf('other')).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    await clock.advance(599_000);
    await expect(stepOf()).rejects.toMatchObject({ status: 503 });
    tables.isAway = false;
    expect(await stepOf()).toBe(1);
  });

  it('serves nothing stale of a model that was announced as changed', async () => {
    await stepOf();
    directory.invalidate('id of agent');
    tables.isAway = true;
    await expect(stepOf()).rejects.toMatchObject({ status: 503 });
  });

  it('spreads the lookups of one key, and refuses when too many wait', async () => {
    const asked = Array.from({ length: 200 }, (_, index) => {
      const found = directory.find(nameOf(`m${index}`), KEY);
      return found.then(
        () => 'asked',
        (error: { status: number }) => error.status,
      );
    });
    await clock.advance(0);
    expect(tables.lookups).toBe(20);
    await directory.find(nameOf('agent'), 'another key');
    expect(tables.lookups).toBe(21);
    await clock.advance(1_000);
    expect(tables.lookups).toBe(41);
    await clock.advance(10_000);
    const told = await Promise.all(asked);
    expect(told.filter((what) => what === 'asked')).toHaveLength(120);
    expect(new Set(told.slice(120))).toEqual(new Set([429]));
  });

  it('counts those who wait for one reference together as one lookup', async () => {
    const others = Array.from({ length: 20 }, (_, index) => directory.find(nameOf(`m${index}`), KEY));
    const same = Array.from({ length: 100 }, () => stepOf());
    await clock.advance(50);
    expect(await Promise.all(same)).toEqual(Array(100).fill(1));
    await Promise.all(others);
    expect(tables.lookups).toBe(21);
  });
});
