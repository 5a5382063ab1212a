import { isCallId, isObjectId } from './names.js';
import { isEntityName, isProjectName, parseProjectId } from './project-id.js';

const LONG = 'x'.repeat(128);

describe('names', () => {
  it.each([
    [
      'entity',
      isEntityName,
      ['a', 'Acme', '0', 'a.b-c_d', LONG],
      ['', '.a', '-a', 'a b', 'a/b', 'é', `${LONG}x`, 'a\n'],
    ],
    [
      'project',
      isProjectName,
      ['a', 'My project', 'é', '日本', '...', '😀'.repeat(128), LONG],
      ['', '.', '..', ' a', 'a ', 'a/b', 'a:b', 'a\tb', 'a\n', '\u0085', '\u00a0a', '\u007f', `${LONG}x`],
    ],
    ['object_id', isObjectId, ['a', 'é-1_.', '日本', 'ⅷ', LONG], ['', 'a b', 'a:b', 'a/b', '😀', `${LONG}x`, 'a\n']],
    ['call_id', isCallId, ['a', ' a:b ', '😀', LONG], ['', 'a/b', 'a\u0000', 'a\n', `${LONG}x`]],
  ])('%s', (_what, isRight, right, wrong) => {
    for (const text of right) expect([text, isRight(text)]).toEqual([text, true]);
    for (const text of wrong) expect([text, isRight(text)]).toEqual([text, false]);
  });

  it('project_id', () => {
    expect(parseProjectId('acme/My project')).toEqual({ entity: 'acme', project: 'My project' });
    for (const text of ['', '/', 'acme', 'acme/', '/p', 'a/b/c', 'a b/c', 'acme/..']) {
      expect([text, parseProjectId(text)]).toEqual([text, undefined]);
    }
  });
});
