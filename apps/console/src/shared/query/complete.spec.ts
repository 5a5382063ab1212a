import { completionAt, fieldToLookUp } from './complete.js';

/** Suggestions at the end of a text, or where it has a `|`. */
function suggest(text: string, known: readonly string[] = []): readonly string[] | undefined {
  const caret = text.includes('|') ? text.indexOf('|') : text.length;
  return completionAt(text.replace('|', ''), caret, known)?.suggestions;
}

describe('what a word of a query can become', () => {
  it.each([
    ['stat', ['status ']],
    ['STARTED', ['started_at ']],
    ['att', ['attributes.']],
    ['id = 1 and not (dis', ['display_name ']],
    ['status ', ['= ', '!= ', '< ', '<= ', '> ', '>= ', 'contains ', 'in ', 'exists ']],
    ['status con', ['contains ']],
    ['sear', ['search ']],
    ['search ', ['inputs "', 'output "']],
    ['search output "a" ', ['and ', 'or ']],
    ['trace h', ['has (']],
    ['trace has ', ['(']],
    ['trace has (op_n', ['op_name ']],
    ['trace has (status = error) ', ['and ', 'or ']],
    ['feed', ['feedback has (']],
    ['feedback has (emo', ['emoji ']],
    ['feedback has (op_n', []],
    ['feedback has (not (scorer_rat', ['scorer_ratings.', 'scorer_rating_reasons.']],
    ['feedback has (emoji = ', ['"👎" ', '"👍" ']],
    ['feedback has (emoji = "👎") and op_n', ['op_name ']],
    ['model ', ['= ', '!= ', 'in ', 'exists ']],
    ['id in ', ['(']],
    ['id in (1', []],
    ['id in (1 ', [', ', ') ']],
    ['id in (1) ', ['and ', 'or ']],
    ['id = 1 ', ['and ', 'or ']],
    ['id exists a', ['and ']],
    ['stat| = 1', ['status ']],
    ['id = 1 id', []],
  ])('at the end of %j', (text, suggestions) => {
    expect(suggest(text)).toEqual(suggestions);
  });

  it('is a key or a value that was looked up, in quotes where it needs them', () => {
    expect(suggest('inputs.', ['q', 'a.b', '<script>'])).toEqual(['inputs.q ', 'inputs."a.b" ', 'inputs."<script>" ']);
    expect(suggest('inputs.B', ['q', 'a.b'])).toEqual(['inputs."a.b" ']);
    expect(suggest('status = ', ['error', 'it"s', '12'])).toEqual(['"error" ', '"it\\"s" ', '12 ']);
    expect(suggest('status = "er', ['error', 'success'])).toEqual(['"error" ']);
    expect(suggest('status in (error, su', ['error', 'success'])).toEqual(['"success" ']);
  });

  it('stands in place of the word that is typed', () => {
    expect(completionAt('id = 1 and sta = 2', 14, [])).toMatchObject({ from: 11, to: 14 });
    expect(completionAt('status = "er', 12, ['error'])).toMatchObject({ from: 9, to: 12 });
    expect(completionAt('status ', 7, [])).toMatchObject({ from: 7, to: 7 });
  });

  it('is nothing where the text before it cannot be read', () => {
    expect([
      suggest('id = = '),
      suggest('"x" '),
      suggest('id = "\\x"'),
      suggest(') '),
      suggest('x'.repeat(5_000)),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('is looked up by the name of its field', () => {
    const ofEnd = (text: string) => fieldToLookUp(text, text.length);
    expect(
      ['', 'inputs', 'inputs.', 'inputs."a.b".c', 'op_name.', 'status = ', 'model = g', 'user in (', 'id '].map(ofEnd),
    ).toEqual([
      ...[null, null, 'inputs', 'inputs.a\\.b', null, 'summary.hone.status', 'summary.usage', 'svc_user_id', null],
    ]);
  });
});
