import { toLoggedError } from './logged-error.js';

describe('toLoggedError', () => {
  it('keeps what an error is and where it came from', () => {
    const cause = Object.assign(new RangeError('too far'), { code: 'E_FAR' });
    const logged = toLoggedError(new TypeError('wrong', { cause }));
    expect(logged).toMatchObject({
      type: 'TypeError',
      message: 'wrong',
      cause: { type: 'RangeError', code: 'E_FAR', message: 'too far' },
    });
    expect(logged.stack).toMatch(/^\s+at .*logged-error\.spec/);
  });

  it('leaves out the fields in which drivers tell the row that failed', () => {
    const error = Object.assign(new Error('violates a constraint'), {
      detail: 'Failing row contains (secret).',
      meta: { driverAdapterError: { cause: { detail: 'secret' } } },
    });
    expect(JSON.stringify(toLoggedError(error))).not.toContain('secret');
  });

  it('stays small, whatever it is given', () => {
    const endless = new Error('x'.repeat(100_000));
    endless.cause = endless;
    expect(JSON.stringify(toLoggedError(endless)).length).toBeLessThan(20_000);
    expect(toLoggedError('a text that somebody threw')).toEqual({ type: 'string', message: '', stack: '' });
  });
});
