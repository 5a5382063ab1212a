import { whenDatabaseAnswers } from './when-database-answers.js';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('whenDatabaseAnswers', () => {
  it('asks until there is an answer', async () => {
    let asked = 0;
    const work = async () => {
      if (++asked < 3) throw away();
      return 'answer';
    };
    expect(await whenDatabaseAnswers(work, new AbortController().signal)).toBe('answer');
    expect(asked).toBe(3);
  });

  it('passes on what is no outage', async () => {
    const work = () => Promise.reject(new Error('a mistake'));
    await expect(whenDatabaseAnswers(work, new AbortController().signal)).rejects.toThrow('a mistake');
  });

  it('waits no longer than it may, for an answer or for the next question', async () => {
    for (const work of [() => new Promise(() => undefined), () => Promise.reject(away())]) {
      const stop = new AbortController();
      const waiting = whenDatabaseAnswers(work, stop.signal);
      setTimeout(() => stop.abort(new Error('enough')), 20);
      await expect(waiting).rejects.toThrow('enough');
    }
  });
});
