import type { EditItem, PromptEditPlan } from '../prompt-edit.record.js';
import { MAX_EDITS, Search, type SearchStep } from './search.js';

const PRACTICE = Array.from({ length: 8 }, (_none, at) => `p${at}`);
const HELD_OUT = ['h0', 'h1', 'h2'];
const METRIC = { scorer: 1, name: 'passed', isTag: false, scale: [0, 1] as const, lowerIsBetter: false };
const PLAN = {
  ...{ practice: PRACTICE, heldOut: HELD_OUT, metric: METRIC, scorers: [{ objectId: 'right', digest: 'd' }] },
  settings: { metric: 'scores.right.passed' },
} as unknown as PromptEditPlan;

/** How good a prompt is on a row; null: the scorer found nothing; undefined: the answer failed. */
type Quality = (candidate: number, row: string) => number | null | undefined;

/** A job whose requests are settled as a spec says. */
class Simulated {
  readonly items: EditItem[] = [];
  readonly steps: SearchStep[] = [];

  constructor(
    private readonly quality: Quality,
    private readonly editCode: (candidate: number) => string | null = () => null,
    private readonly options: { maxEvaluations?: number; seed?: number; plan?: PromptEditPlan } = {},
  ) {}

  search(): Search {
    const { maxEvaluations = 100, seed = 1, plan = PLAN } = this.options;
    return new Search({ plan, seed, maxEvaluations }, this.items);
  }

  /** The last step. */
  run(): SearchStep {
    for (;;) {
      const step = this.search().next();
      this.steps.push(step);
      if (step.do === 'edit') this.edit(step.candidate, step.parent);
      else if (step.do === 'ask') for (const id of step.candidates) for (const row of step.rows) this.answer(id, row);
      else return step;
    }
  }

  private edit(candidate: number, parent: number): void {
    const code = this.editCode(candidate);
    const state = code === null ? 'done' : code === 'refused' ? 'failed' : 'skipped';
    this.items.push({ ...NOTHING, candidate, parent, state, code });
  }

  private answer(candidate: number, rowDigest: string): void {
    const score = this.quality(candidate, rowDigest);
    const isThere = score !== undefined;
    const answer = { ...NOTHING, candidate, rowDigest };
    this.items.push({ ...answer, state: isThere ? 'done' : 'failed', code: isThere ? null : 'timeout' });
    if (isThere)
      this.items.push({
        ...answer,
        scorer: 1,
        score,
        state: score === null ? 'skipped' : 'done',
        code: score === null ? 'missing_text' : null,
      });
  }

  get asked(): number {
    return this.items.filter(({ rowDigest, scorer }) => rowDigest !== '' && scorer === 0).length;
  }

  rowsOf(candidate: number): string[] {
    const rows = this.items
      .filter((item) => item.candidate === candidate && item.scorer === 0)
      .map(({ rowDigest }) => rowDigest);
    return rows.filter((row) => row !== '').sort();
  }
}

const NOTHING = {
  jobId: '',
  candidate: 0,
  rowDigest: '',
  scorer: 0,
  parent: null,
  state: 'done',
  code: null,
  score: null,
} as const;

const half: Quality = (_candidate, row) => (Number(row.slice(1)) % 2 === 0 ? 1 : 0);

