import type { ImprovementCandidateDto, ImprovementDto } from '@hone/client';

import { changes, elapsed, exitCodeOf, proposal, results } from './words.js';

const candidate = (change: Partial<ImprovementCandidateDto>): ImprovementCandidateDto => ({
  ...{ method: 'kto', state: 'possible', reason: '299 calls are liked or disliked.', calls: 299 },
  ...{ data_url: null, training_job_id: null, step: null, run_id: null, gate_id: null, gain: null, win_rate: null },
  ...{ prompt_edit_id: null, prompt: null },
  ...change,
});
const IMPOSSIBLE = candidate({
  method: 'sft',
  state: 'not_possible',
  reason: 'Only 0 calls have a correction.',
  calls: 0,
});

const improvement = (change: Partial<ImprovementDto>): ImprovementDto => ({
  ...{ id: '01a22dd7-2073-700a-891e-cbe89f418318', status: 'running', step: 'training', sentence: 'It trains.' },
  settings: { project_id: 'acme/demo', model_id: '', evaluate: { scorers: ['bare'] } },
  ...{ current_step: 0, dataset: null, current_run_id: null, candidates: [IMPOSSIBLE, candidate({})], cost_usd: 0 },
  ...{ created_by: '', created_at: '2026-11-30T19:03:22.995Z', ended_at: null },
  ...change,
});

describe('proposal', () => {
  it('says of each method whether the calls allow it, and why', () => {
    expect(proposal(improvement({ status: 'proposed', sentence: 'It would try kto.' }))).toBe(
      'sft  no   Only 0 calls have a correction.\nkto  yes  299 calls are liked or disliked.\nIt would try kto.',
    );
  });
});

describe('changes', () => {
  const training = improvement({ candidates: [IMPOSSIBLE, candidate({ state: 'training' })] });

  it('says at first what it does, and nothing of what the dry run has said', () => {
    expect(changes(null, improvement({}))).toEqual(['It trains.']);
  });

  it('says of a candidate only that it moved', () => {
    expect(changes(improvement({}), training)).toEqual(['kto: training']);
    expect(changes(training, training)).toEqual([]);
    const trained = improvement({ candidates: [IMPOSSIBLE, candidate({ state: 'trained', step: 2 })] });
    expect(changes(training, trained)).toEqual(['kto: trained, step 2']);
    const edited = improvement({ candidates: [candidate({ method: 'prompt', state: 'trained' })] });
    expect(changes(training, edited)).toEqual(['prompt: edited']);
  });

  it('says when another step begins, and leaves the last sentence to the end', () => {
    expect(changes(training, { ...training, step: 'gate', sentence: 'Gates compare.' })).toEqual(['Gates compare.']);
    const ended = improvement({
      ...{ status: 'kept', sentence: 'Nothing is proven.', ended_at: '2026-11-30T19:04:00Z' },
      candidates: [IMPOSSIBLE, candidate({ state: 'not_better', reason: 'Undecided.' })],
    });
    expect(changes(training, ended)).toEqual(['kto: not better. Undecided.']);
  });
});

describe('results', () => {
  it('is a table of the methods with their intervals', () => {
    const better = candidate({
      ...{ state: 'promoted', win_rate: { estimate: 0.92, low: 0.8, high: 0.97, rows: 42 } },
      gain: { estimate: 0.48, low: -0.02, high: 0.64 },
    });
    expect(results({ candidates: [IMPOSSIBLE, better] }).split('\n')).toEqual([
      'method  calls  win rate             gain                   verdict',
      'sft         0  –                    –                      not possible',
      'kto       299  92 % (80 % to 97 %)  +48 % (−2 % to +64 %)  promoted',
    ]);
  });
});

describe('exitCodeOf', () => {
  it('tells what was promoted from what stays, and both from what went wrong', () => {
    const codeOf = (status: ImprovementDto['status']) => exitCodeOf({ status });
    expect(codeOf('promoted')).toBe(0);
    expect(codeOf('proposed')).toBe(0);
    for (const status of ['kept', 'needs_labels', 'no_data', 'refused', 'alias_moved'] as const)
      expect(codeOf(status)).toBe(3);
    for (const status of ['failed', 'cancelled'] as const) expect(codeOf(status)).toBe(1);
  });
});

describe('elapsed', () => {
  it('is in minutes and seconds', () => {
    expect(elapsed(65_900)).toBe('1:05');
    expect(elapsed(3_600_000)).toBe('60:00');
  });
});
