import { StorageFullError, StoredFileMissingError } from '@hone/artifacts';
import { BadLineError, CheckpointCorruptError, OutOfMemoryError, TrainingFailedError } from '@hone/engine';

import { toJobError } from './attempt-failure.js';

const of = (error: unknown) => toJobError(error, ['/data/artifacts', '/data']);

describe('toJobError', () => {
  it('says what is wrong with the data, where, and what to do', () => {
    const error = of(new BadLineError([{ loc: ['line', 7], detail: 'it is not JSON' }]));
    expect(error).toMatchObject({ code: 'data.bad_line', loc: [['line', 7]], retryable: false });
    expect(error.message).toContain('line 7');
    expect(error.hint).toEqual(expect.any(String));
  });

  it('shows no path of this machine', () => {
    const error = of(new CheckpointCorruptError('/data/artifacts/models/m/step-1/state.json', 'it is not JSON'));
    expect(error.message).toBe('models/m/step-1/state.json: it is not JSON.');
  });

  it('tells what may pass from what will not', () => {
    const retryable = (error: unknown) => [of(error).code, of(error).retryable];
    expect(retryable(new StorageFullError())).toEqual(['storage.full', true]);
    expect(retryable(new StoredFileMissingError('local:x'))).toEqual(['storage.missing', false]);
    expect(retryable(new OutOfMemoryError('SIGKILL'))).toEqual(['engine.out_of_memory', true]);
    expect(retryable(new TrainingFailedError('engine.nonfinite_loss', 'x'))).toEqual(['engine.nonfinite_loss', false]);
    expect(retryable(new Error('a secret of ours'))).toEqual(['server.internal', true]);
    expect(of(new Error('a secret of ours')).message).not.toContain('secret');
  });

  it('recognises a full disk in the error of each library', () => {
    const words = 'ENOSPC: no space left on device, write';
    expect(of(new TrainingFailedError('engine.internal', words))).toMatchObject({ code: 'storage.full' });
    expect(of(Object.assign(new Error(words), { code: 'ENOSPC' }))).toMatchObject({ code: 'storage.full' });
    expect(of(new Error('EACCES: permission denied'))).toMatchObject({ code: 'storage.unavailable', retryable: true });
    // What a user wrote is no fault of a disk.
    expect(of(new BadLineError([{ loc: ['line', 1], detail: 'ENOSPC' }])).code).toBe('data.bad_line');
  });
});
