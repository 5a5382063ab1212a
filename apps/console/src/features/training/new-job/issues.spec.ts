import type { DiagnosisIssueDto } from '@hone/client';

import { gatherIssues } from './issues.js';

const issue = (loc: (string | number)[], code = 'zero_advantage'): DiagnosisIssueDto => ({
  ...{ loc, code, severity: 'warning', message: `It is ${code}.`, hint: null },
});

describe('what a dry run found', () => {
  it('says each sentence once and names every group that it is about', () => {
    const found = gatherIssues([
      issue(['trajectory_groups', 0]),
      issue(['trajectory_groups', 1, 'trajectories', 2], 'too_long'),
      issue(['trajectory_groups', 4]),
    ]);
    expect(found.map(({ code, places }) => ({ code, places }))).toEqual([
      { code: 'zero_advantage', places: ['group 1', 'group 5'] },
      { code: 'too_long', places: ['group 2, rollout 3'] },
    ]);
  });

  it.each([
    [['line', 7], ['line 7']],
    [[], []],
    [['body', 'config', 'x'], []],
  ])('at %j is found at %j', (loc, places) => expect(gatherIssues([issue(loc)])[0]?.places).toEqual(places));
});
