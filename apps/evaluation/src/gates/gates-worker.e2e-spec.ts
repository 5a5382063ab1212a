import { newId } from '@hone/database';

import type { Claimed } from '../queue/claimed-rows.repository.js';
import type { GateRecord } from './gate.record.js';
import { GateAdvance } from './gate-advance.service.js';
import { GateWorker } from './gate-worker.js';
import { Gates, METRIC, passes, PATH, QUALITY } from './gates.fixture.js';
import { GatesRepository } from './gates.repository.js';

describe('the worker of gates', () => {
  const gates = new Gates();
  beforeAll(() => gates.start());
  beforeEach(async () => {
    await gates.reset();
    await gates.runs.project.addField('quality');
  });
  afterAll(() => gates.app.close());

  const open = async (body: object = {}, rates: readonly [number, number] = [0.4, 0.8]) => {
    const runs = await gates.pair(200, (row, side) => ({ scores: { exact: passes(row, rates[side]) } }));
    return gates.create({ runs, metric: METRIC, fact: true, ...body });
  };
  const service = <T>(of: new (...args: never[]) => T): T => gates.app.app.get<T>(of);
  const makeDue = () => gates.app.sql(`UPDATE gates SET look_at = now() - interval '1 second'`);
  const pairsOf = (id: string) =>
    gates.app.sql<{ number: number; row_digest: string }>(
      'SELECT number, row_digest FROM gate_pairs WHERE gate_id = $1 ORDER BY number',
      [id],
    );

  it('looks at a gate once, however many look', async () => {
    const { id } = await open();
    const worker = service(GateWorker);
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    const gate = await gates.read(id);
    expect(gate.looks.map(({ pairs }) => pairs)).toEqual(gate.looks.map((_look, at) => 25 * (at + 1)));
    const pairs = await pairsOf(id);
    expect(pairs.map(({ number }) => number)).toEqual(pairs.map((_pair, at) => at));
    expect(new Set(pairs.map(({ row_digest }) => row_digest)).size).toBe(200);
  });

  it('keeps nothing of a process whose claim another one took over', async () => {
    const { id } = await open();
    const [repository, advancing] = [service(GatesRepository), service(GateAdvance)];
    const gate = (await repository.find(id)) as GateRecord;
    const [dead] = await repository.claims.claimDue(1);
    expect(await repository.claims.claimDue(1)).toEqual([]);
    // As after two minutes.
    await makeDue();
    const [next] = await repository.claims.claimDue(1);
    await Promise.all([advancing.advance(gate, dead as Claimed), advancing.advance(gate, next as Claimed)]);
    expect(await gates.read(id)).toMatchObject({ status: 'decided', verdict: 'promote', pairs: 200 });
    expect(await pairsOf(id)).toHaveLength(200);
    await advancing.advance(gate, dead as Claimed);
    expect(await pairsOf(id)).toHaveLength(200);
  });

  it('takes over from a process that died', async () => {
    const { id } = await open();
    await service(GatesRepository).claims.claimDue(1);
    await service(GateWorker).run();
    expect(await gates.read(id)).toMatchObject({ status: 'open', pairs: 0 });
    expect(await gates.look(id)).toMatchObject({ status: 'decided', verdict: 'promote' });
  });

  it('gives the same record, whether labels come at once or one after the other', async () => {
    const body = { fact: false, truth: { feedback_type: QUALITY }, label_share: 1 };
    const { id } = await open(body, [0.5, 0.5]);
    const [old, candidate] = await gates.asked(await gates.look(id));
    for (let from = 0; from < 200; from += 70) {
      await gates.label(old.slice(from, from + 70), (at) => Number(at % 2 === 0));
      await gates.label(candidate.slice(from, from + 70), (at) => Number(at % 2 === 0));
      await makeDue();
      await Promise.all([service(GateWorker).run(), service(GateWorker).run()]);
    }
    const gate = await gates.read(id);
    expect(gate).toMatchObject({ status: 'decided', labels: 200, pairs: 200 });
    const counts = gate.looks.map(({ pairs }) => pairs);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    const lows = gate.looks.map(({ gain }) => gain.low);
    expect(lows).toEqual([...lows].sort((a, b) => a - b));
  });

  it('leaves a gate alone that was cancelled, which happens once', async () => {
    const { id } = await open();
    const writer = gates.app.as(gates.app.writer);
    const cancelled = await writer.post(`${PATH}/${id}/cancel`, {});
    expect(cancelled.json()).toMatchObject({
      ...{ status: 'cancelled', verdict: null, sentence: 'It was cancelled before it decided anything.' },
      acts: [{ act: 'cancelled', by: gates.app.writer.id, detail: null }],
    });
    const again = await writer.post(`${PATH}/${id}/cancel`, {});
    expect([again.status, again.json().code]).toEqual([409, 'gate.ended']);
    expect(await gates.look(id)).toMatchObject({ status: 'cancelled', pairs: 0, looks: [] });
    const unknown = await writer.post(`${PATH}/${newId()}/cancel`, {});
    expect([unknown.status, unknown.json().code]).toEqual([404, 'gate.not_found']);
  });

  it('keeps nothing of a look during which the gate was cancelled', async () => {
    const { id } = await open();
    const [repository, advancing] = [service(GatesRepository), service(GateAdvance)];
    const gate = (await repository.find(id)) as GateRecord;
    const [claimed] = await repository.claims.claimDue(1);
    await gates.app.as(gates.app.writer).post(`${PATH}/${id}/cancel`, {});
    await advancing.advance(gate, claimed as Claimed);
    expect(await gates.read(id)).toMatchObject({ status: 'cancelled', pairs: 0, looks: [] });
  });

  it('refuses to cancel what is decided', async () => {
    const { id } = await open();
    await gates.look(id);
    const { status, json } = await gates.app.as(gates.app.writer).post(`${PATH}/${id}/cancel`, {});
    expect([status, json().code]).toEqual([409, 'gate.ended']);
    expect(await gates.read(id)).toMatchObject({ status: 'decided', acts: [] });
  });

  it('names the scores that there are where the metric is none of them', async () => {
    const { id } = await open({ metric: 'scores.exakt' });
    const gate = await gates.look(id);
    expect(gate).toMatchObject({ status: 'failed', verdict: null });
    expect(gate.error).toBe("The runs do not both have 'scores.exakt'; there are scores.exact.");
    expect(gate.sentence).toBe(`It could not go on: ${gate.error}`);
  });

  it('ends with the rights of whoever made the gate', async () => {
    const { id } = await open();
    await gates.app.sql('UPDATE gates SET key_id = $1::uuid', [newId()]);
    expect(await gates.look(id)).toMatchObject({
      status: 'failed',
      error: 'The key of whoever made the gate has ended.',
    });
  });

  it('counts live calls as they come, paired by what was asked', async () => {
    const filterOf = (user: string) => ({
      $expr: { $eq: [{ $getField: 'attributes.metadata.user' }, { $literal: user }] },
    });
    const add = async (from: number, to: number) => {
      for (const [user, rate] of [
        ['old', 0.4],
        ['new', 0.8],
      ] as const) {
        const calls = await gates.runs.project.addCalls(
          ...Array.from({ length: to - from }, (_none, at) => ({
            ...{ user, output: 'cold' },
            inputs: { model: user, messages: [{ role: 'user', content: `Question ${from + at}?` }] },
          })),
        );
        for (const [at, call] of calls.entries())
          await gates.runs.project.addVerdict('exact:v0', call, { passed: passes(from + at, rate) });
      }
    };
    await add(0, 20);
    const calls = ['old', 'new'].map((name) => ({ name, query: filterOf(name) }));
    const { id } = await gates.create({ calls, metric: 'scores.exact.passed', fact: true });
    expect(await gates.look(id)).toMatchObject({
      status: 'open',
      pairs: 20,
      looks: [],
      sentence: 'Nothing is known yet.',
    });
    await add(20, 120);
    expect(await gates.look(id)).toMatchObject({ status: 'decided', verdict: 'promote', pairs: 120 });
  });
});
