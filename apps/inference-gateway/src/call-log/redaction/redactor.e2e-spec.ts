import { Redactor } from './redactor.js';

const NONE = { inputs: null, output: null, metadata: null, thread: null };
const RULES = { paths: [], patterns: ['[a-z]+@[a-z.]+', '(a+)+b'] };
const LARGE = JSON.stringify({ text: `${'a'.repeat(1_048_576)} bob@example.com` });

describe('the thread that redacts', () => {
  let redactor: Redactor;
  afterEach(() => redactor.onApplicationShutdown());

  it('leaves the event loop alone, whatever the text', async () => {
    redactor = new Redactor(60_000);
    await redactor.redact(RULES, { ...NONE, inputs: '{}' });
    let turns = 0;
    let isOver = false;
    const turn = () => void setImmediate(() => !isOver && (turns++, turn()));
    turn();
    const done = await Promise.all([1, 2, 3].map(() => redactor.redact(RULES, { ...NONE, inputs: LARGE })));
    isOver = true;
    expect(turns).toBeGreaterThan(10);
    for (const one of done) expect(one?.inputs?.slice(-13)).toBe(' [redacted]"}');
  });

  it('keeps nothing of what takes too long, and goes on with the next', async () => {
    redactor = new Redactor(1);
    const patterns = Array.from({ length: 20 }, (_, at) => `[a-z]+@${at}`);
    expect(await redactor.redact({ paths: [], patterns }, { ...NONE, inputs: LARGE })).toBeNull();
    expect(await redactor.redact({ paths: [], patterns }, { ...NONE, inputs: LARGE })).toBeNull();
  });

  it('keeps nothing of what cannot be read', async () => {
    redactor = new Redactor(60_000);
    expect(await redactor.redact({ paths: [], patterns: ['('] }, { ...NONE, inputs: '{}' })).toBeNull();
    expect(await redactor.redact(RULES, { ...NONE, inputs: '{' })).toBeNull();
    expect(await redactor.redact(RULES, { ...NONE, thread: 'a@b' })).toMatchObject({ thread: null, hasChanged: true });
  });

  it('answers null once it is closed amid a job', async () => {
    redactor = new Redactor(60_000);
    const running = redactor.redact(RULES, { ...NONE, inputs: LARGE });
    await redactor.onApplicationShutdown();
    expect(await running).toBeNull();
  });
});