describe('the search for a better prompt', () => {
  it('asks the original all practice rows, an edit a few and then all, and both the held-out rows', () => {
    const job = new Simulated((candidate, row) => (candidate === 1 ? 1 : half(candidate, row)));
    expect(job.run()).toEqual({
      do: 'end',
      best: { candidate: 1, rows: 3, originalMean: 2 / 3, editMean: 1 },
      isBetter: true,
    });
    const asked = job.steps.map((step) => (step.do === 'ask' ? [step.candidates, step.rows.length] : step.do));
    expect(asked).toEqual([[[0], 8], 'edit', [[1], 4], [[1], 4], [[0, 1], 3], 'end']);
    expect(job.rowsOf(1)).toEqual([...HELD_OUT, ...PRACTICE].sort());
    expect(job.search().scores.evaluations).toBe(22);
  });

  it('drops an edit that is no better than its parent on a few rows, one of which the parent failed', () => {
    const job = new Simulated(half);
    expect(job.run()).toEqual({ do: 'end', best: null, isBetter: false });
    expect(job.asked).toBeLessThanOrEqual(100);
    for (const edit of job.search().scores.edits) {
      expect(job.search().droppedOf(edit)).toBe('worse');
      expect(job.rowsOf(edit.candidate)).toHaveLength(4);
      expect(job.rowsOf(edit.candidate).some((row) => half(0, row) === 0)).toBe(true);
    }
    expect(job.rowsOf(0)).toEqual(PRACTICE);
  });

  it.each([20, 21, 50, 100, 200])('asks for no more than %i answers, held-out rows too', (maxEvaluations) => {
    // Each edit is a little better than all before it.
    const job = new Simulated((candidate) => 0.2 + candidate / 100, undefined, { maxEvaluations });
    expect(job.run()).toMatchObject({ do: 'end' });
    expect(job.asked).toBeLessThanOrEqual(maxEvaluations);
    if (maxEvaluations >= 50) expect(job.rowsOf(0)).toEqual([...HELD_OUT, ...PRACTICE].sort());
  });

  it('draws parents among those that are the best on some row', () => {
    // Of the edits, odd ones are good at the first half, even ones at the second; none is good at both.
    const quality: Quality = (candidate, row) =>
      candidate === 0 ? 0 : Number(row[1]) < 4 === (candidate % 2 === 1) ? 0.9 : 0.1;
    const job = new Simulated(quality, undefined, { maxEvaluations: 200 });
    job.run();
    const parents = new Set(
      job
        .search()
        .scores.edits.slice(1)
        .map(({ parent }) => parent),
    );
    expect(parents.size).toBeGreaterThan(1);
    expect(parents.has(0)).toBe(false);
    expect(job.rowsOf(2)).not.toEqual([]);
  });

  it('goes on alike, whoever finds the next step', () => {
    const [one, other, third] = [1, 1, 2].map(
      (seed) =>
        new Simulated((id, row) => ((id * 7 + Number(row[1]) * 3) % 5) / 5, undefined, { seed, maxEvaluations: 200 }),
    );
    for (const job of [one, other, third]) job?.run();
    expect(one?.steps).toEqual(other?.steps);
    expect(one?.steps).not.toEqual(third?.steps);
  });

  it('waits while anything is in flight', () => {
    const job = new Simulated(half);
    job.items.push({ ...NOTHING, rowDigest: 'p0', state: 'running' });
    expect(job.search().next()).toEqual({ do: 'wait' });
  });

  it('stops where nothing can be better', () => {
    const job = new Simulated(() => 1);
    expect(job.run()).toEqual({ do: 'end', best: null, isBetter: false });
    expect(job.asked).toBe(8);
  });

  it('lets held-out rows decide, and stores no edit that is better on practice rows alone', () => {
    const job = new Simulated((candidate, row) => (candidate === 1 && row.startsWith('p') ? 1 : half(candidate, row)));
    expect(job.run()).toMatchObject({
      do: 'end',
      best: { candidate: 1, originalMean: 2 / 3, editMean: 2 / 3 },
      isBetter: false,
    });
  });

  it('turns round what is better where less is, and takes a failed answer for the worst one', () => {
    const plan = { ...PLAN, metric: { ...METRIC, scale: [0, 10] as const, lowerIsBetter: true } };
    const job = new Simulated((id, row) => (id === 0 ? (row === 'p1' ? undefined : 9) : 1), undefined, { plan });
    expect(job.run()).toMatchObject({
      best: { candidate: expect.any(Number), originalMean: 9, editMean: 1 },
      isBetter: true,
    });
    expect(job.search().scores.of(0, 'p1')).toBe(10);
  });

  it('compares on rows on which both have a score', () => {
    const quality: Quality = (id, row) => (id > 0 && row === 'h1' ? null : id > 0 ? 0.5 : row === 'h1' ? 1 : 0);
    expect(new Simulated(quality).run()).toMatchObject({
      best: { rows: 2, originalMean: 0, editMean: 0.5 },
      isBetter: true,
    });
  });

  it('makes so many edits at most, those that are dropped at once included', () => {
    const job = new Simulated(half, (candidate) => (candidate % 4 === 0 ? null : 'leak'), { maxEvaluations: 200 });
    expect(job.run()).toEqual({ do: 'end', best: null, isBetter: false });
    expect(job.search().scores.edits).toHaveLength(MAX_EDITS);
    expect(job.asked).toBe(8 + 4 * 10);
  });

  it('asks for no more edits once five in a row were dropped at once', () => {
    const codes = ['leak', 'malformed', 'repeated'];
    const job = new Simulated(half, (candidate) => (candidate === 3 ? null : (codes[candidate % 3] as string)));
    expect(job.run()).toEqual({ do: 'end', best: null, isBetter: false });
    expect(job.search().scores.edits).toHaveLength(8);
  });

  it('fails where nothing was answered, nothing has a score, or no edit came', () => {
    expect(new Simulated(() => undefined).run()).toEqual({ do: 'fail', error: 'No row was answered: timeout.' });
    expect(new Simulated(() => null).run()).toEqual({
      ...{ do: 'fail', error: "No answer has the score 'scores.right.passed': missing_text." },
    });
    const silent = new Simulated(half, () => 'refused');
    expect(silent.run()).toEqual({ do: 'fail', error: 'The reflection model answered nothing: refused.' });
    expect(silent.search().scores.edits).toHaveLength(3);
  });
});
