import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { statusesOf } from './job-statuses.js';
import { ACTIVE_STATUSES, OPEN_STATUSES, TERMINAL_STATUSES } from './job-statuses.sql.js';

const MIGRATION = '../../../prisma/migrations/20261121190000_training/migration.sql';

describe('the statuses of a job', () => {
  it('are each in one stage', () => {
    expect(statusesOf('queued')).toEqual(['queued']);
    expect(statusesOf('active')).toEqual(['preparing', 'running', 'cancelling']);
    expect(statusesOf('over')).toEqual(['cancelled', 'succeeded', 'failed']);
  });

  it('are written in queries as in the conditions of the indexes', () => {
    const migration = readFileSync(join(import.meta.dirname, MIGRATION), 'utf8');
    const listOf = (index: string) => new RegExp(`INDEX "${index}".* IN (\\(.*\\));`).exec(migration)?.[1];
    expect(ACTIVE_STATUSES.sql).toBe(listOf('training_jobs_one_active'));
    expect(OPEN_STATUSES.sql).toBe(listOf('training_jobs_open'));
    expect(TERMINAL_STATUSES.sql).toBe("('cancelled', 'succeeded', 'failed')");
  });
});
