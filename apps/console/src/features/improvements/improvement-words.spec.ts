import type { ImprovementCandidateDto, ImprovementDto } from '@hone/client';

import { changeOf, isTried, rateInWords, stepsOf } from './improvement-words.js';

const candidate = (change: Partial<ImprovementCandidateDto> = {}): ImprovementCandidateDto => ({
  ...{ method: 'kto', state: 'trained', reason: '', calls: 12, data_url: null, training_job_id: 'job', step: 1 },
  ...{ prompt_edit_id: null, prompt: null },
  ...{ run_id: null, gate_id: null, gain: null, win_rate: null, ...change },
});
const at = (change: Partial<ImprovementDto>) => {
  const improvement = { status: 'running', step: null, candidates: [], current_run_id: null, dataset: null, ...change };
  return stepsOf(improvement as ImprovementDto).map(({ state }) => state);
};

describe('stepsOf', () => {
  it('tells what is done from what it does and what is to come', () => {
    expect(at({ step: 'data' })).toEqual(['now', 'waits', 'waits', 'waits', 'waits']);
    expect(at({ step: 'evaluation' })).toEqual(['done', 'done', 'now', 'waits', 'waits']);
  });

  it('says of one that has ended how far it got', () => {
    expect(at({ status: 'no_data' })).toEqual(['left out', 'left out', 'left out', 'left out', 'left out']);
    const trained = { dataset: 'rows', candidates: [candidate()] };
    expect(at({ ...trained, status: 'cancelled' })).toEqual(['done', 'done', 'left out', 'left out', 'left out']);
    const edited = { ...trained, candidates: [candidate({ training_job_id: null, prompt_edit_id: 'edits' })] };
    expect(at({ ...edited, status: 'cancelled' })).toEqual(['done', 'done', 'left out', 'left out', 'left out']);
    const compared = { dataset: 'rows', candidates: [candidate({ gate_id: 'gate' })], current_run_id: 'run' };
    expect(at({ ...compared, status: 'kept' })).toEqual(['done', 'done', 'done', 'done', 'left out']);
    expect(at({ ...compared, status: 'promoted' })).toEqual(['done', 'done', 'done', 'done', 'done']);
  });
});

describe('isTried', () => {
  it('leaves out what the calls do not allow', () => {
    expect(isTried(candidate({ state: 'possible' }))).toBe(true);
    expect(isTried(candidate({ state: 'not_possible' }))).toBe(false);
  });
});

describe('a win rate', () => {
  const rate = (low: number, high: number) => ({ estimate: 0.6, low, high, rows: 42 });

  it('is better or worse only where its interval leaves out a half', () => {
    expect(changeOf(rate(0.51, 0.9))).toBe('better');
    expect(changeOf(rate(0.1, 0.49))).toBe('worse');
    expect(changeOf(rate(0.5, 0.9))).toBe('same');
  });

  it('says so to those who do not see it', () => {
    expect(rateInWords(rate(0.51, 0.9))).toBe('Wins 60 %, interval 51 % to 90 %, which leaves out a half');
    expect(rateInWords(rate(0.4, 0.9))).toBe('Wins 60 %, interval 40 % to 90 %, which holds a half');
  });
});
