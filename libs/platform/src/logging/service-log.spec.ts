import { Logger } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

import { ServiceLog } from './service-log.js';

describe('ServiceLog', () => {
  const lines: unknown[][] = [];
  const at =
    (level: string) =>
    (...parts: unknown[]) =>
      lines.push([level, ...parts]);
  const levels = Object.fromEntries(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((name) => [name, at(name)]),
  );
  const log = new ServiceLog(levels as unknown as FastifyBaseLogger);
  beforeEach(() => {
    lines.length = 0;
    Logger.overrideLogger(log);
  });
  afterAll(() => Logger.overrideLogger(false));

  it('has what a class says, and its name', () => {
    const logger = new Logger('Housekeeping');
    logger.log('dropped 3 days');
    logger.warn('could not drop');
    logger.error('gave up', 'Error: at somewhere');
    expect(lines).toEqual([
      ['info', { context: 'Housekeeping' }, 'dropped 3 days'],
      ['warn', { context: 'Housekeeping' }, 'could not drop'],
      ['error', { context: 'Housekeeping' }, 'gave up'],
    ]);
  });

  it('keeps the stack of an error', () => {
    const error = new Error('broken');
    new Logger('Housekeeping').error(error);
    expect(lines).toEqual([['error', { context: 'Housekeeping', err: error }, 'broken']]);
  });

  it('leaves out what Nest says about itself', () => {
    new Logger('RoutesResolver').log('mapped');
    expect(lines).toEqual([]);
  });
});
