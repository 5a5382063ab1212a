import { toRights } from './role.js';

describe('the rights of a role', () => {
  it.each([
    [undefined, false, false, false],
    ['reader', false, false, false],
    ['annotator', true, false, false],
    ['writer', true, true, false],
    ['owner', true, true, true],
    ['emperor', false, false, false],
  ])('of %s include annotating: %s, writing: %s, owning: %s', (role, mayAnnotate, mayWrite, mayOwn) => {
    expect(toRights(role, false)).toEqual({ mayAnnotate, mayWrite, mayOwn, mayAdminister: false });
  });

  it('are all those of an administrator', () => {
    const all = { mayAnnotate: true, mayWrite: true, mayOwn: true, mayAdminister: true };
    expect(toRights(undefined, true)).toEqual(all);
  });
});
